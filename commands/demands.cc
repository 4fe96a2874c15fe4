// What a request may do to the server, asked before it runs: change something, or take memory.
#include "commands/demands.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "commands/script/intent.h"
#include "commands/table.h"
#include "commands/transaction/exec.h"

namespace fencepost::commands {

namespace {

using Question = bool (*)(Process&, const Command&, Arguments);

bool writes(Process& process, const Command& command, Arguments arguments) {
  if (const auto intent = script_intent(process, command, arguments)) return intent->writes;
  return command.effect == Effect::write || has(command.flags, Flag::may_replicate);
}

bool grows(Process& process, const Command& command, Arguments arguments) {
  if (const auto intent = script_intent(process, command, arguments)) return intent->grows;
  return has(command.flags, Flag::deny_oom);
}

// Of scripts it is not known before they call something.
bool changes_keys(Process&, const Command& command, Arguments) {
  return command.effect == Effect::write && !has(command.flags, Flag::effect_of_inner);
}

bool any_queued(Process& process, const Session& session, Question question) {
  const auto& queue = session.transaction.queue;
  std::vector<std::string_view> words;
  return std::any_of(queue.begin(), queue.end(), [&](const std::vector<std::string>& request) {
    words.assign(request.begin(), request.end());
    const Arguments arguments{words};
    const Resolved found = resolve(arguments);
    return found.command != nullptr && question(process, *found.command, arguments);
  });
}

bool ends_transaction(const Command& command) {
  return command.name == "DISCARD" || command.name == "QUIT" || command.name == "RESET";
}

}  // namespace

bool may_write(Process& process, const Session& session, const Command& command,
               Arguments arguments) {
  if (is_exec(command)) return any_queued(process, session, &writes);
  return writes(process, command, arguments);
}

bool is_write(Process& process, const Session& session, const Command& command,
              Arguments arguments) {
  if (is_exec(command)) return any_queued(process, session, &changes_keys);
  return changes_keys(process, command, arguments);
}

bool takes_memory(Process& process, const Session& session, const Command& command,
                  Arguments arguments) {
  if (is_exec(command)) return any_queued(process, session, &grows);
  if (session.transaction.open) return !ends_transaction(command);
  return grows(process, command, arguments);
}

}  // namespace fencepost::commands
