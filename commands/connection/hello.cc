// HELLO: which protocol the connection speaks, with login and name in the same breath.
#include <optional>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "commands/connection/client_name.h"
#include "commands/connection/login.h"
#include "commands/connection/rows.h"
#include "commands/rows.h"
#include "commands/versions.h"

namespace fencepost::commands {

namespace {

struct Hello {
  std::optional<resp::Protocol> protocol;
  std::optional<std::string_view> user;
  std::string_view password;
  std::optional<std::string_view> name;
};

std::optional<resp::Protocol> protocol_or_reply(Context& context, std::string_view text) {
  const std::optional<std::int64_t> version = parse_integer(text);
  if (!version) {
    context.reply.error("ERR Protocol version is not an integer or out of range");
    return std::nullopt;
  }
  if (*version == 2) return resp::Protocol::resp2;
  if (*version == 3) return resp::Protocol::resp3;
  context.reply.error("NOPROTO unsupported protocol version");
  return std::nullopt;
}

std::optional<Hello> hello_or_reply(Context& context, Arguments& args) {
  Hello hello;
  if (args.size() == 1) return hello;
  hello.protocol = protocol_or_reply(context, args[1]);
  if (!hello.protocol) return std::nullopt;
  for (std::size_t at = 2; at < args.size(); ++at) {
    const std::size_t behind = args.size() - at - 1;
    if (same_word(args[at], "AUTH") && behind >= 2) {
      hello.user = args[at + 1];
      hello.password = args[at + 2];
      at += 2;
    } else if (same_word(args[at], "SETNAME") && behind >= 1) {
      hello.name = args[++at];
      if (!check_client_name_or_reply(context, *hello.name)) return std::nullopt;
    } else {
      context.reply.error(fmt::format("ERR Syntax error in HELLO option '{}'", args[at]));
      return std::nullopt;
    }
  }
  return hello;
}

bool logged_in_or_reply(Context& context, const Hello& hello) {
  if (hello.user) return log_in_or_reply(context, *hello.user, hello.password);
  if (!login_is_due(context.process.settings.values, context.session)) return true;
  context.reply.error(
      "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH "
      "<user> <pass> option can be used to authenticate the client and select the RESP protocol "
      "version at the same time");
  return false;
}

void describe_server(Context& context) {
  resp::ReplyWriter& reply = context.reply;
  reply.map(7);
  reply.bulk("server");
  reply.bulk("redis");  // libraries take another word here for a server they do not know
  reply.bulk("version");
  reply.bulk(kRedisVersion);
  reply.bulk("proto");
  reply.integer(static_cast<std::int64_t>(context.session.protocol));
  reply.bulk("id");
  reply.integer(static_cast<std::int64_t>(context.session.id));
  reply.bulk("mode");
  reply.bulk("standalone");
  reply.bulk("role");
  reply.bulk("master");
  reply.bulk("modules");
  reply.array(0);
}

// HELLO [protover [AUTH username password] [SETNAME clientname]]
// All is read and checked before anything is changed: a refused HELLO leaves the connection as it
// was.
void hello(Context& context, Arguments& args) {
  const std::optional<Hello> asked = hello_or_reply(context, args);
  if (!asked || !logged_in_or_reply(context, *asked)) return;
  Session& session = context.session;
  if (asked->name) session.name = *asked->name;
  if (asked->protocol) {
    session.protocol = *asked->protocol;
    context.reply.set_protocol(*asked->protocol);
  }
  describe_server(context);
}

}  // namespace

Command hello_command() {
  return {.name = "HELLO",
          .group = "connection",
          .since = "6.0.0",
          .summary = "Chooses RESP2 or RESP3, and may log in and name the connection.",
          .syntax = "[protover [AUTH username password] [SETNAME clientname]]",
          .complexity = "O(1)",
          .arity = at_least(1),
          .effect = Effect::session,
          .flags = Flag::no_script | Flag::loading | Flag::stale | Flag::fast | Flag::no_auth |
                   Flag::allow_busy,
          .categories = Category::fast | Category::connection,
          .compat = {Compat::differs,
                     "the version is that of the Redis whose behaviour may be expected; a refused "
                     "HELLO changes nothing, where Redis 7.0 may already have logged in"},
          .run = hello};
}

}  // namespace fencepost::commands
