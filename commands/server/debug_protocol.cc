// DEBUG PROTOCOL: one reply of each type, for those who write clients.
#include "commands/server/debug_protocol.h"

#include "base/text.h"

namespace fencepost::commands {
namespace {

constexpr int kMembers = 3;

void array(resp::ReplyWriter& reply) {
  reply.array(kMembers);
  for (int i = 0; i < kMembers; ++i) reply.integer(i);
}

void set(resp::ReplyWriter& reply) {
  reply.set(kMembers);
  for (int i = 0; i < kMembers; ++i) reply.integer(i);
}

void map(resp::ReplyWriter& reply) {
  reply.map(kMembers);
  for (int i = 0; i < kMembers; ++i) {
    reply.integer(i);
    reply.boolean(i == 1);
  }
}

// Only RESP3 has attributes: in RESP2 the reply that they belong to stands alone.
void attribute(resp::ReplyWriter& reply) {
  if (reply.protocol() == resp::Protocol::resp3) {
    reply.raw("|1\r\n");
    reply.bulk("key-popularity");
    reply.array(2);
    reply.bulk("key:123");
    reply.integer(90);
  }
  reply.bulk("Some real reply following the attribute");
}

void push(resp::ReplyWriter& reply) {
  if (reply.protocol() == resp::Protocol::resp2) {
    return reply.error("ERR RESP2 is not supported by this command");
  }
  reply.push(2);
  reply.bulk("server-cpu-usage");
  reply.integer(42);
  reply.bulk("Some real reply following the push reply");
}

}  // namespace

void reply_sample(Context& context, Arguments& arguments) {
  auto& reply = context.reply;
  const auto type = to_lower(arguments[2]);
  if (type == "string") return reply.bulk("Hello World");
  if (type == "integer") return reply.integer(12345);
  if (type == "double") return reply.real(3.141);
  if (type == "null") return reply.null();
  if (type == "array") return array(reply);
  if (type == "set") return set(reply);
  if (type == "map") return map(reply);
  if (type == "attrib") return attribute(reply);
  if (type == "push") return push(reply);
  if (type == "true" || type == "false") return reply.boolean(type == "true");
  if (type == "bignum") return reply.big_number("1234567999999999999999999999999999999");
  if (type == "verbatim") return reply.verbatim("txt", "This is a verbatim\nstring");
  reply.error(
      "ERR Wrong protocol type name. Please use one of the following: "
      "string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false");
}

}  // namespace fencepost::commands
