// Messages: who gets them, in which form, and where they stand among replies.
#include <string>

#include <gtest/gtest.h>

#include "base/limits.h"
#include "conversation.h"

namespace fencepost::tests {

namespace {

// An array, or in RESP3 a push, of bulk strings.
std::string list(char type, const std::vector<std::string>& words) {
  std::string bytes = type + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  return bytes;
}

// What SUBSCRIBE and its kin confirm.
std::string confirmed(char type, std::string_view what, std::string_view name, int count) {
  return type + ("3\r\n$" + std::to_string(what.size())) + "\r\n" + std::string{what} + "\r\n$" +
         std::to_string(name.size()) + "\r\n" + std::string{name} +
         "\r\n:" + std::to_string(count) + "\r\n";
}

TEST(PubSub, a_message_reaches_those_who_listen_at_that_moment) {
  Server server;
  Client alice = server.client();
  Client bob = server.client(Protocol::resp3);
  EXPECT_EQ(server.run("PUBLISH", "news", "early"), ":0\r\n");
  EXPECT_EQ(alice.run("SUBSCRIBE", "news"), confirmed('*', "subscribe", "news", 1));
  EXPECT_EQ(bob.run("SUBSCRIBE", "news"), confirmed('>', "subscribe", "news", 1));
  EXPECT_EQ(server.run("PUBLISH", "news", "hello"), ":2\r\n");
  EXPECT_EQ(alice.take(), list('*', {"message", "news", "hello"}));
  EXPECT_EQ(bob.take(), list('>', {"message", "news", "hello"}));
  alice.hang_up();
  EXPECT_EQ(server.run("PUBLISH", "news", "again"), ":1\r\n");
  EXPECT_EQ(bob.run("UNSUBSCRIBE", "news"),
            list('>', {"message", "news", "again"}) + confirmed('>', "unsubscribe", "news", 0));
  EXPECT_EQ(server.run("PUBLISH", "news", "late"), ":0\r\n");
}

TEST(PubSub, by_pattern_a_message_comes_once_for_each_that_matches) {
  Server server;
  Client alice = server.client();
  alice.run("PSUBSCRIBE", "n*", "ne?s", "x*");
  alice.run("SUBSCRIBE", "news");
  EXPECT_EQ(server.run("PUBLISH", "news", "hi"), ":3\r\n");
  EXPECT_EQ(alice.take(), list('*', {"message", "news", "hi"}) +
                              list('*', {"pmessage", "n*", "news", "hi"}) +
                              list('*', {"pmessage", "ne?s", "news", "hi"}));
  EXPECT_EQ(server.run("PUBSUB", "NUMPAT"), ":3\r\n");
}

TEST(PubSub, shard_channels_are_a_world_of_their_own) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(alice.run("SSUBSCRIBE", "s"), confirmed('*', "ssubscribe", "s", 1));
  EXPECT_EQ(alice.run("SUBSCRIBE", "s"), confirmed('*', "subscribe", "s", 1));
  EXPECT_EQ(server.run("SPUBLISH", "s", "m"), ":1\r\n");
  EXPECT_EQ(alice.take(), list('*', {"smessage", "s", "m"}));
  EXPECT_EQ(server.run("PUBLISH", "s", "m"), ":1\r\n");
  EXPECT_EQ(alice.take(), list('*', {"message", "s", "m"}));
  EXPECT_EQ(alice.run("SUNSUBSCRIBE"), confirmed('*', "sunsubscribe", "s", 0));
}

TEST(PubSub, whoever_listens_in_resp2_may_do_little_else) {
  Server server;
  Client alice = server.client();
  alice.run("SSUBSCRIBE", "s");
  EXPECT_EQ(alice.run("CLIENT", "LIST"),
            "-ERR Can't execute 'client|list': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / "
            "QUIT / RESET are allowed in this context\r\n");
  EXPECT_EQ(alice.run("NOSUCH"), "-ERR unknown command 'NOSUCH', with args beginning with: \r\n");
  EXPECT_EQ(alice.run("PING"), list('*', {"pong", ""}));
  EXPECT_EQ(alice.run("PING", "x"), list('*', {"pong", "x"}));
  alice.run("SUNSUBSCRIBE", "s");
  EXPECT_EQ(alice.run("PING"), "+PONG\r\n");
  alice.run("SUBSCRIBE", "a");
  EXPECT_EQ(alice.run("RESET"), "+RESET\r\n");
  EXPECT_EQ(alice.run("GET", "x"), "$-1\r\n");
  EXPECT_EQ(server.run("PUBLISH", "a", "x"), ":0\r\n");
}

TEST(PubSub, in_resp3_a_subscriber_is_as_any_other_client) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("SUBSCRIBE", "a");
  EXPECT_EQ(alice.run("SET", "k", "v"), "+OK\r\n");
  EXPECT_EQ(alice.run("PING"), "+PONG\r\n");
  // One's own message stands before the reply that says it was sent.
  EXPECT_EQ(alice.run("PUBLISH", "a", "x"), list('>', {"message", "a", "x"}) + ":1\r\n");
}

