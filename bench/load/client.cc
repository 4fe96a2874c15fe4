// One connection of the generator: words to requests, bytes to replies. Replies are counted, not
// kept.
#include "bench/load/client.h"

#include <charconv>
#include <utility>

#include "resp/writer.h"

namespace fencepost::load {

std::string request_of(const Words& words) {
  std::string bytes;
  resp::ReplyWriter writer{bytes, resp::Protocol::resp2};  // a request is an array of bulk strings
  writer.array(words.size());
  for (const std::string& word : words) writer.bulk(word);
  return bytes;
}

Words split(std::string_view line) {
  Words words;
  std::string word;
  bool in_quotes = false;
  bool in_word = false;  // which may be empty: ''
  for (const char c : line) {
    if (c == '\'') in_quotes = !in_quotes;
    if (c != ' ' || in_quotes) {
      in_word = true;
      if (c != '\'') word += c;
    } else if (std::exchange(in_word, false)) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

std::optional<Glance> glance(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  Glance seen{.size = 0, .type = bytes.front(), .is_nil = bytes.front() == '_'};
  for (std::int64_t left = 1; left > 0; --left) {
    const std::size_t end = bytes.find('\n', seen.size);
    if (end == std::string_view::npos) return std::nullopt;
    const char type = bytes[seen.size];
    std::int64_t number = 0;
    std::from_chars(bytes.data() + seen.size + 1, bytes.data() + end, number);
    const bool first = seen.size == 0;
    seen.size = end + 1;
    if (type == '$' || type == '=') {
      if (number >= 0) seen.size += static_cast<std::size_t>(number) + 2;
      seen.is_nil = seen.is_nil || (first && number < 0);
    } else if (type == '*' || type == '>' || type == '~' || type == '%') {
      if (number > 0) left += type == '%' ? 2 * number : number;
      seen.is_nil = seen.is_nil || (first && number < 0);
    }
    if (seen.size > bytes.size()) return std::nullopt;
  }
  return seen;
}

resp::Reply Client::call(const Words& words) {
  send(request_of(words));
  resp::ReplyParser parser;
  std::array<char, kReadBytes> room;
  while (parser.parse(unread_) == resp::ReplyParser::Status::incomplete)
    unread_ += socket_.receive(room);
  unread_.erase(0, parser.consumed());
  if (parser.reply().is_error()) throw Failed{words.front() + ": " + parser.reply().text};
  return std::move(parser.reply());
}

std::string_view Client::read(std::span<char> room) {
  const std::string_view bytes = socket_.receive(room);
  if (unread_.empty()) return bytes;
  unread_ += bytes;
  return unread_;
}

void Client::keep(std::string_view rest) {
  if (rest.empty())
    unread_.clear();
  else
    unread_ = std::string{rest};
}

}  // namespace fencepost::load
