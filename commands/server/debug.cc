// DEBUG: what test suites ask for, behind enable-debug-command.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/help.h"
#include "commands/server/debug_protocol.h"
#include "commands/server/digest.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

// From 127.0.0.1, ::1 or a Unix socket.
bool is_local(std::string_view address) {
  return address.starts_with("127.0.0.1:") || address.starts_with("[::1]:") ||
         address.starts_with("/");
}

bool is_allowed(const Context& context) {
  const auto& enabled = context.process.settings.values.enable_debug_command;
  return enabled == "yes" || (enabled == "local" && is_local(context.session.address));
}

void set_active_expire(Context& context, Arguments& args) {
  context.process.active_expire = args[2] != "0";
  context.reply.simple("OK");
}

void accept(Context& context, Arguments&) {
  context.reply.simple("OK");
}

// DEBUG SLEEP seconds: the whole server stands still. What is no number counts as 0, as in Redis.
void sleep(Context& context, Arguments& arguments) {
  constexpr long double kLongestSeconds = 3600;
  const auto seconds =
      std::clamp<long double>(parse_real(arguments[2]).value_or(0), 0, kLongestSeconds);
  const Duration span{std::llround(seconds * 1000)};
  if (context.process.sleep) context.process.sleep(span);
  context.reply.simple("OK");
}

// DEBUG ERROR text
void error(Context& context, Arguments& arguments) {
  context.reply.error(arguments[2]);
}

// DEBUG LOG text
void log(Context& context, Arguments& arguments) {
  if (context.process.log) context.process.log("DEBUG LOG: " + one_line(arguments[2]));
  context.reply.simple("OK");
}

// DEBUG DIGEST
void digest(Context& context, Arguments&) {
  context.reply.simple(Digest::of_state(context.state).text());
}

// DEBUG DIGEST-VALUE key [key ...]
void digest_values(Context& context, Arguments& arguments) {
  const auto keys = arguments.from(2);
  context.reply.array(keys.size());
  for (const auto key : keys) {
    const auto* item = context.keys().find(context.database(), key);
    context.reply.simple(item == nullptr ? std::string(40, '0') : Digest::of_value(*item).text());
  }
}

// DEBUG OBJECT key
void object(Context& context, Arguments& arguments) {
  const auto* item = context.keys().find(context.database(), arguments[2]);
  if (item == nullptr) return context.reply.error(kNoSuchKey);
  const auto idle_s = (context.keys().clock() - item->last_used()).count() / 1000;
  const auto length = item->is_string()       ? item->text().size()
                      : item->is_collection() ? item->collection().size()
                                              : item->lock().size();
  context.reply.simple(
      "type:" + std::string{state::type_name(item->type())} + " length:" + std::to_string(length) +
      " fence:" + std::to_string(item->fence) + " lru_seconds_idle:" + std::to_string(idle_s));
}

// DEBUG RELOAD, DEBUG LOADAOF
void reload(Context& context, Arguments&) {
  context.reply.error("ERR this version keeps its state in memory and writes no files");
}

void help(Context& context, Arguments& arguments);

// Redis has no rows for these, and answers a wrong number of arguments and a wrong name alike.
struct Subcommand {
  std::string_view name;
  std::string_view syntax;
  std::string_view summary;
  Arity arity;
  Handler run;
};

constexpr std::array kSubcommands{
    Subcommand{"CHANGE-REPL-ID", "", "Accepted; there is no replication.", exactly(2), accept},
    Subcommand{"DIGEST", "", "A fingerprint of all keys, values and fences.", exactly(2), digest},
    Subcommand{"DIGEST-VALUE", "<key> [<key> ...]", "A fingerprint of each value.", at_least(3),
               digest_values},
    Subcommand{"ERROR", "<text>", "Answers that error.", exactly(3), error},
    Subcommand{"HELP", "", "This text.", exactly(2), help},
    Subcommand{"JMAP", "", "Accepted; does nothing.", exactly(2), accept},
    Subcommand{"LOADAOF", "", "Refused: this version keeps no files.", exactly(2), reload},
    Subcommand{"LOG", "<text>", "Writes a line to the server's log.", exactly(3), log},
    Subcommand{"OBJECT", "<key>", "What is known of a key.", exactly(3), object},
    Subcommand{"PROTOCOL", "<type>", "Answers a sample of the type.", exactly(3), reply_sample},
    Subcommand{"RELOAD", "[<option> ...]", "Refused: this version keeps no files.", at_least(2),
               reload},
    Subcommand{"SET-ACTIVE-EXPIRE", "<0|1>",
               "0: leases end only once somebody looks at their keys.", exactly(3),
               set_active_expire},
    Subcommand{"SET-DISABLE-DENY-SCRIPTS", "<0|1>", "Accepted; does nothing.", exactly(3), accept},
    Subcommand{"SLEEP", "<seconds>", "Stops the whole server for that long.", exactly(3), sleep},
};

void help(Context& context, Arguments&) {
  std::vector<HelpLine> lines;
  for (const auto& row : kSubcommands) lines.push_back({row.name, row.syntax, row.summary});
  write_help(context, "DEBUG", lines);
}

// DEBUG subcommand [argument ...]
void debug(Context& context, Arguments& arguments) {
  if (!is_allowed(context)) {
    return context.reply.error(
        "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", "
        "you can run it from "
        "a local connection, otherwise you need to set this option in the configuration file, and "
        "then restart the "
        "server.");
  }
  for (const auto& row : kSubcommands) {
    if (same_word(row.name, arguments[1]) && row.arity.admits(arguments.size()))
      return row.run(context, arguments);
  }
  const auto shown = arguments[1].substr(0, 128);
  context.reply.error("ERR unknown subcommand or wrong number of arguments for '" +
                      std::string{shown} + "'. Try DEBUG HELP.");
}

}  // namespace

Command debug_command() {
  return {.name = "DEBUG",
          .group = "server",
          .since = "1.0.0",
          .summary = "Tools for those who test this server.",
          .syntax = "subcommand [arg [arg ...]]",
          .complexity = "Depends on subcommand.",
          .arity = at_least(2),
          .effect = Effect::session,
          .flags = Flag::admin | Flag::no_script | Flag::loading | Flag::stale,
          .compat = {Compat::differs, "a dozen subcommands; DEBUG HELP lists them"},
          .run = debug};
}

}  // namespace fencepost::commands
