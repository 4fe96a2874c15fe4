// The table of commands: found by name, checked for their arity, their keys told.
#include "commands/table.h"

#include <set>

#include <gtest/gtest.h>

namespace fencepost::commands {
namespace {

std::string error_of(std::vector<std::string_view> words) {
  return resolve(Arguments{words}).error;
}

std::vector<std::size_t> keys_of(std::vector<std::string_view> words) {
  const Arguments args{words};
  const Resolved resolved = resolve(args);
  EXPECT_EQ(resolved.error, "");
  return key_positions(*resolved.command, args);
}

TEST(Table, FindsACommandInAnyLetterCase) {
  ASSERT_NE(find_command("get"), nullptr);
  EXPECT_EQ(find_command("get"), find_command("GET"));
  EXPECT_EQ(find_command("GeT")->name, "GET");
  EXPECT_EQ(find_command("ge"), nullptr);
  EXPECT_EQ(find_command("gett"), nullptr);
  EXPECT_EQ(find_command(""), nullptr);
  EXPECT_EQ(find_command(std::string_view{"get\0", 4}), nullptr);
}

TEST(Table, FindsEveryRowByItsName) {
  ASSERT_GT(all_commands().size(), 40U);
  for (const Command* command : all_commands()) {
    EXPECT_EQ(find_command(command->name), command) << command->name;
    EXPECT_EQ(find_command(full_name(nullptr, *command)), command) << command->name;
  }
}

TEST(Table, EveryRowSaysWhatItIs) {
  const auto describe = [](const Command& command) {
    SCOPED_TRACE(command.name);
    EXPECT_FALSE(command.summary.empty());
    EXPECT_TRUE(command.summary.ends_with('.'));
    EXPECT_FALSE(command.since.empty());
    EXPECT_TRUE(command.run != nullptr || !command.subcommands.empty());
  };
  for (const Command* command : all_commands()) {
    describe(*command);
    for (const Command& subcommand : command->subcommands) describe(subcommand);
  }
}

TEST(Table, NamesARowAsErrorsAndStatisticsDo) {
  const Command* object = find_command("OBJECT");
  ASSERT_NE(object, nullptr);
  const Command* encoding = find_subcommand(*object, "encoding");
  ASSERT_NE(encoding, nullptr);
  EXPECT_EQ(full_name(nullptr, *object), "object");
  EXPECT_EQ(full_name(object, *encoding), "object|encoding");
  EXPECT_EQ(find_subcommand(*object, "encode"), nullptr);
}

TEST(Table, ResolvesARequestToItsRow) {
  const std::vector<std::string_view> words = {"object", "EnCoding", "k"};
  const Resolved resolved = resolve(Arguments{words});
  EXPECT_EQ(resolved.error, "");
  EXPECT_EQ(resolved.command->name, "ENCODING");
  EXPECT_EQ(resolved.container->name, "OBJECT");
}

TEST(Table, RefusesAnUnknownCommandInRedisWords) {
  EXPECT_EQ(error_of({"foo"}), "ERR unknown command 'foo', with args beginning with: ");
  EXPECT_EQ(error_of({"Foo", "a", "b"}),
            "ERR unknown command 'Foo', with args beginning with: 'a' 'b' ");
  EXPECT_EQ(error_of({""}), "ERR unknown command '', with args beginning with: ");
}

// Compared with redis-server 7.0.15.
TEST(Table, QuotesOnlyTheBeginningOfLongArguments) {
  const std::string x(200, 'x');
  const std::string y(100, 'y');
  EXPECT_EQ(error_of({x, y, y, "w"}), "ERR unknown command '" + std::string(128, 'x') +
                                          "', with args beginning with: '" + y + "' '" +
                                          std::string(25, 'y') + "' ");
  const std::string almost(124, 'y');
  EXPECT_EQ(error_of({"foo", almost, "b"}),
            "ERR unknown command 'foo', with args beginning with: '" + almost + "' 'b' ");
  EXPECT_EQ(error_of({std::string_view{"f\0oo", 4}, std::string_view{"a\0b", 3}, "c"}),
            "ERR unknown command 'f', with args beginning with: 'a' 'c' ");
}

TEST(Table, RefusesAnUnknownSubcommand) {
  EXPECT_EQ(error_of({"object", "Foo"}), "ERR unknown subcommand 'Foo'. Try OBJECT HELP.");
  EXPECT_EQ(error_of({"object", std::string_view{"a\0b", 3}, "c"}),
            "ERR unknown subcommand 'a'. Try OBJECT HELP.");
}

TEST(Table, RefusesTheWrongNumberOfArguments) {
  EXPECT_EQ(error_of({"GET"}), "ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(error_of({"get", "a", "b"}), "ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(error_of({"object"}), "ERR wrong number of arguments for 'object' command");
  EXPECT_EQ(error_of({"object", "ENCODING"}),
            "ERR wrong number of arguments for 'object|encoding' command");
  EXPECT_EQ(error_of({"get", "a"}), "");
}

TEST(Table, TellsWhereTheKeysStand) {
  using Positions = std::vector<std::size_t>;
  EXPECT_EQ(keys_of({"get", "a"}), (Positions{1}));
  EXPECT_EQ(keys_of({"set", "a", "v", "NX"}), (Positions{1}));
  EXPECT_EQ(keys_of({"del", "a", "b", "c"}), (Positions{1, 2, 3}));
  EXPECT_EQ(keys_of({"mset", "a", "1", "b", "2"}), (Positions{1, 3}));
  EXPECT_EQ(keys_of({"copy", "a", "b", "REPLACE"}), (Positions{1, 2}));
  EXPECT_EQ(keys_of({"object", "encoding", "a"}), (Positions{2}));
  EXPECT_EQ(keys_of({"dbsize"}), (Positions{}));
}

TEST(Table, TellsKeysThatAreCounted) {
  const Command counted{.name = "COUNTED",
                        .group = "test",
                        .since = "1",
                        .summary = "",
                        .arity = at_least(3),
                        .keys = {.count_at = 1}};
  const auto keys = [&counted](std::vector<std::string_view> words) {
    return key_positions(counted, Arguments{words});
  };
  EXPECT_EQ(keys({"counted", "2", "a", "b", "owner"}), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(keys({"counted", "3", "a", "b"}), std::vector<std::size_t>{});
  EXPECT_EQ(keys({"counted", "0", "a", "b"}), std::vector<std::size_t>{});
  EXPECT_EQ(keys({"counted", "x", "a", "b"}), std::vector<std::size_t>{});
  EXPECT_EQ(keys({"counted", "9223372036854775807", "a"}), std::vector<std::size_t>{});
}

}  // namespace
}  // namespace fencepost::commands
