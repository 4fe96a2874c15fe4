// Words and patterns. Patterns were also compared with KEYS of redis-server 7.0.15: 20,000 random
// ones against 300 keys.
#include "base/text.h"

#include <chrono>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace fencepost {
namespace {

using namespace std::string_view_literals;

TEST(Text, ChangesTheCaseOfAsciiLettersOnly) {
  EXPECT_EQ(to_lower("LOCK [z@Z]\xC4"), "lock [z@z]\xC4");
  EXPECT_EQ(to_upper("lock {a`z}\xE4"), "LOCK {A`Z}\xE4");
  EXPECT_EQ(to_lower('Q'), 'q');
  EXPECT_EQ(to_upper('1'), '1');
}

TEST(Text, KnowsAWordInAnyCase) {
  EXPECT_TRUE(same_word("NX", "nX"));
  EXPECT_TRUE(same_word("", ""));
  EXPECT_FALSE(same_word("NX", "NXX"));
  EXPECT_FALSE(same_word("[", "{"));  // one bit apart, as letters of two cases are
  EXPECT_FALSE(same_word("\xC4", "\xE4"));
}

TEST(Text, FitsOnOneLine) {
  EXPECT_EQ(one_line("ERR a\r\nb\n"), "ERR a  b ");
  EXPECT_EQ(one_line("\0\t"sv), "\0\t"sv);
}

TEST(Glob, MatchesBytesAndTheirClasses) {
  EXPECT_TRUE(glob_matches("door", "door"));
  EXPECT_FALSE(glob_matches("door", "doors"));
  EXPECT_FALSE(glob_matches("doors", "door"));
  EXPECT_TRUE(glob_matches("d??r", "door"));
  EXPECT_FALSE(glob_matches("?", ""));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_TRUE(glob_matches("h[ae]llo", "hallo"));
  EXPECT_FALSE(glob_matches("h[ae]llo", "hillo"));
  EXPECT_TRUE(glob_matches("h[^e]llo", "hallo"));
  EXPECT_FALSE(glob_matches("h[^e]llo", "hello"));
  EXPECT_TRUE(glob_matches("h[a-c]llo", "hbllo"));
  EXPECT_TRUE(glob_matches("h[c-a]llo", "hbllo"));  // the ends of a range may stand either way
  EXPECT_FALSE(glob_matches("h[a-c]llo", "hdllo"));
  EXPECT_TRUE(glob_matches("[\\]]", "]"));
  EXPECT_TRUE(glob_matches("[a\\-c]", "-"));
  EXPECT_FALSE(glob_matches("[a\\-c]", "b"));
}

TEST(Glob, TakesStarsForAnyNumberOfBytes) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("*", "anything\0at all\xff"sv));
  EXPECT_TRUE(glob_matches("a*", "a"));
  EXPECT_TRUE(glob_matches("a*c", "abcbc"));
  EXPECT_FALSE(glob_matches("a*c", "abcb"));
  EXPECT_TRUE(glob_matches("*a*b*", "xxaxxbxx"));
  EXPECT_FALSE(glob_matches("*a*b*", "xxbxxaxx"));
  EXPECT_TRUE(glob_matches("lock:*:[0-9]", "lock:a:b:7"));
  EXPECT_TRUE(glob_matches("a**", "a"));
}

TEST(Glob, TakesABackslashForWhatStandsBehindIt) {
  EXPECT_TRUE(glob_matches("a\\*", "a*"));
  EXPECT_FALSE(glob_matches("a\\*", "ab"));
  EXPECT_TRUE(glob_matches("\\?\\[\\\\", "?[\\"));
  EXPECT_TRUE(glob_matches("a\\", "a\\"));
}

TEST(Glob, LetsAClassThatIsNotClosedEndWithThePattern) {
  EXPECT_TRUE(glob_matches("[ab", "b"));
  EXPECT_FALSE(glob_matches("[ab", "c"));
  EXPECT_FALSE(glob_matches("[", "["));
  EXPECT_TRUE(glob_matches("[^", "x"));
  EXPECT_FALSE(glob_matches("[]", "]"));
}

TEST(Glob, MayIgnoreTheCaseOfLetters) {
  EXPECT_TRUE(glob_matches("MAX*", "maxclients", LetterCase::ignored));
  EXPECT_TRUE(glob_matches("[A-C][X]", "bx", LetterCase::ignored));
  EXPECT_FALSE(glob_matches("MAX*", "maxclients"));
}

// CVE-2022-36021, CVE-2024-31228: patterns that took Redis exponential time, or its whole stack.
TEST(Glob, IsDoneSoonWhateverThePattern) {
  std::string stars;
  for (int i = 0; i < 2000; ++i) stars += "*a";
  std::string classes;
  for (int i = 0; i < 500; ++i) classes += "*[a-z]?";
  const std::string text(20'000, 'a');
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(glob_matches(stars + "*b", text));
  EXPECT_FALSE(glob_matches(classes + "!", text));
  EXPECT_FALSE(glob_matches("*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?b", text));
  EXPECT_TRUE(glob_matches(std::string(1'000'000, '*'), text));
  EXPECT_FALSE(glob_matches(std::string(100'000, '['), text));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{5});
}

TEST(Text, IsQuotedSoThatItCanBeRead) {
  EXPECT_EQ(quoted("a b"), "\"a b\"");
  EXPECT_EQ(quoted("\"\\\n\r\t\a\b"), R"("\"\\\n\r\t\a\b")");
  EXPECT_EQ(quoted("\0\x1f\x7f\xff~"sv), R"("\x00\x1f\x7f\xff~")");
  EXPECT_EQ(quoted(""), "\"\"");
}

}  // namespace
}  // namespace fencepost
