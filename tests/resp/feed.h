// Hands bytes to a parser as a socket would, in pieces, and writes down all that it heard.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "resp/reply_parser.h"
#include "resp/request_parser.h"

namespace fencepost::resp {

struct Heard {
  std::vector<std::vector<std::string>> requests;
  std::string error;       // empty when there was none
  std::string unfinished;  // bytes that wait for more

  bool operator==(const Heard&) const = default;
};

// Cuts `bytes` behind each of `cuts` (ascending offsets) and feeds the pieces one by one. Each call
// of parse() sees its input at a new address of exactly its size, so that a view kept for too long,
// or a byte read too many, shows under AddressSanitizer.
inline Heard hear(std::string_view bytes, std::vector<std::size_t> cuts = {},
                  const RequestLimits& limits = {}) {
  Heard heard;
  RequestParser parser;
  cuts.push_back(bytes.size());
  std::size_t fed = 0;
  for (const std::size_t cut : cuts) {
    heard.unfinished += bytes.substr(fed, cut - fed);
    fed = cut;
    while (true) {
      const std::vector<char> input(heard.unfinished.begin(), heard.unfinished.end());
      const auto status = parser.parse({input.data(), input.size()}, limits);
      if (status == RequestParser::Status::error) {
        heard.error = parser.error();
        heard.unfinished.clear();
        return heard;
      }
      heard.unfinished.erase(0, parser.consumed());
      if (status == RequestParser::Status::incomplete) break;
      heard.requests.emplace_back(parser.arguments().begin(), parser.arguments().end());
    }
  }
  return heard;
}

// The replies in `bytes`, as text, until they end. Behind them "..." when one is incomplete, "!"
// when one is malformed.
inline std::string replies_in(std::string_view bytes) {
  std::string text;
  ReplyParser parser;
  while (!bytes.empty()) {
    if (!text.empty()) text += ' ';
    const std::vector<char> input(bytes.begin(), bytes.end());
    const auto status = parser.parse({input.data(), input.size()});
    if (status == ReplyParser::Status::incomplete) return text + "...";
    if (status == ReplyParser::Status::error) return text + "!";
    text += to_text(parser.reply());
    bytes.remove_prefix(parser.consumed());
  }
  return text;
}

}  // namespace fencepost::resp
