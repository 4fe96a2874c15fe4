// Config files in Redis's format, read and rewritten.
#include "commands/server/config_file.h"

#include <gtest/gtest.h>

#include "commands/server/settings_table.h"

namespace fencepost::commands {
namespace {

std::string failure_of(std::string_view text) {
  Settings settings;
  const Result<void> applied = apply_config(text, settings);
  return applied ? "applied" : applied.error().what;
}

TEST(ConfigFile, SetsAParameterALine) {
  Settings settings;
  const Result<void> applied = apply_config(
      "# a comment\n"
      "\n"
      "   # another\r\n"
      "port 7000\r\n"
      "BIND 127.0.0.1 ::1\n"
      "requirepass \"open \\x41\"\n"
      "client-query-buffer-limit 2mb\n"
      "unixsocketperm 770\n"
      "client-output-buffer-limit normal 1mb 0 0\n"
      "client-output-buffer-limit pubsub 0 0 0\n"
      "timeout 5\n"
      "timeout 6",
      settings);
  ASSERT_TRUE(applied) << applied.error().what;
  EXPECT_EQ(settings.values.port, 7000);
  EXPECT_EQ(settings.values.bind, "127.0.0.1 ::1");
  EXPECT_EQ(settings.values.password, "open A");
  EXPECT_EQ(settings.values.query_buffer_limit_bytes, 2 * 1024 * 1024);
  EXPECT_EQ(settings.values.unix_socket_mode, 0770);
  EXPECT_EQ(settings.values.output_limit_bytes, 1024 * 1024);
  EXPECT_EQ(settings.values.output_limit_pubsub.hard_bytes, 0);
  EXPECT_EQ(settings.values.timeout_s, 6) << "the last one wins";
}

TEST(ConfigFile, SaysInWhichLineItFails) {
  EXPECT_EQ(failure_of("port 1\nportt 2\n"), "line 2: unknown parameter 'portt'");
  EXPECT_EQ(failure_of("port x"), "line 1: port: argument couldn't be parsed into an integer");
  EXPECT_EQ(failure_of("\n\nport 1 2"), "line 3: port: wrong number of arguments");
  EXPECT_EQ(failure_of("port"), "line 1: port: wrong number of arguments");
  EXPECT_EQ(failure_of("requirepass \"open"), "line 1: quotes do not balance");
  EXPECT_EQ(failure_of("port 1 # not a comment"), "line 1: port: wrong number of arguments");
}

TEST(ConfigFile, NeverRepeatsAValueThatMayBeAPassword) {
  EXPECT_EQ(failure_of("requirepass sesame open").find("sesame"), std::string::npos);
}

TEST(ConfigRewriting, LeavesALineThatIsTrueAsItIs) {
  const std::string text = "# mine\nport   7000\nclient-query-buffer-limit 2mb\n\ntimeout 5\n";
  Settings settings;
  ASSERT_TRUE(apply_config(text, settings));
  EXPECT_EQ(rewritten_config(text, settings), text);
}

TEST(ConfigRewriting, ChangesWhereItStandsAndAddsAtTheEnd) {
  const std::string text = "# mine\ntimeout 5\nport 7000\ntimeout 6\n";
  Settings settings;
  ASSERT_TRUE(apply_config(text, settings));
  ASSERT_TRUE(settings.set_at_run_time({{"timeout", "7"}, {"requirepass", "a \"b\""}}));
  const std::string expected =
      "# mine\ntimeout 7\nport 7000\n# Added by CONFIG REWRITE\nrequirepass \"a \\\"b\\\"\"\n";
  EXPECT_EQ(rewritten_config(text, settings), expected);
  EXPECT_EQ(rewritten_config(expected, settings), expected) << "and then all is said";
}

TEST(ConfigRewriting, SaysTheDefaultWhereTheFileSaidSomethingElse) {
  Settings settings;
  EXPECT_EQ(rewritten_config("timeout 5\n", settings), "timeout 0\n");
}

TEST(ConfigRewriting, KeepsAnOlderName) {
  Settings settings;
  ASSERT_TRUE(settings.set_at_run_time({{"replica-read-only", "no"}}));
  EXPECT_EQ(rewritten_config("slave-read-only no\n", settings), "slave-read-only no\n");
  EXPECT_EQ(rewritten_config("slave-read-only yes\n", settings), "replica-read-only no\n");
}

// Whatever the values, the rewritten file gives them back.
TEST(ConfigRewriting, GivesTheSettingsBack) {
  const std::vector<std::string> texts{"",     " ",      "two words",   "\"quoted\"", "#hash",
                                       "a\nb", "\xff\t", "back\\slash", "it's"};
  for (const std::string& value : texts) {
    Settings settings;
    settings.values.password = value;
    settings.values.log_file = value;
    settings.values.bind = "::1 127.0.0.1";
    settings.values.unix_socket_mode = 0700;
    settings.values.output_limit_bytes = 0;
    settings.values.locks.default_ttl = Duration{1234};
    settings.values.save = "60 1 3600 5";
    Settings read;
    const std::string text = rewritten_config("# old\nport 6379\nlogfile x\n", settings);
    const Result<void> applied = apply_config(text, read);
    ASSERT_TRUE(applied) << applied.error().what << "\n" << text;
    for (const Parameter& parameter : parameters()) {
      EXPECT_EQ(value_of(read.values, parameter), value_of(settings.values, parameter))
          << parameter.name << "\n"
          << text;
    }
  }
}

}  // namespace
}  // namespace fencepost::commands
