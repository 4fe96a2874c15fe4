// Keyspace notifications: which events there are, and on which channels. The names are Redis's.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conversation.h"
#include "resp/reply_parser.h"

namespace fencepost::tests {

namespace {

using Told = std::vector<std::string>;

// Listens to every event, and tells it as "set door", in another database as "set door@1".
class Listener {
 public:
  explicit Listener(Server& server, std::string_view classes = "KEAnm") : client_{server.client()} {
    server.run("CONFIG", "SET", "notify-keyspace-events", classes);
    client_.run("PSUBSCRIBE", "__keyevent@*");
  }

  Told take() {
    Told told;
    for (const auto& message : messages()) {
      const std::string& channel = message[2];
      const std::size_t at = channel.find('@');
      const std::size_t colon = channel.find(':');
      const std::string database = channel.substr(at + 1, channel.find("__", at) - at - 1);
      told.push_back(channel.substr(colon + 1) + " " + message[3] +
                     (database == "0" ? "" : "@" + database));
    }
    return told;
  }

 private:
  // The words of each message that came.
  std::vector<std::vector<std::string>> messages() {
    std::vector<std::vector<std::string>> all;
    const std::string bytes = client_.take();
    for (std::size_t at = 0; at < bytes.size();) {
      resp::ReplyParser parser;
      EXPECT_EQ(parser.parse(std::string_view{bytes}.substr(at)), resp::ReplyParser::Status::reply);
      std::vector<std::string> words;
      for (const resp::Reply& item : parser.reply().items) words.push_back(item.text);
      all.push_back(std::move(words));
      at += parser.consumed();
    }
    return all;
  }

