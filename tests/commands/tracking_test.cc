// CLIENT TRACKING: who hears that what it has read is no longer true.
#include <string>

#include <gtest/gtest.h>

#include "base/words.h"
#include "conversation.h"

namespace fencepost::tests {

namespace {

// What a tracking client is told about keys.
std::string invalid(const std::vector<std::string>& keys) {
  std::string bytes = ">2\r\n$10\r\ninvalidate\r\n*" + std::to_string(keys.size()) + "\r\n";
  for (const std::string& key : keys) {
    bytes += "$" + std::to_string(key.size()) + "\r\n" + key + "\r\n";
  }
  return bytes;
}

constexpr std::string_view kAllInvalid = ">2\r\n$10\r\ninvalidate\r\n_\r\n";

std::string id_of(Client& client) {
  const std::string reply = client.run("CLIENT", "ID");
  return reply.substr(1, reply.size() - 3);
}

TEST(Tracking, a_key_that_was_read_is_told_of_once) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  EXPECT_EQ(alice.run("CLIENT", "TRACKING", "ON"), "+OK\r\n");
  server.run("SET", "a", 1);
  EXPECT_EQ(alice.take(), "");
  EXPECT_EQ(alice.run("GET", "a"), "$1\r\n1\r\n");
  server.run("SET", "a", 2);
  EXPECT_EQ(alice.take(), invalid({"a"}));
  server.run("SET", "a", 3);
  EXPECT_EQ(alice.take(), "");
  alice.run("EXISTS", "b");  // a key that is not there counts as well
  server.run("SET", "b", 1);
  EXPECT_EQ(alice.take(), invalid({"b"}));
  alice.run("GET", "a");
  alice.run("CLIENT", "TRACKING", "OFF");
  server.run("SET", "a", 4);
  EXPECT_EQ(alice.take(), "");
}

TEST(Tracking, ones_own_changes_are_told_behind_the_reply) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON");
  alice.run("MGET", "a", "b");
  EXPECT_EQ(alice.run("MSET", "a", 1, "b", 2), "+OK\r\n" + invalid({"a"}) + invalid({"b"}));
  alice.run("GET", "a");
  alice.run("MULTI");
  alice.run("SET", "a", 1);
  alice.run("GET", "a");
  alice.run("SET", "a", 2);
  EXPECT_EQ(alice.run("EXEC"), "*3\r\n+OK\r\n$1\r\n1\r\n+OK\r\n" + invalid({"a"}) + invalid({"a"}));
  alice.run("GET", "a");
  EXPECT_EQ(alice.run("FLUSHALL"), "+OK\r\n" + std::string{kAllInvalid});
}

TEST(Tracking, with_noloop_they_are_not) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON", "NOLOOP");
  alice.run("GET", "a");
  EXPECT_EQ(alice.run("SET", "a", 1), "+OK\r\n");
  alice.run("GET", "a");
  server.run("SET", "a", 2);
  EXPECT_EQ(alice.take(), invalid({"a"}));
  // What time did is nobody's own change.
  alice.run("SET", "a", 1, "PX", 10);
  alice.run("GET", "a");
  server.pass(100);
  EXPECT_EQ(alice.take(), invalid({"a"}));
}

// As redis-server 7.0.15: nothing that was read is forgotten while its reader is there.
TEST(Tracking, what_was_read_before_a_pause_is_told_of_behind_it) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON");
  alice.run("MGET", "a", "b");
  alice.run("CLIENT", "TRACKING", "OFF");
  server.run("SET", "b", 1);
  alice.run("CLIENT", "TRACKING", "ON");
  server.run("MSET", "a", 1, "b", 2);
  EXPECT_EQ(alice.take(), invalid({"a"}));
}

