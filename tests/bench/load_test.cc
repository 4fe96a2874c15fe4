// The load generator's own arithmetic: a benchmark that counts wrongly is worse than none.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "bench/load/client.h"
#include "bench/load/comparison.h"
#include "bench/load/histogram.h"
#include "bench/load/workload.h"

namespace fencepost::load {
namespace {

TEST(Histogram, KnowsItsPercentilesToTwoPercent) {
  Histogram times;
  EXPECT_EQ(times.percentile(0.5), 0);
  for (std::uint64_t us = 1; us <= 1000; ++us) times.add(us * 1000);
  EXPECT_EQ(times.count(), 1000U);
  EXPECT_NEAR(times.percentile(0.5), 500e3, 10e3);
  EXPECT_NEAR(times.percentile(0.99), 990e3, 20e3);
  EXPECT_NEAR(times.percentile(0.999), 999e3, 20e3);
  EXPECT_NEAR(times.percentile(1), 1000e3, 20e3);
}

TEST(Histogram, TakesAnyValue) {
  Histogram times;
  for (const std::uint64_t value :
       {std::uint64_t{0}, std::uint64_t{63}, std::uint64_t{64}, UINT64_MAX})
    times.add(value);
  EXPECT_EQ(times.percentile(0), 0);
  EXPECT_EQ(times.percentile(0.25), 63);
  EXPECT_NEAR(times.percentile(0.5), 64, 1);
  EXPECT_NEAR(times.percentile(1), 18.4e18, 0.3e18);
}

TEST(Glance, SeesWhereAReplyEndsAndWhetherItIsNil) {
  const auto seen = [](std::string_view bytes) {
    const auto reply = glance(bytes);
    if (!reply) return std::string{"incomplete"};
    return std::string{reply->type} + std::to_string(reply->size) + (reply->is_nil ? " nil" : "");
  };
  EXPECT_EQ(seen("+OK\r\n:1\r\n"), "+5");
  EXPECT_EQ(seen("$3\r\na\r\n\r\nx"), "$9");
  EXPECT_EQ(seen("$-1\r\n"), "$5 nil");
  EXPECT_EQ(seen("*-1\r\n"), "*5 nil");
  EXPECT_EQ(seen("_\r\n"), "_3 nil");
  EXPECT_EQ(seen("*2\r\n$-1\r\n*1\r\n:1\r\n+next\r\n"), "*17");
  EXPECT_EQ(seen("%1\r\n+a\r\n:1\r\n:2\r\n"), "%12");
  for (const auto* part : {"", "+OK\r", "$3\r\nabc\r", "*2\r\n:1\r\n", "%1\r\n:1\r\n"})
    EXPECT_EQ(seen(part), "incomplete") << part;
}

TEST(Split, KeepsWhatIsInQuotesTogether) {
  EXPECT_EQ(split("redis-server  --save ''  --port 1"),
            (Words{"redis-server", "--save", "", "--port", "1"}));
  EXPECT_EQ(split("EVAL 'return 1' 0"), (Words{"EVAL", "return 1", "0"}));
}

TEST(Workload, FillsInKeysOwnersAndNumbers) {
  const Workload cycle{
      .name = "cycle", .steps = {"LOCK {key} {owner}", "GET key:{any}"}, .scripts = {}};
  auto steps = messages_of(cycle, 7, 1, {});
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].bytes, request_of({"LOCK", key_of(7), owner_of(7)}));
  EXPECT_EQ(key_of(7).size(), 24U);
  EXPECT_EQ(owner_of(7).size(), 32U);
  EXPECT_NE(owner_of(7), owner_of(8));

  vary(steps[1], 1);
  const std::string one = steps[1].bytes;
  vary(steps[1], 2);
  EXPECT_NE(steps[1].bytes, one);
  EXPECT_EQ(one.find('\1'), std::string::npos);
  EXPECT_EQ(one.substr(0, 22), "*2\r\n$3\r\nGET\r\n$16\r\nkey:");

  auto all = messages_of(cycle, 7, 16, {});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].replies, 32U);
  EXPECT_EQ(all[0].random_at.size(), 16U);
}

TEST(Median, IsTheMiddleOne) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({5}), 5);
  EXPECT_EQ(median({}), 0);
}

}  // namespace
}  // namespace fencepost::load