TEST(PubSub, leaving_everything_names_each_and_leaving_nothing_says_so) {
  Server server;
  Client alice = server.client();
  alice.run("SUBSCRIBE", "b", "a");
  EXPECT_EQ(alice.run("UNSUBSCRIBE"),
            confirmed('*', "unsubscribe", "a", 1) + confirmed('*', "unsubscribe", "b", 0));
  EXPECT_EQ(alice.run("UNSUBSCRIBE"), "*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n");
  EXPECT_EQ(alice.run("PUNSUBSCRIBE", "zz"), confirmed('*', "punsubscribe", "zz", 0));
}

TEST(PubSub, messages_of_a_transaction_come_behind_its_reply) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("SUBSCRIBE", "a");
  alice.run("MULTI");
  alice.run("PUBLISH", "a", "1");
  alice.run("PING");
  alice.run("PUBLISH", "a", "2");
  EXPECT_EQ(alice.run("EXEC"), "*3\r\n:1\r\n+PONG\r\n:1\r\n" + list('>', {"message", "a", "1"}) +
                                   list('>', {"message", "a", "2"}));
}

TEST(PubSub, scripts_publish_in_order_and_do_not_subscribe) {
  Server server;
  Client alice = server.client();
  alice.run("SUBSCRIBE", "a");
  EXPECT_EQ(server.run("EVAL",
                       "redis.call('publish','a','1') redis.call('set','k','v') "
                       "return redis.call('publish','a','2')",
                       0),
            ":1\r\n");
  EXPECT_EQ(alice.take(), list('*', {"message", "a", "1"}) + list('*', {"message", "a", "2"}));
  EXPECT_TRUE(server.run("EVAL", "return redis.call('subscribe','a')", 0)
                  .starts_with("-ERR This Redis command is not allowed from script"));
  // What a script says of itself to its own caller stands before its result.
  Client bob = server.client(Protocol::resp3);
  bob.run("SUBSCRIBE", "b");
  EXPECT_EQ(bob.run("EVAL", "redis.call('publish','b','1') return 7", 0),
            list('>', {"message", "b", "1"}) + ":7\r\n");
}

TEST(PubSub, subscribing_within_a_transaction_is_answered_there) {
  Server server;
  Client alice = server.client();
  alice.run("MULTI");
  alice.run("SUBSCRIBE", "a");
  alice.run("PING", "x");
  EXPECT_EQ(alice.run("EXEC"),
            "*2\r\n" + confirmed('*', "subscribe", "a", 1) + list('*', {"pong", "x"}));
  alice.run("RESET");
  alice.run("MULTI");
  alice.run("SSUBSCRIBE", "a");
  EXPECT_EQ(alice.run("EXEC"),
            "*1\r\n-ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client\r\n");
}