// To Redis a script is a client of its own where keys are told of by prefix, and only there.
TEST(Tracking, of_broadcasts_the_last_who_changed_a_key_is_not_told_but_is_of_its_scripts_doing) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON", "BCAST", "NOLOOP");
  const std::string script = "return redis.call('SET', 'a', 'x')";
  EXPECT_EQ(alice.run("EVAL", script, 0), "+OK\r\n" + invalid({"a"}));
  EXPECT_EQ(alice.run("SET", "a", 1), "+OK\r\n");
  for (const bool script_first : {true, false}) {
    alice.run("MULTI");
    if (script_first) alice.run("EVAL", script, 0);
    alice.run("SET", "a", 1);
    if (!script_first) alice.run("EVAL", script, 0);
    EXPECT_EQ(alice.run("EXEC"), "*2\r\n+OK\r\n+OK\r\n" + (script_first ? "" : invalid({"a"})));
  }
  alice.run("CLIENT", "TRACKING", "OFF");
  alice.run("CLIENT", "TRACKING", "ON", "NOLOOP");
  alice.run("GET", "a");
  EXPECT_EQ(alice.run("EVAL", script, 0), "+OK\r\n");
}

TEST(Tracking, an_end_by_time_is_told_whether_somebody_looks_or_not) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON");
  server.run("SET", "a", 1, "PX", 1000);
  alice.run("GET", "a");
  server.pass(1001);
  EXPECT_EQ(alice.take(), invalid({"a"}));
  server.run("SET", "b", 1, "PX", 1000);
  alice.run("GET", "b");
  server.sleep_through(1001);
  EXPECT_EQ(server.run("GET", "b"), "$-1\r\n");
  EXPECT_EQ(alice.take(), invalid({"b"}));
}

TEST(Tracking, an_end_that_a_request_finds_is_told_behind_its_reply) {
  commands::Settings settings;
  settings.values.enable_debug_command = "yes";
  Server server{settings};
  server.run("DEBUG", "SET-ACTIVE-EXPIRE", 0);
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON");
  server.run("MSET", "a", 1, "b", 2);
  server.run("PEXPIRE", "b", 100);
  alice.run("GET", "b");
  server.pass(101);
  EXPECT_EQ(alice.take(), "");
  EXPECT_EQ(server.run("DBSIZE"), ":2\r\n");
  EXPECT_EQ(alice.run("MGET", "a", "b"), "*2\r\n$1\r\n1\r\n_\r\n" + invalid({"b"}));
  server.run("DEBUG", "SET-ACTIVE-EXPIRE", 1);
  server.run("SET", "c", 1, "PX", 10);
  alice.run("GET", "c");
  server.pass(100);
  EXPECT_EQ(alice.take(), invalid({"c"}));
}

TEST(Tracking, locks_are_keys_like_others) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON");
  const auto told_of = [&alice](auto&& change) {
    alice.run("GET", "door");
    change();
    return alice.take() == invalid({"door"});
  };
  EXPECT_TRUE(told_of([&] { server.run("LOCK", "door", "bob", "PX", 1000); }));
  EXPECT_TRUE(told_of([&] { server.run("EXTEND", "door", "bob", "PX", 2000); }));
  Client carol = server.client();
  carol.begin("LOCK", "door", "carol", "PX", 1000, "WAIT", 9000);
  EXPECT_TRUE(told_of([&] { server.pass(2001); }));  // a hand-over
  EXPECT_TRUE(told_of([&] { carol.run("UNLOCK", "door", "carol"); }));
  server.run("LOCK", "room", "bob", "PX", 1000, "SHARED");
  alice.run("LOCKINFO", "room");
  server.run("LOCK", "room", "dave", "PX", 9000, "SHARED");
  EXPECT_EQ(alice.take(), invalid({"room"}));
  alice.run("FENCE", "room");
  server.pass(1001);
  EXPECT_EQ(alice.take(), invalid({"room"}));
}

