// EVAL and its companions: a script runs as one entry, to its end, and sees nothing but what its
// caller may see.
#include <array>
#include <optional>

#include "commands/arguments.h"
#include "commands/errors.h"
#include "commands/lookup.h"
#include "commands/process.h"
#include "commands/rows.h"
#include "commands/script/caller.h"
#include "commands/script/rows.h"
#include "commands/script/scripts.h"

namespace fencepost::commands {

namespace {

constexpr std::string_view kNoScript = "NOSCRIPT No matching script. Please use EVAL.";
constexpr std::size_t kNameLength = 40;

// EVAL script numkeys [key ...] [arg ...]: how many of the arguments are keys; nothing when it was
// answered.
std::optional<std::size_t> key_count_or_reply(Context& context, const Arguments& args) {
  const auto count = integer_or_reply(context, args[2]);
  if (!count) return std::nullopt;
  if (*count > static_cast<std::int64_t>(args.size()) - 3) {
    context.reply.error("ERR Number of keys can't be greater than number of args");
    return std::nullopt;
  }
  if (*count < 0) {
    context.reply.error("ERR Number of keys can't be negative");
    return std::nullopt;
  }
  return static_cast<std::size_t>(*count);
}

void run(Context& context, const Arguments& args, const Script& script, std::size_t key_count,
         ScriptAccess access) {
  const SettingValues& values = context.process.settings.values;
  if (script.declares && !script.writes_nothing && values.lacks_replicas()) {
    return context.reply.error(kNoReplicas);
  }
  if (access == ScriptAccess::read_only && script.declares && !script.writes_nothing) {
    return context.reply.error("ERR Can not execute a script with write flag using *_ro command.");
  }
  if (script.writes_nothing) access = ScriptAccess::read_only;
  ScriptCaller caller{context, access};
  if (script.may_exceed_memory) caller.allow_out_of_memory();
  context.errors_are_counted = true;
  script::Sandbox& sandbox = context.process.scripts.sandbox();
  sandbox.set_limits({.memory = static_cast<std::size_t>(values.script_max_memory_bytes),
                      .steps = static_cast<std::uint64_t>(values.script_max_steps)});
  sandbox.run(script.compiled,
              {.name = script.name,
               .keys = args.between(3, 3 + key_count),
               .arguments = args.from(3 + key_count),
               .chance = context.random.next()},
              caller, context.reply);
}

void run_text(Context& context, const Arguments& args, ScriptAccess access) {
  const auto key_count = key_count_or_reply(context, args);
  if (!key_count) return;
  const auto script = context.process.scripts.load(args[1], Scripts::Came::with_eval);
  if (!script) return context.reply.error(script.error().what);
  run(context, args, **script, *key_count, access);
}

void run_named(Context& context, const Arguments& args, ScriptAccess access) {
  if (args[1].size() != kNameLength) return context.reply.error(kNoScript);
  const auto key_count = key_count_or_reply(context, args);
  if (!key_count) return;
  const Script* script = context.process.scripts.find(args[1]);
  if (script == nullptr) return context.reply.error(kNoScript);
  run(context, args, *script, *key_count, access);
}

void eval(Context& context, Arguments& args) {
  run_text(context, args, ScriptAccess::read_write);
}
void eval_ro(Context& context, Arguments& args) {
  run_text(context, args, ScriptAccess::read_only);
}
void evalsha(Context& context, Arguments& args) {
  run_named(context, args, ScriptAccess::read_write);
}
void evalsha_ro(Context& context, Arguments& args) {
  run_named(context, args, ScriptAccess::read_only);
}

constexpr Flag kFlags = Flag::no_script | Flag::stale | Flag::skip_monitor |
                        Flag::no_mandatory_keys | Flag::movable_keys;
constexpr KeyPositions kReadKeys{.count_at = 2, .use = KeyUse::read_only | KeyUse::access};
constexpr KeyPositions kWriteKeys{.count_at = 2,
                                  .use = KeyUse::read_write | KeyUse::access | KeyUse::update};
constexpr CompatNote kDiffers{Compat::differs,
                              "no coroutines, no cjson.new; os.clock as in 7.2; "
                              "limits of memory, steps and time"};

constexpr std::array kRows{
    Command{.name = "EVAL",
            .group = "scripting",
            .since = "2.6.0",
            .summary = "Runs a script, and remembers it for EVALSHA.",
            .syntax = "script numkeys [key [key ...]] [arg [arg ...]]",
            .complexity = "That of the script",
            .arity = at_least(3),
            .keys = kWriteKeys,
            .effect = Effect::write,
            .flags = kFlags | Flag::effect_of_inner,
            .categories = Category::scripting | Category::slow,
            .compat = kDiffers,
            .run = eval},
    Command{.name = "EVALSHA",
            .group = "scripting",
            .since = "2.6.0",
            .summary = "Runs a script that the server knows, by the SHA-1 of its text.",
            .syntax = "sha1 numkeys [key [key ...]] [arg [arg ...]]",
            .complexity = "That of the script",
            .arity = at_least(3),
            .keys = kWriteKeys,
            .effect = Effect::write,
            .flags = kFlags | Flag::effect_of_inner | Flag::names_script,
            .categories = Category::scripting | Category::slow,
            .compat = kDiffers,
            .run = evalsha},
    Command{.name = "EVAL_RO",
            .group = "scripting",
            .since = "7.0.0",
            .summary = "Runs a script that may not write.",
            .syntax = "script numkeys [key [key ...]] [arg [arg ...]]",
            .complexity = "That of the script",
            .arity = at_least(3),
            .keys = kReadKeys,
            .effect = Effect::read,
            .flags = kFlags | Flag::effect_of_inner,
            .categories = Category::scripting | Category::slow,
            .compat = kDiffers,
            .run = eval_ro},
    Command{.name = "EVALSHA_RO",
            .group = "scripting",
            .since = "7.0.0",
            .summary = "Runs a known script that may not write, by the SHA-1 of its text.",
            .syntax = "sha1 numkeys [key [key ...]] [arg [arg ...]]",
            .complexity = "That of the script",
            .arity = at_least(3),
            .keys = kReadKeys,
            .effect = Effect::read,
            .flags = kFlags | Flag::effect_of_inner | Flag::names_script,
            .categories = Category::scripting | Category::slow,
            .compat = kDiffers,
            .run = evalsha_ro},
};

}  // namespace

std::span<const Command> eval_rows() {
  return kRows;
}

}  // namespace fencepost::commands
