// Replies out of bytes, RESP2 and RESP3: for tests, benchmarks and tools.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::resp {

// One reply. Aggregates hold their members in `items`; a map holds key, value, key, value ...
struct Reply {
  enum class Type : std::uint8_t {
    simple,
    error,
    integer,
    bulk,
    null_bulk,
    array,
    null_array,  // RESP2
    null,
    boolean,
    real,
    big_number,
    bulk_error,
    verbatim,
    map,
    set,
    push,
    attribute  // RESP3
  };
  Type type = Type::null;
  std::string
      text;  // simple, error, bulk, real (as sent), big_number, bulk_error, verbatim (with "txt:")
  std::int64_t integer = 0;  // integer; boolean as 0 or 1
  std::vector<Reply> items;

  bool is_nil() const {
    return type == Type::null || type == Type::null_bulk || type == Type::null_array;
  }
  bool is_error() const { return type == Type::error || type == Type::bulk_error; }
};

class ReplyParser {
 public:
  enum class Status : std::uint8_t { reply, incomplete, error };

  // Reads one reply from the front of `input`, strictly: every malformed byte is an error.
  // On `reply`, consumed() says how many bytes it took.
  Status parse(std::string_view input);

  Reply& reply() { return reply_; }
  std::size_t consumed() const { return consumed_; }

 private:
  Status parse_one(std::string_view input, std::size_t& at, Reply& into, int depth);

  Reply reply_;
  std::size_t consumed_ = 0;
};

// As redis-cli --no-raw would roughly show it, on one line: for test failures. e.g. [1, "a", (nil),
// (error) ERR x]
std::string to_text(const Reply& reply);

}  // namespace fencepost::resp
