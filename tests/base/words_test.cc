// Lines of text into words, with quotes.
#include "base/words.h"

#include <gtest/gtest.h>

namespace fencepost {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
  Words words;
  EXPECT_TRUE(split_words(line, words)) << line;
  return words;
}

bool balances(std::string_view line) {
  Words words;
  return split_words(line, words);
}

TEST(Words, AreSplitAtSpaces) {
  EXPECT_EQ(words_of("  set a\tb  "), (Words{"set", "a", "b"}));
  EXPECT_EQ(words_of(""), Words{});
  EXPECT_EQ(words_of(" \t "), Words{});
}

TEST(Words, MayBeQuoted) {
  EXPECT_EQ(words_of(R"(a "b c" 'd "e' "")"), (Words{"a", "b c", "d \"e", ""}));
  EXPECT_EQ(words_of(R"("\x41\n\"" 'it\'s \n')"), (Words{"A\n\"", "it's \\n"}));
}

TEST(Words, RefuseQuotesThatDoNotBalance) {
  EXPECT_FALSE(balances(R"(a "b)"));
  EXPECT_FALSE(balances("a 'b"));
  EXPECT_FALSE(balances(R"("a"b)"));
  EXPECT_FALSE(balances(R"("a\")"));
}

}  // namespace
}  // namespace fencepost