TEST(Tracking, what_scripts_and_transactions_read_is_tracked) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON");
  alice.run("EVAL", "redis.call('get','undeclared') return redis.call('get',KEYS[1])", 1, "a");
  server.run("SET", "undeclared", 1);
  server.run("SET", "a", 1);
  EXPECT_EQ(alice.take(), invalid({"undeclared"}) + invalid({"a"}));
  alice.run("MULTI");
  alice.run("GET", "a");
  alice.run("EXEC");
  server.run("DEL", "a");
  EXPECT_EQ(alice.take(), invalid({"a"}));
  // A script that only writes has read nothing; one that reads may have read all it was given.
  for (const std::string script : {"return 1", "return redis.call('SET', 'c', 1)"}) {
    alice.run("EVAL", script, 2, "a", "b");
    server.run("MSET", "b", 1, "a", 1);
    EXPECT_EQ(alice.take(), "");
  }
  alice.run("EVAL", "return redis.call('GET', 'c')", 2, "a", "b");
  server.run("MSET", "b", 1, "a", 1, "c", 1);
  EXPECT_EQ(alice.take(), invalid({"b"}) + invalid({"a"}) + invalid({"c"}));
  alice.run("EVAL_RO", "return redis.call('PING')", 1, "a");
  server.run("SET", "a", 1);
  EXPECT_EQ(alice.take(), "");
  alice.run("EVAL_RO", "return redis.call('DBSIZE')", 1, "a");
  server.run("SET", "a", 1);
  EXPECT_EQ(alice.take(), invalid({"a"}));
}

TEST(Tracking, opting_in_and_out_is_for_one_command_or_transaction) {
  Server server;
  Client in = server.client(Protocol::resp3);
  Client out = server.client(Protocol::resp3);
  in.run("CLIENT", "TRACKING", "ON", "OPTIN");
  out.run("CLIENT", "TRACKING", "ON", "OPTOUT");
  in.run("GET", "a");
  out.run("CLIENT", "CACHING", "NO");
  out.run("GET", "a");
  server.run("SET", "a", 1);
  EXPECT_EQ(in.take() + out.take(), "");
  in.run("CLIENT", "CACHING", "YES");
  in.run("GET", "a");
  in.run("GET", "b");
  out.run("GET", "a");
  server.run("MSET", "a", 1, "b", 1);
  EXPECT_EQ(in.take(), invalid({"a"}));
  EXPECT_EQ(out.take(), invalid({"a"}));
  in.run("CLIENT", "CACHING", "YES");
  in.run("MULTI");
  in.run("GET", "a");
  in.run("GET", "b");
  in.run("EXEC");
  server.run("MSET", "a", 1, "b", 1);
  EXPECT_EQ(in.take(), invalid({"a"}) + invalid({"b"}));
}

TEST(Tracking, broadcasts_are_sorted_by_prefix_and_key_and_sent_once_a_turn) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "x", "PREFIX", "y");
  server.run("MSET", "x2", 1, "y", 1, "x1", 1, "z", 1);
  EXPECT_EQ(alice.take(), invalid({"x1", "x2"}) + invalid({"y"}));
  alice.send("SET x1 1\r\nSET y 1\r\nPING\r\nSET x0 1\r\nSET x1 2\r\n");
  EXPECT_EQ(alice.take(),
            "+OK\r\n+OK\r\n+PONG\r\n+OK\r\n+OK\r\n" + invalid({"x0", "x1"}) + invalid({"y"}));
  server.run("SET", "x1", 1, "PX", 10);
  alice.take();
  server.pass(100);
  EXPECT_EQ(alice.take(), invalid({"x1"}));
  server.run("FLUSHDB");
  EXPECT_EQ(alice.take(), kAllInvalid);
  alice.run("CLIENT", "TRACKING", "OFF");
  alice.run("CLIENT", "TRACKING", "ON", "BCAST", "NOLOOP");
  alice.run("SET", "mine", 1);
  server.run("SET", "theirs", 1);
  EXPECT_EQ(alice.take(), invalid({"theirs"}));
}

