// The commands that a script calls: the same rows as outside, with the same arity and effect.
#include "commands/script/caller.h"

#include "base/check.h"
#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/table.h"

namespace fencepost::commands {

namespace {

// Why a script may not run that request; empty when it may.
std::string_view refusal(const Resolved& found, ScriptAccess access) {
  if (found.command == nullptr) return "ERR Unknown Redis command called from script";
  if (!found.error.empty()) return "ERR Wrong number of args calling Redis command from script";
  if (has(found.command->flags, Flag::no_script)) {
    return "ERR This Redis command is not allowed from script";
  }
  if (access == ScriptAccess::read_only && found.command->effect == Effect::write) {
    return "ERR Write commands are not allowed from read-only scripts.";
  }
  return {};
}

}  // namespace

ScriptCaller::ScriptCaller(Context& context, ScriptAccess access)
    : context_{context},
      access_{access},
      database_{context.session.database},
      protocol_{context.session.protocol} {}

ScriptCaller::~ScriptCaller() {
  context_.session.database = database_;
}

void ScriptCaller::count_rejected(const Resolved& found) {
  CommandStatistics& counted = context_.process.statistics.commands[found.command];
  if (counted.name.empty()) counted.name = full_name(found.container, *found.command);
  ++counted.rejected;
}

void ScriptCaller::call(std::span<const std::string_view> words, resp::Protocol protocol,
                        std::string& reply) {
  resp::ReplyWriter writer{reply, protocol};
  const Arguments arguments{words};
  const Resolved found = resolve(arguments);
  const std::string_view refused = refusal(found, access_);
  const auto refuse = [&](std::string_view why) {
    if (context_.process.count_error) context_.process.count_error(why);
    if (found.command) count_rejected(found);
    writer.error(why);
  };
  if (!refused.empty()) return refuse(refused);
  // Once it has written it is let go on: half of it would be worse.
  if (context_.memory_full && !may_exceed_memory_ && !wrote_ &&
      has(found.command->flags, Flag::deny_oom)) {
    return refuse(kOutOfMemory);
  }
  const bool writes = found.command->effect == Effect::write;
  if (writes && !wrote_ && context_.process.settings.values.lacks_replicas()) {
    return refuse(kNoReplicas);
  }
  wrote_ = wrote_ || writes;
  Context inner{.state = context_.state,
                .process = context_.process,
                .session = context_.session,
                .reply = writer,
                .random = context_.random,
                .now = context_.now,
                .may_wait = false,
                .in_transaction = context_.in_transaction,
                .in_script = true,
                .memory_full = context_.memory_full};
  context_.session.protocol = protocol;
  if (context_.process.run_inner) {
    context_.process.run_inner(inner, found, arguments);
  } else {
    Arguments copy = arguments;
    found.command->run(inner, copy);
  }
  context_.session.protocol = protocol_;
  check(!inner.parked, "nothing waits inside a script");
}

// There are no users with fewer rights yet: whoever runs the script may run all that there is.
std::optional<bool> ScriptCaller::allows(std::span<const std::string_view> words) {
  if (resolve(Arguments{words}).command == nullptr) return std::nullopt;
  return true;
}

void ScriptCaller::log(script::LogLevel, std::string_view text) {
  if (context_.process.log) context_.process.log(text);
}

// What a command answered was counted when it did.
void ScriptCaller::note_error(std::string_view text, bool known) {
  context_.failed = true;
  if (!known && context_.process.count_error) context_.process.count_error(text);
}

std::optional<std::string> ScriptCaller::interrupted() {
  if (!context_.process.interrupt_script) return std::nullopt;
  return context_.process.interrupt_script(wrote_);
}

}  // namespace fencepost::commands
