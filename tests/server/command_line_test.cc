// The command line in Redis's way.
#include "server/command_line.h"

#include <gtest/gtest.h>

namespace fencepost::server {

namespace {

std::string shown(const std::vector<std::string_view>& words) {
  const Result<CommandLine> line = read_command_line(words);
  if (!line) return "! " + line.error().what;
  std::string text = line->config_file;
  for (const Parameter& parameter : line->parameters) {
    text += " " + parameter.name + ":";
    for (const std::string& word : parameter.words) text += " '" + word + "'";
  }
  return text;
}

TEST(CommandLine, AParameterTakesAllWordsUpToTheNext) {
  EXPECT_EQ(shown({}), "");
  EXPECT_EQ(shown({"--port", "6380"}), " port: '6380'");
  EXPECT_EQ(shown({"--bind", "127.0.0.1", "-::1", "--port", "6380"}),
            " bind: '127.0.0.1' '-::1' port: '6380'");
  EXPECT_EQ(shown({"--save", "", "--appendonly", "no"}), " save: '' appendonly: 'no'");
}

TEST(CommandLine, TheFirstWordMayBeAConfigFile) {
  EXPECT_EQ(shown({"f.conf"}), "f.conf");
  EXPECT_EQ(shown({"f.conf", "--port", "6380"}), "f.conf port: '6380'");
  EXPECT_EQ(shown({"-", "--port", "6380"}), "- port: '6380'");
}

TEST(CommandLine, SaysWhatItDoesNotUnderstand) {
  EXPECT_EQ(shown({"--port"}), "! --port needs a value");
  EXPECT_EQ(shown({"--port", "--bind", "::1"}), "! --port needs a value");
  EXPECT_EQ(shown({"--port=6380"}),
            "! '--port=6380': the value stands behind the name, as in --port 6380");
  EXPECT_EQ(shown({"--requirepass", "a=b"}), " requirepass: 'a=b'");
  EXPECT_EQ(shown({"f.conf", "g.conf"}), "! 'g.conf' stands where --name is expected");
}

TEST(CommandLine, HelpAndVersionStandFirst) {
  const std::vector<std::string_view> help{"--help"};
  const std::vector<std::string_view> version{"-v"};
  EXPECT_EQ(read_command_line(help)->wish, CommandLine::Wish::help);
  EXPECT_EQ(read_command_line(version)->wish, CommandLine::Wish::version);
}

}  // namespace

}  // namespace fencepost::server