  Client client_;
};

TEST(Events, strings) {
  Server server;
  Listener listener{server};
  server.run("SET", "a", 1);
  EXPECT_EQ(listener.take(), (Told{"new a", "set a"}));
  server.run("SET", "a", 1, "EX", 10);
  EXPECT_EQ(listener.take(), (Told{"set a", "expire a"}));
  server.run("SET", "a", 1, "NX");
  EXPECT_EQ(listener.take(), Told{});
  server.run("INCR", "a");
  server.run("INCRBYFLOAT", "a", "0.5");
  server.run("APPEND", "a", "x");
  server.run("SETRANGE", "a", 1, "y");
  EXPECT_EQ(listener.take(), (Told{"incrby a", "incrbyfloat a", "append a", "setrange a"}));
  server.run("GETEX", "a", "PERSIST");
  server.run("GETEX", "a", "PERSIST");
  server.run("GETEX", "a", "EX", 10);
  EXPECT_EQ(listener.take(), (Told{"persist a", "expire a"}));
  server.run("GETDEL", "a");
  EXPECT_EQ(listener.take(), Told{"del a"});
  server.run("MSETNX", "b", 1, "c", 1);
  EXPECT_EQ(listener.take(), (Told{"new b", "set b", "new c", "set c"}));
  server.run("PSETEX", "b", 1000, 1);
  server.run("DELIFEQ", "b", 1);
  EXPECT_EQ(listener.take(), (Told{"set b", "expire b", "del b"}));
}

TEST(Events, misses) {
  Server server;
  Listener listener{server, "Em"};
  for (const char* command : {"GET", "EXISTS", "TTL", "TYPE", "TOUCH", "GETEX", "STRLEN"}) {
    server.run(command, "a");
    EXPECT_EQ(listener.take(), Told{"keymiss a"}) << command;
  }
  server.run("GETSET", "a", 1);
  EXPECT_EQ(listener.take(), Told{"keymiss a"});
  server.run("SET", "b", 1, "GET");
  EXPECT_EQ(listener.take(), Told{"keymiss b"});
  // As in Redis, which looks at each stream twice.
  server.run("XREAD", "STREAMS", "a1", "a2", 0, 0);
  EXPECT_EQ(listener.take(), (Told{"keymiss a1", "keymiss a2", "keymiss a1", "keymiss a2"}));
  server.run("EXPIRE", "c", 1);
  server.run("OBJECT", "ENCODING", "c");
  EXPECT_EQ(listener.take(), Told{});
}

TEST(Events, keys) {
  Server server;
  Listener listener{server};
  server.run("MSET", "a", 1, "b", 2);
  listener.take();
  server.run("RENAME", "a", "b");
  EXPECT_EQ(listener.take(), (Told{"new b", "rename_from a", "rename_to b"}));
  server.run("COPY", "b", "c");
  EXPECT_EQ(listener.take(), (Told{"new c", "copy_to c"}));
  server.run("MOVE", "c", 1);
  EXPECT_EQ(listener.take(), (Told{"new c@1", "move_from c", "move_to c@1"}));
  server.run("EXPIRE", "b", 10);
  server.run("PERSIST", "b");
  server.run("PEXPIREAT", "b", 1);
  EXPECT_EQ(listener.take(), (Told{"expire b", "persist b", "del b"}));
  server.run("SET", "d", 1, "PX", 10);
  listener.take();
  server.pass(100);
  EXPECT_EQ(listener.take(), Told{"expired d"});
  server.run("FLUSHALL");
  EXPECT_EQ(listener.take(), Told{});
}

// What redis-server 7.0.15 sends, in its order.
TEST(Events, ones_own_stand_where_they_happened_beside_the_reply) {
  Server server;
  server.run("CONFIG", "SET", "notify-keyspace-events", "E$nm");
  Client alice = server.client(Protocol::resp3);
  alice.run("SUBSCRIBE", "__keyevent@0__:keymiss", "__keyevent@0__:new", "__keyevent@0__:set");
  const auto told = [](const std::string& event, const std::string& key) {
    const std::string channel = "__keyevent@0__:" + event;
    return ">3\r\n$7\r\nmessage\r\n$" + std::to_string(channel.size()) + "\r\n" + channel +
           "\r\n$1\r\n" + key + "\r\n";
  };
  const auto all_but_miss = [&](const std::string& key) {
    return told("new", key) + told("set", key);
  };
  EXPECT_EQ(alice.run("SET", "a", 1), all_but_miss("a") + "+OK\r\n");
  EXPECT_EQ(alice.run("SET", "b", 1, "GET"), told("keymiss", "b") + "_\r\n" + all_but_miss("b"));
  EXPECT_EQ(alice.run("GETSET", "c", 1), told("keymiss", "c") + "_\r\n" + all_but_miss("c"));
  EXPECT_EQ(alice.run("GETSET", "c", 2), "$1\r\n1\r\n" + told("set", "c"));
  EXPECT_EQ(alice.run("SETNX", "d", 1), all_but_miss("d") + ":1\r\n");
}

TEST(Events, a_moved_key_is_new_before_it_is_changed_where_it_was) {
  Server server;
  server.run("CONFIG", "SET", "notify-keyspace-events", "En");
  Client alice = server.client(Protocol::resp3);
  alice.run("SUBSCRIBE", "__keyevent@0__:new", "__keyevent@1__:new");
  alice.run("CLIENT", "TRACKING", "ON");
  server.run("MSET", "a", 1, "b", 2);
  alice.run("MGET", "a", "b", "c");
  const auto told = [](const std::string& key, char database) {
    return ">3\r\n$7\r\nmessage\r\n$18\r\n__keyevent@" + std::string(1, database) +
           "__:new\r\n$1\r\n" + key + "\r\n";
  };
  const auto invalid = [](const std::string& key) {
    return ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\n" + key + "\r\n";
  };
  server.run("RENAME", "a", "c");
  EXPECT_EQ(alice.take(), told("c", '0') + invalid("a") + invalid("c"));
  server.run("MOVE", "b", 1);
  EXPECT_EQ(alice.take(), told("b", '1') + invalid("b"));
}

TEST(Events, an_exclusive_lock_looks_as_set_nx_px_does) {
  Server server;
  Listener listener{server};
  server.run("LOCK", "door", "alice", "PX", 1000);
  EXPECT_EQ(listener.take(), (Told{"new door", "set door", "expire door"}));
  server.run("LOCK", "door", "alice", "PX", 2000);
  server.run("EXTEND", "door", "alice", "PX", 3000);
  EXPECT_EQ(listener.take(), (Told{"expire door", "expire door"}));
  server.run("UNLOCK", "door", "alice");
  EXPECT_EQ(listener.take(), Told{"del door"});
  server.run("LOCK", "door", "bob", "PX", 1000);
  server.run("LOCKBREAK", "door");
  EXPECT_EQ(listener.take(), (Told{"new door", "set door", "expire door", "del door"}));
}

TEST(Events, a_hand_over_is_an_end_and_a_beginning) {
  Server server;
  Listener listener{server};
  server.run("LOCK", "door", "alice", "PX", 1000);
  Client bob = server.client();
  bob.begin("LOCK", "door", "bob", "PX", 1000, "WAIT", 5000);
  listener.take();
  server.pass(1001);
  EXPECT_EQ(listener.take(), (Told{"expired door", "new door", "set door", "expire door"}));
  server.pass(1001);
  EXPECT_EQ(listener.take(), Told{"expired door"});
}

TEST(Events, a_lock_of_several_is_locked_and_unlocked) {
  Server server;
  Listener listener{server};
  server.run("LOCK", "room", "alice", "PX", 5000, "SHARED");
  server.run("LOCK", "room", "bob", "PX", 1000, "SHARED");
  EXPECT_EQ(listener.take(), (Told{"new room", "lock room", "lock room"}));
  server.pass(1001);
  EXPECT_EQ(listener.take(), Told{"unlock room"});
  server.run("UNLOCK", "room", "alice");
  EXPECT_EQ(listener.take(), (Told{"unlock room", "del room"}));
}

TEST(Events, a_grace_is_not_yet_an_end) {
  Server server;
  Listener listener{server};
  server.run("LOCK", "door", "alice", "PX", 1000, "GRACE", 1000);
  listener.take();
  server.pass(1500);
  EXPECT_EQ(listener.take(), Told{});
  server.pass(600);
  EXPECT_EQ(listener.take(), Told{"expired door"});
}

TEST(Events, come_on_both_channels_and_only_those_asked_for) {
  Server server;
  Client alice = server.client();
  alice.run("PSUBSCRIBE", "*");
  server.run("CONFIG", "SET", "notify-keyspace-events", "K$");
  server.run("SET", "a", 1);
  EXPECT_EQ(alice.take(),
            "*4\r\n$8\r\npmessage\r\n$1\r\n*\r\n$16\r\n__keyspace@0__:a\r\n$3\r\nset\r\n");
  server.run("DEL", "a");
  EXPECT_EQ(alice.take(), "");
  server.run("CONFIG", "SET", "notify-keyspace-events", "A");
  server.run("SET", "a", 1);
  EXPECT_EQ(alice.take(), "");
}

TEST(Events, ones_own_stand_where_redis_puts_them) {
  Server server;
  server.run("CONFIG", "SET", "notify-keyspace-events", "EA");
  Client alice = server.client(Protocol::resp3);
  alice.run("SUBSCRIBE", "__keyevent@0__:set", "__keyevent@0__:del", "__keyevent@0__:expire");
  const auto push = [](std::string_view event) {
    return ">3\r\n$7\r\nmessage\r\n$" + std::to_string(15 + event.size()) +
           "\r\n__keyevent@0__:" + std::string{event} + "\r\n$1\r\na\r\n";
  };
  EXPECT_EQ(alice.run("SET", "a", 1), push("set") + "+OK\r\n");
  EXPECT_EQ(alice.run("EXPIRE", "a", 10), ":1\r\n" + push("expire"));
  EXPECT_EQ(alice.run("GETDEL", "a"), "$1\r\n1\r\n" + push("del"));
}

TEST(Events, the_setting_reads_back_as_redis_writes_it) {
  Server server;
  server.run("CONFIG", "SET", "notify-keyspace-events", "g$lshzxetdnKEm");
  EXPECT_EQ(server.run("CONFIG", "GET", "notify-keyspace-events"),
            "*2\r\n$22\r\nnotify-keyspace-events\r\n$4\r\nAKEm\r\n");
  EXPECT_EQ(server.run("CONFIG", "SET", "notify-keyspace-events", "q"),
            "-ERR CONFIG SET failed (possibly related to argument 'notify-keyspace-events') - "
            "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.\r\n");
}

}  // namespace

}  // namespace fencepost::tests