TEST(Tracking, another_connection_can_be_told_instead) {
  Server server;
  Client alice = server.client();
  Client ear = server.client();
  const std::string id = id_of(ear);
  EXPECT_EQ(alice.run("CLIENT", "TRACKING", "ON", "REDIRECT", id), "+OK\r\n");
  EXPECT_EQ(alice.run("CLIENT", "GETREDIR"), ":" + id + "\r\n");
  alice.run("GET", "a");
  server.run("SET", "a", 1);
  EXPECT_EQ(ear.take(), "");  // in RESP2 it must listen
  ear.run("SUBSCRIBE", "__redis__:invalidate");
  alice.run("GET", "a");
  server.run("SET", "a", 1);
  const std::string message = "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n";
  EXPECT_EQ(ear.take(), message + "*1\r\n$1\r\na\r\n");
  EXPECT_EQ(alice.take(), "");
  server.run("FLUSHALL");
  EXPECT_EQ(ear.take(), message + "$-1\r\n");
  ear.run("UNSUBSCRIBE");
  ear.run("HELLO", 3);
  alice.run("GET", "a");
  alice.run("SET", "a", 1);
  EXPECT_EQ(ear.take(), invalid({"a"}));
}

TEST(Tracking, what_others_redirect_stands_behind_the_reply_and_draws_nothing_with_it) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  Client bob = server.client(Protocol::resp3);
  server.run("CONFIG", "SET", "notify-keyspace-events", "Es");
  alice.run("SUBSCRIBE", "__keyevent@0__:sadd");
  bob.run("CLIENT", "TRACKING", "ON", "REDIRECT", id_of(alice));
  bob.run("SCARD", "b");
  server.run("SADD", "a", "x");
  alice.take();
  EXPECT_EQ(alice.run("SMOVE", "a", "b", "x"),
            ">3\r\n$7\r\nmessage\r\n$19\r\n__keyevent@0__:sadd\r\n$1\r\nb\r\n"
            ":1\r\n" +
                invalid({"b"}));
}

TEST(Tracking, a_redirection_that_leads_nowhere_is_said) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  Client ear = server.client();
  const std::string id = id_of(ear);
  alice.run("CLIENT", "TRACKING", "ON", "REDIRECT", id);
  alice.run("GET", "a");
  ear.hang_up();
  server.run("SET", "a", 1);
  EXPECT_EQ(alice.take(), ">2\r\n$21\r\ntracking-redir-broken\r\n:" + id + "\r\n");
  EXPECT_NE(alice.run("CLIENT", "TRACKINGINFO").find("broken_redirect"), std::string::npos);
  EXPECT_NE(alice.run("CLIENT", "INFO").find(" flags=tR "), std::string::npos);
}

// A client that hears of every event and of every change of what it has read.
class Hears : public testing::Test {
 protected:
  Hears() {
    server.run("CONFIG", "SET", "notify-keyspace-events", "EAn");
    alice.run("CLIENT", "TRACKING", "ON");
    alice.run("PSUBSCRIBE", "__keyevent@0__:*");
  }

  // What it hears of the request, in its order: names of events, and the keys that are not valid
  // any more, each behind a '!'.
  std::string of(const std::string& words) {
    alice.run("EXISTS", "a", "b");
    std::vector<std::string> request;
    split_words(words, request);
    server.first().send(tests::request(request));
    server.take();
    return in_short(alice.take());
  }

  static std::string in_short(const std::string& bytes) {
    constexpr std::string_view kEvent = "__keyevent@0__:";
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = bytes.find("\r\n", at);
      lines.push_back(bytes.substr(at, end - at));
      at = end + 2;
    }
    std::string heard;
    for (std::size_t at = 0; at < lines.size(); ++at) {
      const std::string& line = lines[at];
      if (line.starts_with(kEvent) && !line.ends_with("*"))
        heard += line.substr(kEvent.size()) + " ";
      if (line == "invalidate") heard += "!" + lines[at + 3] + " ";
    }
    return heard;
  }

  Server server;
  Client alice = server.client(Protocol::resp3);
};

