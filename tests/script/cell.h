// A sandbox and a host for scripts that mean no good.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "script/host.h"
#include "script/sandbox.h"

namespace fencepost::script {

// Lets a script run for so many questions, and answers every command with its own words.
class Patient final : public Host {
 public:
  explicit Patient(int patience) : patience_{patience} {}

  void call(std::span<const std::string_view> words, resp::Protocol protocol,
            std::string& reply) override {
    resp::ReplyWriter writer{reply, protocol};
    writer.array(words.size());
    for (const std::string_view word : words) writer.bulk(word);
  }
  std::optional<bool> allows(std::span<const std::string_view>) override { return true; }
  void log(LogLevel, std::string_view) override {}
  std::optional<std::string> interrupted() override {
    if (--patience_ > 0) return std::nullopt;
    return "ERR out of time";
  }

 private:
  int patience_;
};

class Abuse : public ::testing::Test {
 protected:
  std::string run(std::string_view script, int patience = 2000) {
    const auto compiled = sandbox_.compile(script);
    if (!compiled) return "-" + compiled.error().what;
    std::string out;
    resp::ReplyWriter reply{out, resp::Protocol::resp2};
    Patient host{patience};
    sandbox_.run(*compiled, {.name = "sha", .keys = {}, .arguments = {}}, host, reply);
    sandbox_.forget(*compiled);
    return out;
  }

  // What the next script finds: the libraries as they were, and nothing else. It is answered with
  // the same bytes as the first one was.
  void expect_no_trace(std::string_view after) {
    EXPECT_EQ(run("local names = {} for name in pairs(_G) do names[#names + 1] = name end "
                  "table.sort(names) return table.concat(names, ' ')"),
              everything_)
        << after;
    EXPECT_EQ(run(kProbe), ":1\r\n") << after;
    EXPECT_EQ(run(kControl), control_) << after;
  }
  // A list of abuses: each is refused with an error, and leaves no trace.
  void expect_refused(const std::vector<std::string>& scripts, int patience) {
    for (const std::string& script : scripts) {
      const std::string end = run(script, patience);
      EXPECT_TRUE(end.starts_with('-')) << script << ": " << end.substr(0, 100);
      EXPECT_LT(end.size(), std::size_t{1024} * 1024) << script;
      expect_no_trace(script);
    }
  }

  // Something of each library.
  static constexpr std::string_view kControl =
      "local t = {3, 1, 2} table.sort(t) math.randomseed(7) "
      "return {string.format('%5.2f %s', 1 / 3, 'x'), t, cjson.encode({1, {a = 'b'}, cjson.null}), "
      "cmsgpack.pack({1, 'a'}), struct.pack('>I2', 258), bit.bxor(5, 3), math.random(1000), "
      "redis.sha1hex('x'), redis.call('ECHO', 1.5), tostring({}), "
      "select('#', unpack({1, 2}, 1, 5)), ('x y'):gsub('%a', '%0%0'), #KEYS, type(os.clock()), "
      "pcall(error, 'e'), tonumber('ff', 16), next({}) == nil}";

  static constexpr std::string_view kProbe =
      "return type(redis.call) == 'function' and ('x'):rep(3) == 'xxx' and #KEYS == 0 and "
      "getmetatable('').__index == string and string.evil == nil and ('x').evil == nil and "
      "tostring(1) == '1' and math.floor(1.5) == 1 and "
      "pcall(function() return evil end) == false and collectgarbage('count') > 0";

  Sandbox sandbox_{{.version = "7.2.4", .limits = {.memory = std::size_t{8} * 1024 * 1024}}};
  std::string everything_ =
      run("local names = {} for name in pairs(_G) do names[#names + 1] = name end "
          "table.sort(names) return table.concat(names, ' ')");
  std::string control_ = run(kControl);
};

}  // namespace fencepost::script
