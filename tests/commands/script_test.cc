// EVAL and its companions as a conversation; the answers are redis-server 7.0.15's, byte for byte,
// where it has one.
#include <gtest/gtest.h>

#include "base/sha1.h"
#include "tests/commands/conversation.h"

namespace fencepost::tests {
namespace {

std::string eval(Server& server, const std::string& script) {
  return server.run("EVAL", script, 0);
}

// The error that a script ends with, in full.
std::string raised(const std::string& text, const std::string& script, int line = 1) {
  return "-" + text + " script: " + sha1_hex(script) + ", on @user_script:" + std::to_string(line) +
         ".\r\n";
}

TEST(Eval, GivesTheScriptItsKeysAndArguments) {
  Server server;
  EXPECT_EQ(server.run("EVAL", "return {KEYS[1], ARGV[1], #KEYS, #ARGV}", 1, "k", "a", "b"),
            "*4\r\n$1\r\nk\r\n$1\r\na\r\n:1\r\n:2\r\n");
  EXPECT_EQ(server.run("EVAL", "return 1", "x"),
            "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(server.run("EVAL", "return 1", -1), "-ERR Number of keys can't be negative\r\n");
  EXPECT_EQ(server.run("EVAL", "return 1", 2, "one"),
            "-ERR Number of keys can't be greater than number of args\r\n");
}

TEST(Eval, TurnsLuaIntoReplies) {
  Server server;
  EXPECT_EQ(eval(server, "return 3.99"), ":3\r\n");
  EXPECT_EQ(eval(server, "return -3.99"), ":-3\r\n");
  EXPECT_EQ(eval(server, "return 1e300"), ":-9223372036854775808\r\n");
  EXPECT_EQ(eval(server, "return true"), ":1\r\n");
  EXPECT_EQ(eval(server, "return false"), "$-1\r\n");
  EXPECT_EQ(eval(server, "return nil"), "$-1\r\n");
  EXPECT_EQ(eval(server, "return {1, nil, 3}"), "*1\r\n:1\r\n");
  EXPECT_EQ(eval(server, "return {1, false, 3}"), "*3\r\n:1\r\n$-1\r\n:3\r\n");
  EXPECT_EQ(eval(server, "return {ok = 'a\\r\\nb'}"), "+a  b\r\n");
  EXPECT_EQ(eval(server, "return {err = 'NOT FOUND'}"), "-NOT FOUND\r\n");
  EXPECT_EQ(eval(server, "return {double = 0.1}"), "$19\r\n0.10000000000000001\r\n");
  EXPECT_EQ(eval(server, "return {map = {a = 1}}"), "*2\r\n$1\r\na\r\n:1\r\n");
  EXPECT_EQ(eval(server, "return {1, {err = 'INNER bad'}, 2}"), "*3\r\n:1\r\n-INNER bad\r\n:2\r\n");
}

TEST(Eval, SpeaksResp3OnlyAsFarAsTheScriptAsks) {
  Server server;
  Client modern = server.client(Protocol::resp3);
  EXPECT_EQ(modern.run("EVAL", "return {1, true, false}", 0), "*3\r\n:1\r\n:1\r\n_\r\n");
  EXPECT_EQ(modern.run("EVAL", "return {map = {a = 1}}", 0), "%1\r\n$1\r\na\r\n:1\r\n");
  EXPECT_EQ(modern.run("EVAL", "redis.setresp(3) return true", 0), "#t\r\n");
  EXPECT_EQ(modern.run("EVAL", "redis.setresp(3) return type(redis.call('GET', 'none'))", 0),
            "$3\r\nnil\r\n");
  EXPECT_EQ(modern.run("EVAL", "return type(redis.call('GET', 'none'))", 0), "$7\r\nboolean\r\n");
}

TEST(Eval, NamesScriptAndLineInErrors) {
  Server server;
  const std::string unknown = "\n\nreturn redis.call('nosuch')";
  EXPECT_EQ(eval(server, unknown),
            raised("ERR Unknown Redis command called from script", unknown, 3));
  const std::string thrown = "error({err = 'MYERR gone'})";
  EXPECT_EQ(eval(server, thrown), raised("MYERR gone", thrown));
  const std::string missing = "return nosuch";
  EXPECT_EQ(eval(server, missing),
            raised("ERR user_script:1: Script attempted to access nonexistent global variable "
                   "'nosuch'",
                   missing));
  EXPECT_EQ(eval(server, "return ("),
            "-ERR Error compiling script (new function): user_script:1: unexpected symbol near "
            "'<eof>'\r\n");
  // redis-server 7.0.15 dies of this one.
  const std::string wordless = "error({})";
  EXPECT_EQ(eval(server, wordless), raised("ERR unknown error", wordless));
}

TEST(Eval, RunsCommandsByTheirRows) {
  Server server;
  EXPECT_EQ(eval(server, "return redis.call('SET', 'k', 1.5)"), "+OK\r\n");
  EXPECT_EQ(server.run("GET", "k"), "$3\r\n1.5\r\n");
  const std::string few = "return redis.call('SET', 'k')";
  EXPECT_EQ(eval(server, few),
            raised("ERR Wrong number of args calling Redis command from script", few));
  const std::string nested = "return redis.call('EVAL', 'return 1', 0)";
  EXPECT_EQ(eval(server, nested),
            raised("ERR This Redis command is not allowed from script", nested));
  EXPECT_EQ(eval(server, "return redis.pcall('INCR', 'k')"),
            "-ERR value is not an integer or out of range\r\n");
}

// As many words as unpack() has room for leave none for the reply.
TEST(Eval, CallsWithAllTheWordsThatALuaStackTakes) {
  Server server;
  EXPECT_EQ(eval(server,
                 "local words = {} for i = 1, 7999 do words[i] = 1 end "
                 "return redis.call('RPUSH', 'l', unpack(words, 1, 7997))"),
            ":7997\r\n");
  EXPECT_EQ(eval(server,
                 "local words = {} for i = 1, 7000 do words[i] = 'l' end "
                 "return #redis.call('MGET', unpack(words))"),
            ":7000\r\n");
  EXPECT_EQ(eval(server,
                 "local words = {} for i = 1, 7990 do words[i] = 'l' end "
                 "return redis.pcall('SET', unpack(words))"),
            "-ERR syntax error\r\n");
}

TEST(Eval, CompiledCodeIsTextAndNeverRun) {
  Server server;
  EXPECT_EQ(eval(server, "return type(string.dump(function() return 1 end))"), "$6\r\nstring\r\n");
  const std::string run = "return loadstring(string.dump(function() return 1 end))()";
  EXPECT_EQ(eval(server, run), raised("ERR user_script:1: attempt to call a nil value", run));
  EXPECT_EQ(eval(server, "return pcall(string.dump, tostring) == false"), ":1\r\n");
}

TEST(Eval, KeepsWhatWasWrittenBeforeAnError) {
  Server server;
  eval(server, "redis.call('SET', 'k', 'v') error('late')");
  EXPECT_EQ(server.run("GET", "k"), "$1\r\nv\r\n");
}

TEST(Eval, SelectsADatabaseForTheScriptAlone) {
  Server server;
  EXPECT_EQ(eval(server, "redis.call('SELECT', 5) redis.call('SET', 'k', 'five') return 1"),
            ":1\r\n");
  EXPECT_EQ(server.run("EXISTS", "k"), ":0\r\n");
  server.run("SELECT", 5);
  EXPECT_EQ(server.run("GET", "k"), "$4\r\nfive\r\n");
}

TEST(Eval, SeesOneMoment) {
  Server server;
  EXPECT_EQ(eval(server,
                 "local a = redis.call('TIME') local b = redis.call('TIME') "
                 "return a[1] == b[1] and a[2] == b[2]"),
            ":1\r\n");
  EXPECT_EQ(eval(server, "return tonumber(redis.call('TIME')[1])"),
            ":" + std::to_string(server.unix_ms() / 1000) + "\r\n");
}

TEST(Eval, RunsInsideATransaction) {
  Server server;
  server.run("MULTI");
  EXPECT_EQ(server.run("EVAL", "return redis.call('INCR', KEYS[1])", 1, "n"), "+QUEUED\r\n");
  server.run("INCR", "n");
  EXPECT_EQ(server.run("EXEC"), "*2\r\n:1\r\n:2\r\n");
}

TEST(Eval, LocksDrawFencesAndNeverWait) {
  Server server;
  EXPECT_EQ(eval(server, "return redis.call('LOCK', 'door', 'alice')"), ":1\r\n");
  EXPECT_EQ(eval(server, "return redis.call('LOCK', 'door', 'bob', 'WAIT', 1000)"), "$-1\r\n");
  EXPECT_EQ(eval(server, "return redis.call('LOCK', 'door', 'bob') == false"), ":1\r\n");
  // As the libraries do it that know no LOCK.
  EXPECT_EQ(eval(server,
                 "if redis.call('EXISTS', 'gate') == 0 then "
                 "return redis.call('SET', 'gate', 'carol', 'PX', 1000) end"),
            "+OK\r\n");
  EXPECT_EQ(server.run("FENCE", "gate"), ":1\r\n");
}

TEST(Eval, HandsOverAtTheEndOfTheScript) {
  Server server;
  server.run("LOCK", "door", "alice");
  Client bob = server.client();
  EXPECT_EQ(bob.run("LOCK", "door", "bob", "WAIT", 10'000), "");
  const std::string release =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return "
      "0";
  EXPECT_EQ(server.run("EVAL", release, 1, "door", "alice"), ":1\r\n");
  EXPECT_EQ(bob.take(), ":2\r\n");
  EXPECT_EQ(server.run("EVAL", release, 1, "door", "alice"), ":0\r\n");
}

TEST(EvalRo, WritesNothing) {
  Server server;
  const std::string write = "return redis.call('SET', 'k', 'v')";
  EXPECT_EQ(server.run("EVAL_RO", write, 0),
            raised("ERR Write commands are not allowed from read-only scripts.", write));
  EXPECT_EQ(server.run("EVAL_RO", "return redis.call('GET', 'k')", 0), "$-1\r\n");
  EXPECT_EQ(server.run("EVAL_RO", "#!lua\nreturn 1", 0),
            "-ERR Can not execute a script with write flag using *_ro command.\r\n");
  EXPECT_EQ(server.run("EVAL_RO", "#!lua flags=no-writes\nreturn 1", 0), ":1\r\n");
  const std::string declared = "#!lua flags=no-writes\nreturn redis.call('SET', 'k', 'v')";
  EXPECT_EQ(eval(server, declared),
            raised("ERR Write commands are not allowed from read-only scripts.", declared, 2));
}

TEST(EvalSha, KnowsWhatEvalRan) {
  Server server;
  const std::string script = "return 'again'";
  const std::string name = sha1_hex(script);
  EXPECT_EQ(server.run("EVALSHA", name, 0), "-NOSCRIPT No matching script. Please use EVAL.\r\n");
  EXPECT_EQ(eval(server, script), "$5\r\nagain\r\n");
  Client other = server.client();
  EXPECT_EQ(other.run("EVALSHA", name, 0), "$5\r\nagain\r\n");
  EXPECT_EQ(server.run("EVALSHA", "123", 0), "-NOSCRIPT No matching script. Please use EVAL.\r\n");
}

TEST(Script, LoadsTellsAndForgets) {
  Server server;
  const std::string name = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";
  EXPECT_EQ(server.run("SCRIPT", "LOAD", "return 1"), "$40\r\n" + name + "\r\n");
  EXPECT_EQ(server.run("SCRIPT", "EXISTS", "E0E1F9FABFC9D4800C877A703B823AC0578FF8DB", "x"),
            "*2\r\n:1\r\n:0\r\n");
  EXPECT_EQ(server.run("EVALSHA", name, 0), ":1\r\n");
  EXPECT_NE(server.run("INFO", "memory").find("number_of_cached_scripts:1\r\n"), std::string::npos);
  EXPECT_EQ(server.run("SCRIPT", "FLUSH", "SOON"),
            "-ERR SCRIPT FLUSH only support SYNC|ASYNC option\r\n");
  EXPECT_EQ(server.run("SCRIPT", "FLUSH"), "+OK\r\n");
  EXPECT_EQ(server.run("SCRIPT", "EXISTS", name), "*1\r\n:0\r\n");
  EXPECT_EQ(server.run("SCRIPT", "KILL"), "-NOTBUSY No scripts in execution right now.\r\n");
}

TEST(Script, ForgetsWhatWasNotUsedForLongestAndNothingThatWasLoaded) {
  Server server;
  const std::string loaded = sha1_hex("return 'loaded'");
  server.run("SCRIPT", "LOAD", "return 'loaded'");
  const std::string first = sha1_hex("return 0");
  for (int at = 0; at < 1000; ++at) eval(server, "return " + std::to_string(at));
  EXPECT_EQ(server.run("EVALSHA", first, 0), ":0\r\n");  // which makes it the newest
  eval(server, "return 'one more'");
  EXPECT_EQ(server.run("EVALSHA", first, 0), ":0\r\n");
  EXPECT_EQ(server.run("SCRIPT", "EXISTS", sha1_hex("return 1"), loaded), "*2\r\n:0\r\n:1\r\n");
  // By their size as well.
  const std::string large(1'000'000, ' ');
  for (int at = 0; at < 20; ++at) eval(server, "return " + std::to_string(at) + large);
  EXPECT_EQ(server.run("SCRIPT", "EXISTS", first, loaded), "*2\r\n:0\r\n:1\r\n");
}

TEST(Script, KeepsWhatCameWithEvalOnceItIsLoadedToo) {
  Server server;
  const std::string script = "return 'twice'";
  eval(server, script);
  server.run("SCRIPT", "LOAD", script);
  for (int at = 0; at < 1001; ++at) eval(server, "return " + std::to_string(at));
  EXPECT_EQ(server.run("EVALSHA", sha1_hex(script), 0), "$5\r\ntwice\r\n");
}

TEST(Script, TakesNoMoreThanItCanKeep) {
  Server server;
  const std::string large(15'000'000, ' ');
  std::string answer;
  for (int at = 0; at < 10; ++at) {
    answer = server.run("SCRIPT", "LOAD", "return " + std::to_string(at) + large);
  }
  EXPECT_EQ(answer,
            "-ERR too many scripts are loaded (at most 100000, and 128 MiB): SCRIPT FLUSH makes "
            "room\r\n");
  EXPECT_EQ(server.run("SCRIPT", "LOAD", "return 0" + large).substr(0, 3), "$40");
  EXPECT_EQ(eval(server, "return 1"), ":1\r\n");
  server.run("SCRIPT", "FLUSH");
  EXPECT_EQ(server.run("SCRIPT", "LOAD", "return 10" + large).substr(0, 3), "$40");
}

TEST(Script, IsCountedAndShownWithWhatItCalls) {
  Server server;
  Client monitor = server.client();
  monitor.run("MONITOR");
  eval(server, "return redis.call('SET', 'k', 'v')");
  const std::string shown = monitor.take();
  EXPECT_LT(shown.find("\"EVAL\""), shown.find("lua] \"SET\" \"k\" \"v\""));
  EXPECT_NE(server.run("INFO", "commandstats").find("cmdstat_set:calls=1"), std::string::npos);
}

}  // namespace
}  // namespace fencepost::tests