// Each as redis-server 7.0.15 has it.
TEST_F(Hears, events_and_changes_in_the_order_of_redis) {
  struct Case {
    std::string before, asked, heard;
  };
  const Case cases[] = {
      {"RPUSH a 1 2", "LPOP a", "lpop !a "},
      {"RPUSH a 1", "LPOP a", "lpop del !a "},
      {"RPUSH a 1 2", "RPOP a 2", "rpop del !a "},
      {"RPUSH a 1", "LMPOP 1 a LEFT", "lpop del !a "},
      {"RPUSH a 1", "BLPOP a 0", "lpop del !a "},
      {"RPUSH a 1", "LMOVE a b LEFT LEFT", "new !b lpush lpop del !a "},
      {"RPUSH a 1 2", "RPOPLPUSH a b", "new !b lpush rpop !a "},
      {"RPUSH a 1", "BLMOVE a b LEFT LEFT 0", "new !b lpush lpop del !a "},
      {"RPUSH a 1 2", "LTRIM a 0 0", "ltrim !a "},
      {"RPUSH a 1", "LTRIM a 1 0", "ltrim del !a "},
      {"RPUSH a 1 2", "LREM a 0 1", "!a lrem "},
      {"RPUSH a 1", "LREM a 0 1", "!a lrem del "},
      {"HSET a f 1 g 1", "HDEL a f", "!a hdel "},
      {"HSET a f 1", "HDEL a f", "!a hdel del "},
      {"SADD a x y", "SREM a x", "!a srem "},
      {"SADD a x", "SREM a x", "!a srem del "},
      {"SADD a x y", "SPOP a", "spop !a "},
      {"SADD a x", "SPOP a", "spop del !a "},
      {"SADD a x y", "SPOP a 1", "spop !a "},
      {"SADD a x", "SPOP a 1", "spop del !a "},
      {"SADD a x y", "SMOVE a b x", "srem new !a !b sadd "},
      {"SADD a x", "SMOVE a b x", "srem del new !a !b sadd "},
      {"ZADD a 1 x 2 y", "ZREM a x", "zrem !a "},
      {"ZADD a 1 x", "ZREM a x", "zrem del !a "},
      {"ZADD a 1 x 2 y", "ZREMRANGEBYRANK a 0 0", "!a zremrangebyrank "},
      {"ZADD a 1 x", "ZREMRANGEBYSCORE a 0 9", "!a zremrangebyscore del "},
      {"ZADD a 0 x", "ZREMRANGEBYLEX a - +", "!a zremrangebylex del "},
      {"ZADD a 1 x 2 y", "ZPOPMIN a", "zpopmin !a "},
      {"ZADD a 1 x", "ZPOPMIN a 2", "zpopmin !a del "},
      {"ZADD a 1 x", "ZMPOP 1 a MAX", "zpopmax !a del "},
      {"ZADD a 1 x", "BZPOPMIN a 0", "zpopmin !a del "},
  };
  for (const Case& one : cases) {
    server.run("FLUSHALL");
    of(one.before);
    EXPECT_EQ(of(one.asked), one.heard) << one.before << " / " << one.asked;
  }
}

TEST_F(Hears, a_member_that_goes_to_a_set_that_is_there) {
  of("SADD a x");
  of("SADD b y");
  EXPECT_EQ(of("SMOVE a b x"), "srem del !a !b sadd ");
  of("SADD a y");
  EXPECT_EQ(of("SMOVE a b y"), "srem del !a ");
}

TEST(Tracking, what_was_asked_for_can_be_asked_back) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  EXPECT_EQ(alice.run("CLIENT", "TRACKINGINFO"),
            "%3\r\n$5\r\nflags\r\n~1\r\n$3\r\noff\r\n$8\r\nredirect\r\n:-1\r\n$8\r\nprefixes\r\n"
            "*0\r\n");
  alice.run("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "b", "PREFIX", "a", "NOLOOP");
  EXPECT_EQ(alice.run("CLIENT", "TRACKINGINFO"),
            "%3\r\n$5\r\nflags\r\n~3\r\n$2\r\non\r\n$5\r\nbcast\r\n$6\r\nnoloop\r\n$8\r\nredirect"
            "\r\n:0\r\n$8\r\nprefixes\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n");
  EXPECT_NE(alice.run("CLIENT", "INFO").find(" flags=tB "), std::string::npos);
  EXPECT_NE(alice.run("CLIENT", "INFO").find(" redir=0 "), std::string::npos);
  const std::string info = server.run("INFO");
  EXPECT_NE(info.find("\ntracking_clients:1\r\n"), std::string::npos);
  EXPECT_NE(info.find("\ntracking_total_prefixes:2\r\n"), std::string::npos);
  alice.run("RESET");
  EXPECT_EQ(alice.run("CLIENT", "GETREDIR"), ":-1\r\n");
  EXPECT_NE(server.run("INFO").find("\ntracking_clients:0\r\n"), std::string::npos);
}