TEST(PubSub, client_reply_silences_replies_and_no_messages) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  EXPECT_EQ(alice.run("CLIENT", "REPLY", "OFF"), "");
  EXPECT_EQ(alice.run("SUBSCRIBE", "a"), confirmed('>', "subscribe", "a", 1));
  EXPECT_EQ(alice.run("PING"), "");
  EXPECT_EQ(alice.run("PUBLISH", "a", "x"), list('>', {"message", "a", "x"}));
  EXPECT_EQ(alice.run("CLIENT", "REPLY", "ON"), "+OK\r\n");
  EXPECT_EQ(alice.run("CLIENT", "REPLY", "SKIP"), "");
  EXPECT_EQ(alice.run("SUBSCRIBE", "b"), confirmed('>', "subscribe", "b", 2));
  EXPECT_EQ(alice.run("CLIENT", "REPLY", "SKIP"), "");
  EXPECT_EQ(alice.run("PUBLISH", "a", "x"), list('>', {"message", "a", "x"}));
  EXPECT_EQ(alice.run("PING"), "+PONG\r\n");
}

TEST(PubSub, a_silenced_transaction_still_confirms_its_subscriptions) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("CLIENT", "REPLY", "OFF");
  alice.run("MULTI");
  alice.run("PING");
  alice.run("SUBSCRIBE", "a");
  alice.run("PING");
  EXPECT_EQ(alice.run("EXEC"), confirmed('>', "subscribe", "a", 1));
}

TEST(PubSub, what_there_is_can_be_asked_for) {
  Server server;
  Client alice = server.client();
  Client bob = server.client();
  alice.run("SUBSCRIBE", "b", "a");
  bob.run("SUBSCRIBE", "b");
  bob.run("SSUBSCRIBE", "s");
  EXPECT_EQ(server.run("PUBSUB", "CHANNELS"), list('*', {"a", "b"}));
  EXPECT_EQ(server.run("PUBSUB", "CHANNELS", "[b-z]"), list('*', {"b"}));
  EXPECT_EQ(server.run("PUBSUB", "NUMSUB", "b", "c"), "*4\r\n$1\r\nb\r\n:2\r\n$1\r\nc\r\n:0\r\n");
  EXPECT_EQ(server.run("PUBSUB", "SHARDCHANNELS"), list('*', {"s"}));
  EXPECT_EQ(server.run("PUBSUB", "SHARDNUMSUB", "s"), "*2\r\n$1\r\ns\r\n:1\r\n");
  EXPECT_EQ(server.run("PUBSUB", "CHANNELS", "a", "b"),
            "-ERR unknown subcommand or wrong number of arguments for 'CHANNELS'. Try PUBSUB "
            "HELP.\r\n");
  const std::string info = server.run("INFO", "stats");
  EXPECT_NE(info.find("\npubsub_channels:2\r\n"), std::string::npos);
  EXPECT_NE(info.find("\npubsubshard_channels:1\r\n"), std::string::npos);
}

TEST(PubSub, client_list_knows_subscribers_and_kill_finds_them) {
  Server server;
  Client alice = server.client();
  alice.run("SUBSCRIBE", "a", "b");
  alice.run("PSUBSCRIBE", "p");
  alice.run("SSUBSCRIBE", "s");
  const std::string list = server.run("CLIENT", "LIST", "TYPE", "pubsub");
  EXPECT_NE(list.find(" flags=P db=0 sub=2 psub=1 ssub=1 "), std::string::npos) << list;
  EXPECT_EQ(server.run("CLIENT", "KILL", "TYPE", "pubsub"), ":1\r\n");
  EXPECT_TRUE(alice.closed());
  EXPECT_EQ(server.run("PUBSUB", "CHANNELS"), "*0\r\n");
}

TEST(PubSub, a_silent_subscriber_is_not_idle) {
  Server server;
  server.run("CONFIG", "SET", "timeout", 2);
  Client alice = server.client();
  Client bob = server.client();
  alice.run("SUBSCRIBE", "a");
  server.pass(5000);
  EXPECT_FALSE(alice.closed());
  EXPECT_TRUE(bob.closed());
}

