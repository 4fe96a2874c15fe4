// Replies out of bytes, RESP2 and RESP3: for tests, benchmarks and tools.
//
//   reply = type line { reply }        aggregates: * ~ > array, set, push of n; % | map, attribute
//   of n pairs
//         | type size CR LF bytes CR LF     blobs: $ ! =
//   type line = one character, text without CR or LF, CR LF
#include "resp/reply_parser.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/number.h"
#include "base/text.h"

namespace fencepost::resp {

namespace {

using Type = Reply::Type;
using Status = ReplyParser::Status;

constexpr int kDeepest = 64;
constexpr std::int64_t kLongestBlob = 512 * 1024 * 1024;
constexpr std::int64_t kMostItems = INT32_MAX;

// Takes the line at `at`, without its type character and line end; leaves `at` behind it.
Status take_line(std::string_view input, std::size_t& at, std::string_view& line) {
  const std::size_t end = input.find_first_of("\r\n", at);
  if (end == std::string_view::npos) return Status::incomplete;
  if (input[end] == '\n') return Status::error;
  if (end + 1 == input.size()) return Status::incomplete;
  if (input[end + 1] != '\n') return Status::error;
  line = input.substr(at + 1, end - at - 1);
  at = end + 2;
  return Status::reply;
}

// A RESP3 double: what %.17g prints, or inf, -inf, nan.
bool is_real(std::string_view text) {
  if (text == "inf" || text == "-inf" || text == "nan") return true;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return false;
  return text.find_first_of("iInN") == std::string_view::npos;
}

bool is_big_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Fills a reply that is one line and nothing more; nothing when the type character is none of
// these.
std::optional<Status> fill_line(char type, std::string_view line, Reply& into) {
  const auto fill = [&into, line](Type of, bool valid) {
    into.type = of;
    into.text = line;
    return valid ? Status::reply : Status::error;
  };
  switch (type) {
    case '+':
      return fill(Type::simple, true);
    case '-':
      return fill(Type::error, true);
    case ',':
      return fill(Type::real, is_real(line));
    case '(':
      return fill(Type::big_number, is_big_number(line));
    case '_':
      into.type = Type::null;
      return line.empty() ? Status::reply : Status::error;
    case '#':
      into.type = Type::boolean;
      into.integer = line == "t" ? 1 : 0;
      return line == "t" || line == "f" ? Status::reply : Status::error;
    case ':': {
      const auto value = parse_integer(line);
      into.type = Type::integer;
      into.integer = value.value_or(0);
      return value ? Status::reply : Status::error;
    }
    default:
      return std::nullopt;
  }
}

std::optional<Type> blob_type(char type) {
  switch (type) {
    case '$':
      return Type::bulk;
    case '!':
      return Type::bulk_error;
    case '=':
      return Type::verbatim;
    default:
      return std::nullopt;
  }
}

std::optional<Type> aggregate_type(char type) {
  switch (type) {
    case '*':
      return Type::array;
    case '~':
      return Type::set;
    case '>':
      return Type::push;
    case '%':
      return Type::map;
    case '|':
      return Type::attribute;
    default:
      return std::nullopt;
  }
}

// Takes the bytes and the line end behind a blob's header.
Status take_blob(std::string_view input, std::size_t& at, std::size_t size, Reply& into) {
  const std::string_view rest = input.substr(at);
  if (rest.size() > size && rest[size] != '\r') return Status::error;
  if (rest.size() < size + 2) return Status::incomplete;
  if (rest[size + 1] != '\n') return Status::error;
  into.text = rest.substr(0, size);
  at += size + 2;
  if (into.type == Type::verbatim && (size < 4 || into.text[3] != ':')) return Status::error;
  return Status::reply;
}

void append_items(std::string& out, const Reply& reply, char open, char close) {
  out += open;
  const bool pairs = reply.type == Type::map || reply.type == Type::attribute;
  for (std::size_t at = 0; at < reply.items.size(); ++at) {
    if (at > 0) out += pairs && at % 2 == 1 ? ": " : ", ";
    out += to_text(reply.items[at]);
  }
  out += close;
}

}  // namespace

ReplyParser::Status ReplyParser::parse(std::string_view input) {
  reply_ = Reply{};
  consumed_ = 0;
  std::size_t at = 0;
  const Status status = parse_one(input, at, reply_, 0);
  if (status == Status::reply) consumed_ = at;
  return status;
}

ReplyParser::Status ReplyParser::parse_one(std::string_view input, std::size_t& at, Reply& into,
                                           int depth) {
  constexpr std::string_view kTypes = "+-:$*_#,(!=%~>|";
  if (at == input.size()) return Status::incomplete;
  const char type = input[at];
  if (kTypes.find(type) == std::string_view::npos || depth > kDeepest) return Status::error;
  std::string_view line;
  if (const Status status = take_line(input, at, line); status != Status::reply) return status;
  if (const auto status = fill_line(type, line, into)) return *status;

  if (line == "-1" && (type == '$' || type == '*')) {
    into.type = type == '$' ? Type::null_bulk : Type::null_array;
    return Status::reply;
  }
  const auto length = parse_integer(line);
  if (!length || *length < 0) return Status::error;
  if (const auto blob = blob_type(type)) {
    into.type = *blob;
    if (*length > kLongestBlob) return Status::error;
    return take_blob(input, at, static_cast<std::size_t>(*length), into);
  }
  into.type = aggregate_type(type).value_or(Type::array);
  if (*length > kMostItems) return Status::error;
  const bool pairs = into.type == Type::map || into.type == Type::attribute;
  for (std::int64_t left = pairs ? 2 * *length : *length; left > 0; --left) {
    const Status status = parse_one(input, at, into.items.emplace_back(), depth + 1);
    if (status != Status::reply) return status;
  }
  return Status::reply;
}

std::string to_text(const Reply& reply) {
  std::string out;
  switch (reply.type) {
    case Type::simple:
      return reply.text;
    case Type::error:
    case Type::bulk_error:
      return "(error) " + reply.text;
    case Type::integer:
      append_integer(out, reply.integer);
      return out;
    case Type::bulk:
    case Type::verbatim:
      return quoted(reply.text);
    case Type::null:
    case Type::null_bulk:
    case Type::null_array:
      return "(nil)";
    case Type::boolean:
      return reply.integer != 0 ? "(true)" : "(false)";
    case Type::real:
      return "(double) " + reply.text;
    case Type::big_number:
      return "(big number) " + reply.text;
    case Type::array:
      append_items(out, reply, '[', ']');
      return out;
    case Type::map:
      append_items(out, reply, '{', '}');
      return out;
    case Type::set:
      out = "~";
      append_items(out, reply, '{', '}');
      return out;
    case Type::push:
      out = ">";
      append_items(out, reply, '[', ']');
      return out;
    case Type::attribute:
      out = "|";
      append_items(out, reply, '{', '}');
      return out;
  }
  return out;
}

}  // namespace fencepost::resp
