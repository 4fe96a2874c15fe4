// What a request to run a script will do, as far as the script's first line says.
#include "commands/script/intent.h"

#include "commands/script/shebang.h"

namespace fencepost::commands {

std::optional<ScriptIntent> script_intent(Process& process, const Command& command,
                                          Arguments arguments) {
  if (!has(command.flags, Flag::effect_of_inner) || arguments.size() < 2) return std::nullopt;
  if (command.name.starts_with("EVALSHA")) {
    const Script* script = process.scripts.find(arguments[1]);
    if (script == nullptr || !script->declares) return std::nullopt;
    return ScriptIntent{!script->writes_nothing, !script->may_exceed_memory};
  }
  const auto shebang = read_shebang(arguments[1]);
  if (!shebang || !shebang->present) return std::nullopt;
  return ScriptIntent{!shebang->writes_nothing, !shebang->may_exceed_memory};
}

}  // namespace fencepost::commands
