// Replies as bytes, in either protocol: every type a server answers with.
// Source: https://redis.io/docs/reference/protocol-spec (RESP2 and RESP3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "resp/protocol.h"

namespace fencepost::resp {

// Appends to a buffer that the caller owns and that outlives the writer. Aggregates are a header
// followed by that many further replies, which the caller writes next.
//
// What one writer appends is bounded: once that much is there, bulks and headers are left out,
// was_cut() says so, and the caller takes back what stands there and writes an error instead.
class ReplyWriter {
 public:
  ReplyWriter(std::string& out, Protocol protocol, std::size_t most_bytes = kMaxReplyBytes)
      : out_{out}, protocol_{protocol}, full_at_{out.size() + most_bytes} {}

  Protocol protocol() const { return protocol_; }
  void set_protocol(Protocol protocol) { protocol_ = protocol; }

  void simple(std::string_view text);  // +OK; CR and LF become spaces
  // -ERR ...; `text` carries its first word; CR and LF become spaces; never left out.
  void error(std::string_view text);
  void integer(std::int64_t value);          // :42
  void bulk(std::string_view bytes);         // $3 abc
  void null();                               // $-1, in RESP3 _
  void null_array();                         // *-1, in RESP3 _
  void array(std::size_t count);             // *n
  void map(std::size_t pairs);               // *2n, in RESP3 %n
  void set(std::size_t count);               // *n, in RESP3 ~n
  void push(std::size_t count);              // *n, in RESP3 >n
  void boolean(bool value);                  // :1 / :0, in RESP3 #t / #f
  void real(double value);                   // bulk, in RESP3 , - 17 significant digits
  void big_number(std::string_view digits);  // bulk, in RESP3 (
  void verbatim(std::string_view format,
                std::string_view text);  // bulk, in RESP3 =; format has three letters

  // An array or map whose length is known only after its members are written: open, write them,
  // close with the count.
  std::size_t open() const { return out_.size(); }
  void close_array(std::size_t opened_at, std::size_t count);
  void close_map(std::size_t opened_at, std::size_t pairs);
  void close_set(std::size_t opened_at, std::size_t count);

  // How many bytes the buffer holds, and taking back all that was written behind an earlier size.
  std::size_t size() const { return out_.size(); }
  void rewind(std::size_t size) {
    out_.resize(size);
    was_cut_ = false;
  }
  // Nothing but errors, integers and nulls will be written any more.
  bool is_full() const { return out_.size() >= full_at_; }
  // For a reply that is known to be too long before it is written.
  void cut() { was_cut_ = true; }
  // Something was left out behind the last rewind().
  bool was_cut() const { return was_cut_; }
  // What was written behind an earlier size.
  std::string_view since(std::size_t size) const { return std::string_view{out_}.substr(size); }
  // Copies bytes that already are a reply in this protocol.
  void raw(std::string_view reply) {
    if (has_room()) out_.append(reply);
  }

 private:
  // False when this is left out.
  bool has_room() {
    if (is_full()) was_cut_ = true;
    return !was_cut_;
  }
  void header(char type, std::size_t count);
  void close(std::size_t opened_at, char type, std::size_t count);

  std::string& out_;
  Protocol protocol_;
  std::size_t full_at_;
  bool was_cut_ = false;
};

}  // namespace fencepost::resp
