// CLIENT KILL: closes the connections that all of its filters mean.
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "commands/connection/client_list.h"
#include "commands/connection/login.h"
#include "commands/connection/rows.h"
#include "commands/errors.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

struct Filter {
  std::optional<std::string_view> address;
  std::optional<std::string_view> local_address;
  std::optional<std::int64_t> id;
  std::optional<ClientType> type;
  std::optional<std::string_view> user;
  bool skip_me = true;

  bool means(const Session& session) const {
    return (!address || session.address == *address) &&
           (!local_address || session.local_address == *local_address) &&
           (!id || session.id == static_cast<ClientId>(*id)) &&
           (!type || type_of(session) == *type) &&
           // Who has not logged in yet is nobody's connection.
           (!user || (session.logged_in && session.user == *user));
  }
};

// Reads one option and its value into the filter, answering the error itself.
bool read_option_or_reply(Context& context, Filter& filter, std::string_view option,
                          std::string_view value) {
  if (same_word(option, "ID")) {
    filter.id = parse_integer(value);
    if (filter.id && *filter.id > 0) return true;
    context.reply.error("ERR client-id should be greater than 0");
    return false;
  }
  if (same_word(option, "TYPE")) {
    filter.type = client_type_or_reply(context, value);
    return filter.type.has_value();
  }
  if (same_word(option, "USER")) {
    filter.user = value;
    if (value == kDefaultUser) return true;
    context.reply.error(fmt::format("ERR No such user '{}'", value));
    return false;
  }
  if (same_word(option, "ADDR")) {
    filter.address = value;
  } else if (same_word(option, "LADDR")) {
    filter.local_address = value;
  } else if (same_word(option, "SKIPME") && same_word(value, "yes")) {
    filter.skip_me = true;
  } else if (same_word(option, "SKIPME") && same_word(value, "no")) {
    filter.skip_me = false;
  } else {
    context.reply.error(kSyntaxError);
    return false;
  }
  return true;
}

std::optional<Filter> filter_or_reply(Context& context, Arguments& args) {
  Filter filter;
  for (std::size_t at = 2; at < args.size(); at += 2) {
    if (at + 1 == args.size()) {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
    if (!read_option_or_reply(context, filter, args[at], args[at + 1])) return std::nullopt;
  }
  return filter;
}

std::int64_t kill(Context& context, const Filter& filter) {
  std::int64_t killed = 0;
  for (const auto& [id, session] : context.process.clients) {
    if (session->close_now) continue;  // killed earlier in this very EXEC
    const bool is_me = id == context.session.id;
    if (!filter.means(*session) || (is_me && filter.skip_me)) continue;
    (is_me ? session->close_after_reply : session->close_now) = true;
    ++killed;
  }
  return killed;
}

// CLIENT KILL ip:port: the old form, which spares nobody.
// CLIENT KILL [ID id] [TYPE type] [USER name] [ADDR ip:port] [LADDR ip:port] [SKIPME YES | NO] ...
void client_kill(Context& context, Arguments& args) {
  if (args.size() == 3) {
    Filter filter;
    filter.address = args[2];
    filter.skip_me = false;
    if (kill(context, filter) == 0) return context.reply.error("ERR No such client");
    return context.reply.simple("OK");
  }
  const std::optional<Filter> filter = filter_or_reply(context, args);
  if (filter) context.reply.integer(kill(context, *filter));
}

}  // namespace

Command client_kill_command() {
  return {
      .name = "KILL",
      .group = "connection",
      .since = "2.4.0",
      .summary = "Closes the connections that the filters mean.",
      .syntax =
          "<ip:port | <[ID client-id] | [TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] | "
          "[USER username] | [ADDR ip:port] | [LADDR ip:port] | [SKIPME <YES | NO>] ...>>",
      .complexity = "O(n) for n clients",
      .arity = at_least(3),
      .effect = Effect::session,
      .flags = Flag::admin | Flag::no_script | Flag::loading | Flag::stale,
      .categories = Category::admin | Category::slow | Category::dangerous | Category::connection,
      .compat = kSame,
      .run = client_kill};
}

}  // namespace fencepost::commands