TEST(Tracking, modes_that_contradict_each_other_are_refused) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  const auto track = [&alice](const auto&... words) {
    return alice.run("CLIENT", "TRACKING", words...);
  };
  EXPECT_EQ(track("FOO"), "-ERR syntax error\r\n");
  EXPECT_EQ(track("ON", "REDIRECT"), "-ERR syntax error\r\n");
  EXPECT_EQ(track("ON", "REDIRECT", 999),
            "-ERR The client ID you want redirect to does not exist\r\n");
  EXPECT_EQ(track("ON", "PREFIX", "a"), "-ERR PREFIX option requires BCAST mode to be enabled\r\n");
  EXPECT_EQ(track("ON", "BCAST", "OPTIN"),
            "-ERR OPTIN and OPTOUT are not compatible with BCAST\r\n");
  EXPECT_EQ(track("ON", "OPTIN", "OPTOUT"),
            "-ERR You can't specify both OPTIN mode and OPTOUT mode\r\n");
  EXPECT_EQ(track("ON", "BCAST", "PREFIX", "a", "PREFIX", "ab"),
            "-ERR Prefix 'a' overlaps with another provided prefix 'ab'. Prefixes for a single "
            "client must not overlap.\r\n");
  EXPECT_EQ(alice.run("CLIENT", "CACHING", "YES"),
            "-ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN "
            "or OPTOUT mode enabled\r\n");
  track("ON", "BCAST", "PREFIX", "a");
  EXPECT_EQ(track("ON", "BCAST", "PREFIX", "ab"),
            "-ERR Prefix 'ab' overlaps with an existing prefix 'a'. Prefixes for a single client "
            "must not overlap.\r\n");
  EXPECT_EQ(track("ON"),
            "-ERR You can't switch BCAST mode on/off before disabling tracking for this client, "
            "and then re-enabling it with a different mode.\r\n");
  track("OFF");
  track("ON", "OPTIN");
  EXPECT_EQ(alice.run("CLIENT", "CACHING", "NO"),
            "-ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.\r\n");
  EXPECT_EQ(track("ON", "OPTOUT"),
            "-ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, "
            "and then re-enabling it with a different mode.\r\n");
}

TEST(Tracking, a_table_that_is_full_gives_keys_up_and_says_so) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "TRACKING", "ON");
  server.run("CONFIG", "SET", "tracking-table-max-keys", 2);
  EXPECT_EQ(alice.run("MGET", "a", "b"), "*2\r\n_\r\n_\r\n");
  const std::string told = alice.run("GET", "c");
  EXPECT_TRUE(told.starts_with("_\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n")) << told;
  EXPECT_NE(server.run("INFO").find("\ntracking_total_keys:2\r\n"), std::string::npos);
  server.run("CONFIG", "SET", "tracking-table-max-keys", 1);
  EXPECT_TRUE(alice.take().starts_with(">2\r\n$10\r\ninvalidate\r\n*1\r\n"));
  EXPECT_NE(server.run("INFO").find("\ntracking_total_keys:1\r\n"), std::string::npos);
}

TEST(Tracking, readers_that_come_and_go_leave_nothing_behind) {
  Server server;
  Client stays = server.client(Protocol::resp3);
  stays.run("CLIENT", "TRACKING", "ON");
  for (int i = 0; i < 1000; ++i) {
    Client alice = server.client(Protocol::resp3);
    alice.run("CLIENT", "TRACKING", "ON");
    alice.run("GET", "a");
    alice.hang_up();
  }
  EXPECT_LT(server.engine().process().tracked_keys.item_count(), 64U);
}

}  // namespace

}  // namespace fencepost::tests
