// MONITOR: every request of every client, as it runs.
#include "commands/server/monitor.h"

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/server/redaction.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

// MONITOR: the engine sends the lines from now on.
void monitor(Context& context, Arguments&) {
  if (context.in_transaction) {
    return context.reply.error("ERR MONITOR isn't allowed for DENY BLOCKING client");
  }
  if (!context.session.monitoring) ++context.process.monitor_count;
  context.session.monitoring = true;
  context.reply.simple("OK");
}

}  // namespace

void monitor_line(std::string& out, const Context& context, Arguments arguments) {
  const auto unix_ms = context.now.wall().time_since_epoch().count();
  const auto fraction = std::to_string(unix_ms % 1000 * 1000);
  out += '+';
  append_integer(out, unix_ms / 1000);
  out.append(".").append(6 - fraction.size(), '0').append(fraction).append(" [");
  append_integer(out, context.session.database);
  out.append(" ").append(context.in_script ? "lua" : context.session.address).append("]");
  for (const auto word : redacted(arguments.all())) out.append(" ").append(quoted(word));
  out += "\r\n";
}

Command monitor_command() {
  return {.name = "MONITOR",
          .group = "server",
          .since = "1.0.0",
          .summary = "Shows the requests of all clients from now on.",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = Flag::admin | Flag::no_script | Flag::loading | Flag::stale,
          .compat = {Compat::differs, "moments in whole milliseconds"},
          .run = monitor};
}

}  // namespace fencepost::commands