TEST(PubSub, names_are_bounded_and_the_bound_is_said) {
  Server server;
  Client alice = server.client();
  EXPECT_EQ(alice.run("SUBSCRIBE", "ok", std::string(kMaxChannelBytes + 1, 'x')),
            "-ERR channel is longer than " + std::to_string(kMaxChannelBytes) + " bytes\r\n");
  EXPECT_EQ(alice.run("PSUBSCRIBE", std::string(kMaxPatternBytes + 1, 'x')),
            "-ERR pattern is longer than " + std::to_string(kMaxPatternBytes) + " bytes\r\n");
  EXPECT_EQ(server.run("PUBLISH", std::string(kMaxChannelBytes + 1, 'x'), ""),
            "-ERR channel is longer than " + std::to_string(kMaxChannelBytes) + " bytes\r\n");
  EXPECT_EQ(server.run("PUBSUB", "CHANNELS"), "*0\r\n");  // nothing of a refused request was done
}

TEST(PubSub, one_client_listens_to_so_many_names_and_no_more) {
  Server server;
  Client alice = server.client();
  std::vector<std::string> words{"SUBSCRIBE"};
  for (std::size_t i = 0; i < kMaxSubscriptions; ++i) words.push_back("c" + std::to_string(i));
  alice.send(request(words));
  alice.take();
  EXPECT_EQ(
      alice.run("SUBSCRIBE", "one", "more"),
      "-ERR one client listens to at most " + std::to_string(kMaxSubscriptions) + " names\r\n");
  EXPECT_EQ(server.run("PUBLISH", "c7", "x"), ":1\r\n");
  EXPECT_EQ(alice.take(), list('*', {"message", "c7", "x"}));
  alice.hang_up();
  EXPECT_EQ(server.run("PUBSUB", "CHANNELS"), "*0\r\n");
}

TEST(PubSub, whoever_does_not_read_is_cut_off_at_the_hard_limit) {
  Server server;
  server.run("CONFIG", "SET", "client-output-buffer-limit", "pubsub 100000 0 0");
  Client alice = server.client();
  alice.run("SUBSCRIBE", "a");
  alice.stop_reading();
  const std::string kilobyte(1000, 'x');
  for (int i = 0; i < 90; ++i) EXPECT_EQ(server.run("PUBLISH", "a", kilobyte), ":1\r\n");
  for (int i = 0; i < 10; ++i) server.run("PUBLISH", "a", kilobyte);
  EXPECT_TRUE(alice.closed());
  EXPECT_EQ(server.run("PUBLISH", "a", kilobyte), ":0\r\n");
}

TEST(PubSub, above_the_soft_limit_there_is_some_time_to_read) {
  Server server;
  server.run("CONFIG", "SET", "client-output-buffer-limit", "pubsub 0 10000 5");
  Client alice = server.client();
  Client bob = server.client();
  for (Client* client : {&alice, &bob}) {
    client->run("SUBSCRIBE", "a");
    client->stop_reading();
  }
  server.run("PUBLISH", "a", std::string(11'000, 'x'));
  server.pass(4000);
  EXPECT_FALSE(alice.closed());
  server.pass(2000);
  EXPECT_TRUE(alice.closed());
  EXPECT_TRUE(bob.closed());
}

TEST(PubSub, hello_changes_how_messages_look) {
  Server server;
  Client alice = server.client(Protocol::resp3);
  alice.run("SUBSCRIBE", "a");
  alice.run("HELLO", 2);
  server.run("PUBLISH", "a", "x");
  EXPECT_EQ(alice.take(), list('*', {"message", "a", "x"}));
  EXPECT_TRUE(alice.run("HELLO", 3).starts_with("-ERR Can't execute 'hello'"));
}

}  // namespace

}  // namespace fencepost::tests
