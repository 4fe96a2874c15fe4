// Requests out of bytes: RESP arrays of bulk strings, and inline commands as typed by a person.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::resp {

struct RequestLimits {
  std::int64_t max_arguments = INT32_MAX;
  std::int64_t max_bulk_bytes = 16 * 1024 * 1024;
  std::size_t max_inline_bytes = 64 * 1024;
  // Before login Redis takes at most 10 arguments of 16384 bytes, with error texts of their own
  // (CVE-2021-32675).
  bool logged_in = true;
};

// One request at a time, from a view of the bytes that were not consumed yet. Nothing is copied for
// array requests: the arguments are views into `input`. A claimed length costs no memory.
//
// After every call the next call's input starts consumed() bytes further on.
// - request: arguments() and consumed() are good until `input` goes away or parse() is called
// again.
// - incomplete: the next input is longer, or the same; work done is not repeated. consumed() counts
//   the empty requests in front ("\r\n", "*0\r\n", "*-1\r\n"), which nobody answers.
// - error: error() is the text behind "-ERR "; the connection answers it and closes.
// Unlike Redis, which stops at a NUL byte in a line for good, a NUL is a byte like any other.
class RequestParser {
 public:
  enum class Status : std::uint8_t { request, incomplete, error };

  Status parse(std::string_view input, const RequestLimits& limits);

  std::span<const std::string_view> arguments() const { return arguments_; }
  std::size_t consumed() const { return consumed_; }
  std::string_view error() const { return error_; }
  // How many more bytes the bulk string being read needs at least; 0 when unknown. A hint for the
  // buffer's growth, never to be set aside in advance of the bytes.
  std::int64_t missing_bytes() const { return missing_bytes_; }
  // While missing_bytes() is not 0: where that string begins, from the first byte of the request.
  std::size_t string_begins_at() const { return position_; }

 private:
  // Where one request stands after a look at the bytes that are there.
  enum class Step : std::uint8_t { request, empty, incomplete, error };
  struct Piece {
    std::size_t offset;
    std::size_t size;
  };
  struct Header;  // what a length line begins with, and how a wrong one is refused
  static const Header kArrayHeader;
  static const Header kBulkHeader;

  Step read_array(std::string_view input, const RequestLimits& limits);
  Step read_array_length(std::string_view input, const RequestLimits& limits);
  Step read_bulk_length(std::string_view input, const RequestLimits& limits);
  Step read_length(std::string_view input, const RequestLimits& limits, const Header& header);
  Step read_inline(std::string_view input, const RequestLimits& limits);
  Step find_line_end(std::string_view input, char end, std::size_t longest);
  Step refuse(std::string_view why);
  void start_over();

  std::vector<std::string_view> arguments_;
  std::vector<Piece> pieces_;  // arguments of the array in work, as offsets: the buffer may move
  std::vector<std::string> unquoted_;  // inline arguments, whose escapes are undone
  std::size_t position_ = 0;           // where reading goes on, from the first byte of the request
  std::size_t line_end_ = 0;           // how far the line at position_ was searched for its end
  std::size_t consumed_ = 0;
  std::int64_t length_ = 0;          // the number in the header that was read last
  std::int64_t arguments_left_ = 0;  // of the array in work
  std::int64_t bulk_bytes_ =
      -1;  // length of the bulk string in work; -1 = its header is still to come
  std::int64_t missing_bytes_ = 0;
  std::string error_;
};

}  // namespace fencepost::resp
