// Ids of entries as requests name them.
//
//   id     = ms | ms "-" number | ms "-*"      the last for XADD alone
//   number = what strtoull takes: spaces and a sign before it, too
#include "commands/stream/id.h"

#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/number.h"

namespace fencepost::commands {

namespace {

using state::StreamId;

constexpr std::size_t kLongest = 127;

// As Redis: what is written as usual must not be negative; the rest is the C library's to say.
std::optional<std::uint64_t> number_of(std::string_view text) {
  if (const auto usual = parse_integer(text)) {
    return *usual < 0 ? std::nullopt : std::optional{static_cast<std::uint64_t>(*usual)};
  }
  if (text.empty()) return std::nullopt;
  const std::string terminated{text};
  char* end = nullptr;
  errno = 0;
  const unsigned long long number = std::strtoull(terminated.c_str(), &end, 10);
  if (errno != 0 || *end != '\0') return std::nullopt;
  return number;
}

// Up to the first zero byte, as Redis reads them; null for what is too long.
std::optional<std::string_view> readable(std::string_view text) {
  if (text.size() > kLongest) return std::nullopt;
  return text.substr(0, text.find('\0'));
}

std::optional<StreamId> parse(std::string_view text, std::uint64_t missing) {
  const std::size_t dash = text.find('-');
  const auto ms = number_of(text.substr(0, dash));
  if (!ms) return std::nullopt;
  if (dash == std::string_view::npos) return StreamId{*ms, missing};
  const auto number = number_of(text.substr(dash + 1));
  if (!number) return std::nullopt;
  return StreamId{*ms, *number};
}

template <typename T>
std::optional<T> or_reply(Context& context, std::optional<T> id) {
  if (!id) context.reply.error("ERR Invalid stream ID specified as stream command argument");
  return id;
}

struct Edge {
  StreamId id;
  bool excluded = false;
};

std::optional<Edge> edge_or_reply(Context& context, std::string_view text, std::uint64_t missing) {
  if (text.size() > 1 && text.front() == '(') {
    const auto id = id_or_reply(context, text.substr(1), missing);
    return id ? std::optional{Edge{*id, true}} : std::nullopt;
  }
  const auto words = readable(text);
  if (words == "-") return Edge{state::kLeastId};
  if (words == "+") return Edge{state::kGreatestId};
  const auto id = id_or_reply(context, text, missing);
  return id ? std::optional{Edge{*id}} : std::nullopt;
}

}  // namespace

std::optional<StreamId> id_or_reply(Context& context, std::string_view text,
                                    std::uint64_t missing) {
  const auto words = readable(text);
  return or_reply(context, words ? parse(*words, missing) : std::nullopt);
}

std::optional<NewId> new_id_or_reply(Context& context, std::string_view text) {
  const auto words = readable(text);
  if (!words || !words->ends_with("-*")) {
    const auto id = id_or_reply(context, text);
    return id ? std::optional{NewId{*id}} : std::nullopt;
  }
  const std::string_view before = words->substr(0, words->size() - 2);
  // One dash is all there may be.
  const auto ms = before.find('-') == std::string_view::npos ? number_of(before) : std::nullopt;
  return or_reply(context, ms ? std::optional{NewId{{*ms, 0}, false}} : std::nullopt);
}

std::optional<StreamId> range_start_or_reply(Context& context, std::string_view text) {
  const auto edge = edge_or_reply(context, text, 0);
  if (!edge) return std::nullopt;
  const auto id = edge->excluded ? state::next_id(edge->id) : edge->id;
  if (!id) context.reply.error("ERR invalid start ID for the interval");
  return id;
}

std::optional<StreamId> range_end_or_reply(Context& context, std::string_view text) {
  const auto edge = edge_or_reply(context, text, state::kGreatestNumber);
  if (!edge) return std::nullopt;
  const auto id = edge->excluded ? state::previous_id(edge->id) : edge->id;
  if (!id) context.reply.error("ERR invalid end ID for the interval");
  return id;
}

}  // namespace fencepost::commands
