// Replies out of any bytes: what is read is read again the same, from exactly its own bytes; a part
// of it is incomplete.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "resp/reply_parser.h"

namespace fencepost::resp {
namespace {
using Status = ReplyParser::Status;

void check_one(std::string_view reply, std::string_view text, std::size_t cut) {
  ReplyParser again;
  check(again.parse(reply) == Status::reply, "a reply is one without what comes behind it");
  check(again.consumed() == reply.size(), "it takes its own bytes");
  check(to_text(again.reply()) == text, "it reads the same");
  check(again.parse(reply.substr(0, cut % reply.size())) == Status::incomplete,
        "a part of a reply waits for the rest");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string_view rest{reinterpret_cast<const char*>(data) + 1, size - 1};
  ReplyParser parser;
  while (parser.parse(rest) == Status::reply) {
    const std::size_t taken = parser.consumed();
    check(taken > 0 && taken <= rest.size(), "a reply takes some of the bytes");
    check_one(rest.substr(0, taken), to_text(parser.reply()), data[0]);
    rest.remove_prefix(taken);
  }
  return 0;
}

}  // namespace fencepost::resp
