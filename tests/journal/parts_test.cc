// Payloads of several frames, put together again whatever comes between.
#include "journal/parts.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace fencepost::journal {
namespace {

using Step = Parts::Step;

std::vector<std::pair<FrameKind, std::string>> split(std::string_view payload) {
  std::vector<std::pair<FrameKind, std::string>> frames;
  const auto write = [&frames](FrameKind kind, std::string_view bytes) -> Result<void> {
    frames.emplace_back(kind, bytes);
    return {};
  };
  EXPECT_TRUE(in_parts(FrameKind::batch, payload, 3, write));
  return frames;
}

TEST(Parts, WhatFitsIsOneFrame) {
  for (const std::string_view payload : {"", "a", "abc"}) {
    const auto frames = split(payload);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].first, FrameKind::batch);
    EXPECT_EQ(frames[0].second, payload);
  }
}

TEST(Parts, WhatDoesNotFitComesTogetherAgain) {
  for (const std::string_view payload : {"abcd", "abcdef", "abcdefghij"}) {
    Parts parts;
    const auto frames = split(payload);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const Step step = parts.add({.kind = frames[i].first, .payload = frames[i].second});
      EXPECT_EQ(step, i + 1 < frames.size() ? Step::more : Step::whole);
    }
    EXPECT_EQ(parts.payload(), payload);
    EXPECT_FALSE(parts.begun());
  }
}

TEST(Parts, NothingGoesOnThatWasNotBegun) {
  Parts parts;
  EXPECT_EQ(parts.add({.kind = FrameKind::more, .payload = "a"}), Step::misplaced);
  EXPECT_EQ(parts.add({.kind = FrameKind::last, .payload = "a"}), Step::misplaced);
  for (const FrameKind other : {FrameKind::beginning, FrameKind::batch, FrameKind::clean_end}) {
    EXPECT_EQ(parts.add({.kind = FrameKind::beginning, .payload = "a"}), Step::more);
    EXPECT_EQ(parts.add({.kind = other, .payload = "b"}), Step::misplaced);
    EXPECT_EQ(parts.add({.kind = FrameKind::last, .payload = "c"}), Step::misplaced);
  }
  EXPECT_EQ(parts.add({.kind = FrameKind::batch, .payload = "d"}), Step::whole);
  EXPECT_EQ(parts.payload(), "d");
}

}  // namespace
}  // namespace fencepost::journal
