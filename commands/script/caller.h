// The commands that a script calls: the same rows as outside, with the same arity and effect.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "commands/context.h"
#include "script/host.h"

namespace fencepost::commands {

// What a script may do with the keys.
enum class ScriptAccess { read_write, read_only };

// The host of one run. SELECT in the script holds for the script alone.
class ScriptCaller final : public script::Host {
 public:
  ScriptCaller(Context& context, ScriptAccess access);
  ~ScriptCaller() override;
  // The script says that it may run when memory is full.
  void allow_out_of_memory() { may_exceed_memory_ = true; }
  ScriptCaller(const ScriptCaller&) = delete;
  ScriptCaller& operator=(const ScriptCaller&) = delete;

  void call(std::span<const std::string_view> words, resp::Protocol protocol,
            std::string& reply) override;
  std::optional<bool> allows(std::span<const std::string_view> words) override;
  void log(script::LogLevel level, std::string_view text) override;
  void note_error(std::string_view text, bool known) override;
  std::optional<std::string> interrupted() override;

 private:
  void count_rejected(const Resolved& found);

  Context& context_;
  ScriptAccess access_;
  DatabaseIndex database_;  // of the session, as it is outside of the script
  resp::Protocol protocol_;
  bool wrote_ = false;
  bool may_exceed_memory_ = false;
};

}  // namespace fencepost::commands
