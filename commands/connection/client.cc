// CLIENT and its small subcommands: what a client says about itself and how it wants to be treated.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "commands/connection/client_name.h"
#include "commands/connection/rows.h"
#include "commands/errors.h"
#include "commands/help.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

// CLIENT ID
void client_id(Context& context, Arguments&) {
  context.reply.integer(static_cast<std::int64_t>(context.session.id));
}

// CLIENT GETNAME
void client_getname(Context& context, Arguments&) {
  if (context.session.name.empty()) return context.reply.null();
  context.reply.bulk(context.session.name);
}

// CLIENT SETNAME connection-name: the empty name takes it away.
void client_setname(Context& context, Arguments& args) {
  if (!check_client_name_or_reply(context, args[2])) return;
  context.session.name = args[2];
  context.reply.simple("OK");
}

// CLIENT SETINFO <LIB-NAME libname | LIB-VER libver>
void client_setinfo(Context& context, Arguments& args) {
  const bool is_name = same_word(args[2], "LIB-NAME");
  if (!is_name && !same_word(args[2], "LIB-VER")) {
    return context.reply.error(fmt::format("ERR Unrecognized option '{}'", args[2]));
  }
  if (!is_client_name(args[3])) {
    return context.reply.error(
        fmt::format("ERR {} cannot contain spaces, newlines or special characters.", args[2]));
  }
  if (args[3].size() > kMaxClientNameBytes) {
    return context.reply.error(
        fmt::format("ERR {} cannot be longer than {} bytes.", args[2], kMaxClientNameBytes));
  }
  Session& session = context.session;
  (is_name ? session.library_name : session.library_version) = args[3];
  context.reply.simple("OK");
}

// CLIENT REPLY <ON | OFF | SKIP>: OFF and SKIP are not answered themselves.
void client_reply(Context& context, Arguments& args) {
  Session& session = context.session;
  if (same_word(args[2], "ON")) {
    session.replies = ReplyMode::on;
    context.reply.simple("OK");
  } else if (same_word(args[2], "OFF")) {
    session.replies = ReplyMode::off;
  } else if (same_word(args[2], "SKIP")) {
    if (session.replies != ReplyMode::off) session.replies = ReplyMode::skip_next;
  } else {
    context.reply.error(kSyntaxError);
  }
}

// CLIENT UNBLOCK client-id [TIMEOUT | ERROR]
void client_unblock(Context& context, Arguments& args) {
  if (args.size() > 4) {
    return context.reply.error(fmt::format(
        "ERR unknown subcommand or wrong number of arguments for '{}'. Try CLIENT HELP.", args[1]));
  }
  const bool with_error = args.size() == 4 && same_word(args[3], "ERROR");
  if (args.size() == 4 && !with_error && !same_word(args[3], "TIMEOUT")) {
    return context.reply.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
  }
  const std::optional<std::int64_t> id = parse_integer(args[2]);
  if (!id) return context.reply.error(kNotAnInteger);
  const auto client = static_cast<ClientId>(*id);
  const bool was_waiting = context.process.unblock && context.process.unblock(client, with_error);
  context.reply.integer(was_waiting ? 1 : 0);
}

std::optional<bool> on_or_off_or_reply(Context& context, std::string_view word) {
  if (same_word(word, "ON")) return true;
  if (same_word(word, "OFF")) return false;
  context.reply.error(kSyntaxError);
  return std::nullopt;
}

// CLIENT NO-EVICT <ON | OFF>: whether maxmemory-clients may cut this one off.
void client_no_evict(Context& context, Arguments& args) {
  const std::optional<bool> on = on_or_off_or_reply(context, args[2]);
  if (!on) return;
  context.session.no_evict = *on;
  context.reply.simple("OK");
}

// CLIENT NO-TOUCH <ON | OFF>
void client_no_touch(Context& context, Arguments& args) {
  const std::optional<bool> on = on_or_off_or_reply(context, args[2]);
  if (!on) return;
  context.session.no_touch = *on;
  context.reply.simple("OK");
}

constexpr Flag kFlags = Flag::no_script | Flag::loading | Flag::stale;
constexpr Category kCategories = Category::slow | Category::connection;
constexpr Flag kAdminFlags = kFlags | Flag::admin;
constexpr Category kAdminCategories = kCategories | Category::admin | Category::dangerous;

constexpr Command kId = {.name = "ID",
                         .group = "connection",
                         .since = "5.0.0",
                         .summary = "Answers the number of the connection.",
                         .syntax = "",
                         .complexity = "O(1)",
                         .arity = exactly(2),
                         .effect = Effect::session,
                         .flags = kFlags,
                         .categories = kCategories,
                         .compat = kSame,
                         .run = client_id};

