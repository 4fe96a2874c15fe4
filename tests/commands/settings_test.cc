// The parameter table, and setting parameters at start.
#include "commands/server/settings.h"

#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "commands/server/settings_table.h"

namespace fencepost::commands {
namespace {

TEST(SettingsTable, NamesNoParameterTwice) {
  std::set<std::string_view> names;
  for (const Parameter& parameter : parameters()) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_EQ(to_lower(parameter.name), parameter.name);
    if (!parameter.alias.empty()) {
      EXPECT_TRUE(names.insert(parameter.alias).second) << parameter.alias;
    }
  }
}

TEST(SettingsTable, TakesItsOwnDefaults) {
  for (const Parameter& parameter : parameters()) {
    Settings settings;
    const std::string value = value_of(settings.values, parameter);
    const Result<void> set = settings.set_at_start(parameter.name, std::string_view{value});
    EXPECT_TRUE(set) << (set ? "" : set.error().what);
    EXPECT_EQ(value_of(settings.values, parameter), value) << parameter.name;
  }
}

TEST(SettingsTable, MarksWhatIsKeptForNobodyAsWithoutEffect) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.kind == Parameter::Kind::output_limits) continue;
    if (std::holds_alternative<std::monostate>(parameter.place)) {
      EXPECT_TRUE(parameter.no_effect) << parameter.name;
    }
  }
}

TEST(Settings, AreSetByEitherNameInAnyLetterCase) {
  Settings settings;
  ASSERT_TRUE(settings.set_at_start("Query-Buffer-Limit", std::string_view{"3mb"}));
  EXPECT_EQ(settings.values.query_buffer_limit_bytes, 3 * 1024 * 1024);
  ASSERT_TRUE(settings.set_at_start("databases", std::string_view{"2"}))
      << "at start, anything may";
  EXPECT_EQ(settings.values.databases, 2);
}

TEST(Settings, FailInWordsThatNameTheParameter) {
  Settings settings;
  const auto set = [&settings](std::string_view name, std::string_view value) {
    const Result<void> done = settings.set_at_start(name, value);
    return done ? "set" : done.error().what;
  };
  EXPECT_EQ(set("portt", "1"), "unknown parameter 'portt'");
  EXPECT_EQ(set("port", "65536"), "port: argument must be between 0 and 65535 inclusive");
  EXPECT_EQ(set("unixsocketperm", "8"),
            "unixsocketperm: argument couldn't be parsed into an integer");
  EXPECT_EQ(set("unixsocketperm", "1000"),
            "unixsocketperm: argument must be between 0 and 511 inclusive");
  EXPECT_EQ(set("requirepass", "sesame"), "set");
}

TEST(Settings, NameThoseThatDoNothing) {
  Settings settings;
  EXPECT_TRUE(settings.set_without_effect().empty());
  ASSERT_TRUE(settings.set_at_start("hll-sparse-max-bytes", std::string_view{"4000"}));
  ASSERT_TRUE(settings.set_at_start("hz", std::string_view{"10"}));
  ASSERT_TRUE(settings.set_at_start("timeout", std::string_view{"10"}));
  EXPECT_EQ(settings.set_without_effect(), std::vector<std::string_view>{"hll-sparse-max-bytes"});
}

TEST(Settings, AreLookedAtTogether) {
  Settings settings;
  EXPECT_TRUE(settings.check_together());
  settings.values.locks.default_ttl = settings.values.locks.max_ttl + Duration{1};
  EXPECT_FALSE(settings.check_together());
}

TEST(Bytes, HaveUnits) {
  EXPECT_EQ(parse_bytes("10"), 10);
  EXPECT_EQ(parse_bytes("10b"), 10);
  EXPECT_EQ(parse_bytes("1k"), 1000);
  EXPECT_EQ(parse_bytes("1Kb"), 1024);
  EXPECT_EQ(parse_bytes("2m"), 2'000'000);
  EXPECT_EQ(parse_bytes("2MB"), 2'097'152);
  EXPECT_EQ(parse_bytes("3g"), 3'000'000'000);
  EXPECT_EQ(parse_bytes("3gb"), 3'221'225'472);
  for (const char* text : {"", "b", "-1", "1.5mb", "1 mb", "1tb", "9223372036854775807k"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace fencepost::commands
