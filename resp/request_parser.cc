// Requests out of bytes: RESP arrays of bulk strings, and inline commands as typed by a person.
//
//   array  = "*" count end { "$" size end bytes any any }      count <= 0: an empty request
//   end    = CR any                                            Redis does not look at the byte
//   behind CR, nor at the inline = { word | quoted | space } [CR] LF                 two behind a
//   bulk string's bytes; neither do we
#include "resp/request_parser.h"

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "base/words.h"

namespace fencepost::resp {

namespace {

// Room for arguments that is kept between requests; a request with more gives the memory back
// afterwards.
constexpr std::size_t kKeptArguments = 1024;
constexpr std::int64_t kMaxArgumentsBeforeLogin = 10;
constexpr std::int64_t kMaxBulkBytesBeforeLogin = 16 * 1024;
// What Redis takes by default. Up to here a stranger is told to log in, whatever our own limit is.
constexpr std::int64_t kUsualMaxBulkBytes = 512 * 1024 * 1024;
constexpr std::size_t kAfterBulk = 2;

template <typename Element>
void empty_out(std::vector<Element>& elements) {
  if (elements.capacity() > kKeptArguments)
    std::vector<Element>{}.swap(elements);  // assigning {} would keep the room
  else
    elements.clear();
}

struct ShortLength {
  std::int64_t value;
  std::size_t size;  // of the header, its type character and line end included
};

// The headers nearly all requests have, "$3\r\n": up to four digits, whole. Whatever is different
// takes the long way.
std::optional<ShortLength> read_short_length(std::string_view header, char type) {
  if (header.empty() || header.front() != type) return std::nullopt;
  std::int64_t value = 0;
  for (std::size_t at = 1; at < 6 && at + 1 < header.size(); ++at) {
    const char c = header[at];
    if (c == '\r' && at > 1) return ShortLength{value, at + 2};
    if (c < '0' || c > '9' || (value == 0 && at > 1)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return std::nullopt;
}

}  // namespace

struct RequestParser::Header {
  char type;
  std::string_view invalid;
  std::string_view too_big;
};

constexpr RequestParser::Header RequestParser::kArrayHeader{
    .type = '*', .invalid = "invalid multibulk length", .too_big = "too big mbulk count string"};
constexpr RequestParser::Header RequestParser::kBulkHeader{
    .type = '$', .invalid = "invalid bulk length", .too_big = "too big bulk count string"};

RequestParser::Status RequestParser::parse(std::string_view input, const RequestLimits& limits) {
  consumed_ = 0;
  missing_bytes_ = 0;
  empty_out(arguments_);
  empty_out(unquoted_);
  while (consumed_ < input.size()) {
    const std::string_view rest = input.substr(consumed_);
    const bool is_array = arguments_left_ > 0 || rest.front() == '*';
    const Step step = is_array ? read_array(rest, limits) : read_inline(rest, limits);
    if (step == Step::incomplete) return Status::incomplete;
    if (step != Step::error) consumed_ += position_;
    start_over();
    if (step == Step::error) return Status::error;
    if (step == Step::request) return Status::request;
  }
  return Status::incomplete;
}

RequestParser::Step RequestParser::read_array(std::string_view input, const RequestLimits& limits) {
  if (arguments_left_ == 0) {
    if (const Step step = read_array_length(input, limits); step != Step::request) return step;
  }
  while (arguments_left_ > 0) {
    if (bulk_bytes_ < 0) {
      if (const Step step = read_bulk_length(input, limits); step != Step::request) return step;
    }
    const std::size_t size = static_cast<std::size_t>(bulk_bytes_);
    const std::size_t here = input.size() - position_;
    if (here < size + kAfterBulk) {
      missing_bytes_ = static_cast<std::int64_t>(size + kAfterBulk - here);
      return Step::incomplete;
    }
    pieces_.push_back({position_, size});
    position_ += size + kAfterBulk;
    bulk_bytes_ = -1;
    --arguments_left_;
  }
  arguments_.reserve(pieces_.size());
  for (const Piece& piece : pieces_) arguments_.push_back(input.substr(piece.offset, piece.size));
  return Step::request;
}

RequestParser::Step RequestParser::read_array_length(std::string_view input,
                                                     const RequestLimits& limits) {
  const Step step = read_length(input, limits, kArrayHeader);
  if (step != Step::request) return step;
  if (length_ > limits.max_arguments) return refuse(kArrayHeader.invalid);
  if (length_ > kMaxArgumentsBeforeLogin && !limits.logged_in)
    return refuse("unauthenticated multibulk length");
  if (length_ <= 0) return Step::empty;
  arguments_left_ = length_;
  return Step::request;
}

RequestParser::Step RequestParser::read_bulk_length(std::string_view input,
                                                    const RequestLimits& limits) {
  const Step step = read_length(input, limits, kBulkHeader);
  if (step != Step::request) return step;
  if (length_ < 0 || length_ > std::max(limits.max_bulk_bytes, kUsualMaxBulkBytes)) {
    return refuse(kBulkHeader.invalid);
  }
  if (length_ > kMaxBulkBytesBeforeLogin && !limits.logged_in) {
    return refuse("unauthenticated bulk length");
  }
  if (length_ > limits.max_bulk_bytes) return refuse(kBulkHeader.invalid);
  bulk_bytes_ = length_;
  return Step::request;
}

RequestParser::Step RequestParser::read_length(std::string_view input, const RequestLimits& limits,
                                               const Header& header) {
  if (const auto quick = read_short_length(input.substr(position_), header.type)) {
    length_ = quick->value;
    position_ += quick->size;
    return Step::request;
  }
  const Step step = find_line_end(input, '\r', limits.max_inline_bytes);
  if (step == Step::error) return refuse(header.too_big);
  if (step == Step::incomplete || line_end_ + 1 == input.size()) return Step::incomplete;
  const char type = input[position_];
  if (type != header.type) return refuse(std::string{"expected '$', got '"} + type + "'");
  const auto length = parse_integer(input.substr(position_ + 1, line_end_ - position_ - 1));
  if (!length) return refuse(header.invalid);
  length_ = *length;
  position_ = line_end_ + 2;
  return Step::request;
}

RequestParser::Step RequestParser::read_inline(std::string_view input,
                                               const RequestLimits& limits) {
  const Step step = find_line_end(input, '\n', limits.max_inline_bytes);
  if (step == Step::error) return refuse("too big inline request");
  if (step == Step::incomplete) return step;
  std::string_view line = input.substr(0, line_end_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  position_ = line_end_ + 1;
  if (!split_words(line, unquoted_)) return refuse("unbalanced quotes in request");
  if (unquoted_.empty()) return Step::empty;
  arguments_.assign(unquoted_.begin(), unquoted_.end());
  return Step::request;
}

// Whether a line is too long depends on the line alone, not on how its bytes came in.
RequestParser::Step RequestParser::find_line_end(std::string_view input, char end,
                                                 std::size_t longest) {
  line_end_ = std::min(input.find(end, std::max(line_end_, position_)), input.size());
  if (line_end_ - position_ > longest) return Step::error;
  return line_end_ == input.size() ? Step::incomplete : Step::request;
}

RequestParser::Step RequestParser::refuse(std::string_view why) {
  error_ = "Protocol error: ";
  error_ += why;
  return Step::error;
}

void RequestParser::start_over() {
  empty_out(pieces_);
  position_ = 0;
  line_end_ = 0;
  arguments_left_ = 0;
  bulk_bytes_ = -1;
}

}  // namespace fencepost::resp