constexpr Command kGetName = {.name = "GETNAME",
                              .group = "connection",
                              .since = "2.6.9",
                              .summary = "Answers the name of the connection.",
                              .syntax = "",
                              .complexity = "O(1)",
                              .arity = exactly(2),
                              .effect = Effect::session,
                              .flags = kFlags,
                              .categories = kCategories,
                              .compat = kSame,
                              .run = client_getname};

constexpr Command kSetName = {.name = "SETNAME",
                              .group = "connection",
                              .since = "2.6.9",
                              .summary = "Names the connection.",
                              .syntax = "connection-name",
                              .complexity = "O(1)",
                              .arity = exactly(3),
                              .effect = Effect::session,
                              .flags = kFlags,
                              .categories = kCategories,
                              .compat = {Compat::differs, "names have at most 1024 bytes"},
                              .run = client_setname};

constexpr Command kSetInfo = {.name = "SETINFO",
                              .group = "connection",
                              .since = "7.2.0",
                              .summary = "Notes the name or version of the client library.",
                              .syntax = "<LIB-NAME libname | LIB-VER libver>",
                              .complexity = "O(1)",
                              .arity = exactly(4),
                              .effect = Effect::session,
                              .flags = kFlags,
                              .categories = kCategories,
                              .compat = {Compat::later, "at most 1024 bytes each"},
                              .run = client_setinfo};

constexpr Command kReply = {.name = "REPLY",
                            .group = "connection",
                            .since = "3.2.0",
                            .summary = "Switches the connection's replies on or off.",
                            .syntax = "<ON | OFF | SKIP>",
                            .complexity = "O(1)",
                            .arity = exactly(3),
                            .effect = Effect::session,
                            .flags = kFlags,
                            .categories = kCategories,
                            .compat = kSame,
                            .run = client_reply};

constexpr Command kUnblock = {.name = "UNBLOCK",
                              .group = "connection",
                              .since = "5.0.0",
                              .summary = "Ends the wait of another connection.",
                              .syntax = "client-id [TIMEOUT | ERROR]",
                              .complexity = "O(log n) for n clients",
                              .arity = at_least(3),
                              .effect = Effect::session,
                              .flags = kAdminFlags,
                              .categories = kAdminCategories,
                              .compat = kSame,
                              .run = client_unblock};

constexpr Command kNoEvict = {.name = "NO-EVICT",
                              .group = "connection",
                              .since = "7.0.0",
                              .summary = "Marks the connection as not to be evicted.",
                              .syntax = "<ON | OFF>",
                              .complexity = "O(1)",
                              .arity = exactly(3),
                              .effect = Effect::session,
                              .flags = kAdminFlags,
                              .categories = kAdminCategories,
                              .compat = kSame,
                              .run = client_no_evict};

constexpr Command kNoTouch = {.name = "NO-TOUCH",
                              .group = "connection",
                              .since = "7.2.0",
                              .summary = "Lets reads leave the idle time of keys alone.",
                              .syntax = "<ON | OFF>",
                              .complexity = "O(1)",
                              .arity = exactly(3),
                              .effect = Effect::session,
                              .flags = kFlags,
                              .categories = kCategories,
                              .compat = {Compat::later, ""},
                              .run = client_no_touch};

constexpr Command kHelp = {.name = "HELP",
                           .group = "connection",
                           .since = "5.0.0",
                           .summary = "Says what CLIENT can do.",
                           .syntax = "",
                           .complexity = "O(1)",
                           .arity = exactly(2),
                           .effect = Effect::session,
                           .flags = Flag::loading | Flag::stale,
                           .categories = kCategories,
                           .compat = {Compat::differs, "in our own words"},
                           .run = reply_help};

std::vector<Command> with_tracking(std::vector<Command> rows) {
  for (const Command& row : client_tracking_commands()) rows.push_back(row);
  return rows;
}

}  // namespace

Command client_command() {
  static const std::vector<Command> kSubcommands = with_tracking({
      kId,
      kGetName,
      kSetName,
      kSetInfo,
      kReply,
      kUnblock,
      kNoEvict,
      kNoTouch,
      client_list_command(),
      client_info_command(),
      client_kill_command(),
      client_pause_command(),
      client_unpause_command(),
      kHelp,
  });
  return {.name = "CLIENT",
          .group = "connection",
          .since = "2.4.0",
          .summary = "Connections: who is there, and how each is treated.",
          .syntax = "",
          .complexity = "Depends on the subcommand",
          .arity = at_least(2),
          .effect = Effect::session,
          .categories = Category::slow,
          .compat = kSame,
          .subcommands = kSubcommands};
}

}  // namespace fencepost::commands
