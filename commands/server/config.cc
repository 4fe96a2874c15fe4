// CONFIG GET, SET, RESETSTAT, REWRITE, HELP.
#include "commands/server/config.h"

#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/help.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

// CONFIG GET parameter [parameter ...]
void config_get(Context& context, Arguments& args) {
  const auto words = args.from(2);
  const auto found = context.process.settings.matching({words.begin(), words.end()});
  context.reply.map(found.size());
  for (const auto& [name, value] : found) {
    context.reply.bulk(name);
    context.reply.bulk(value);
  }
}

// CONFIG SET parameter value [parameter value ...]: all or none.
void config_set(Context& context, Arguments& args) {
  if (args.size() % 2 != 0) return context.reply.error(kSyntaxError);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t at = 2; at < args.size(); at += 2) pairs.emplace_back(args[at], args[at + 1]);
  const Result<void> set = context.process.settings.set_at_run_time(pairs);
  if (!set) return context.reply.error(set.error().what);
  context.reply.simple("OK");
}

// CONFIG RESETSTAT
void config_resetstat(Context& context, Arguments&) {
  Statistics& statistics = context.process.statistics;
  statistics.reset();
  statistics.lapsed_keys_at_reset = context.state.lapsed_count();
  context.reply.simple("OK");
}

// CONFIG REWRITE
void config_rewrite(Context& context, Arguments&) {
  Process& process = context.process;
  if (process.identity.config_file.empty()) {
    return context.reply.error("ERR The server is running without a config file");
  }
  const Result<void> rewritten = process.rewrite_config ? process.rewrite_config(process.settings)
                                                        : failure("this server cannot write files");
  if (!rewritten) {
    return context.reply.error(
        fmt::format("ERR Rewriting config file: {}", rewritten.error().what));
  }
  context.reply.simple("OK");
}

constexpr Flag kFlags = Flag::admin | Flag::no_script | Flag::loading | Flag::stale;
constexpr Category kCategories = Category::admin | Category::slow | Category::dangerous;

constexpr Command kGet = {
    .name = "GET",
    .group = "server",
    .since = "2.0.0",
    .summary = "Shows the parameters whose names match.",
    .syntax = "parameter [parameter ...]",
    .complexity = "O(n) for n parameters",
    .arity = at_least(3),
    .effect = Effect::session,
    .flags = kFlags,
    .categories = kCategories,
    .compat = {Compat::differs, "in the order of the names; other parameters"},
    .run = config_get};

constexpr Command kSet = {.name = "SET",
                          .group = "server",
                          .since = "2.0.0",
                          .summary = "Sets parameters, all of them or none.",
                          .syntax = "parameter value [parameter value ...]",
                          .complexity = "O(n) for n parameters",
                          .arity = at_least(4),
                          .effect = Effect::session,
                          .flags = kFlags,
                          .categories = kCategories,
                          .compat = {Compat::differs, "other parameters; some have no effect here"},
                          .run = config_set,
                          .tips = "request_policy:all_nodes response_policy:all_succeeded"};

constexpr Command kResetStat = {.name = "RESETSTAT",
                                .group = "server",
                                .since = "2.0.0",
                                .summary = "Sets the counters of INFO back.",
                                .syntax = "",
                                .complexity = "O(1)",
                                .arity = exactly(2),
                                .effect = Effect::session,
                                .flags = kFlags,
                                .categories = kCategories,
                                .compat = kSame,
                                .run = config_resetstat};

constexpr Command kRewrite = {.name = "REWRITE",
                              .group = "server",
                              .since = "2.8.0",
                              .summary = "Writes the present values into the config file.",
                              .syntax = "",
                              .complexity = "O(1)",
                              .arity = exactly(2),
                              .effect = Effect::session,
                              .flags = kFlags,
                              .categories = kCategories,
                              .compat = kSame,
                              .run = config_rewrite};

constexpr Command kHelp = {.name = "HELP",
                           .group = "server",
                           .since = "5.0.0",
                           .summary = "Says what CONFIG can do.",
                           .syntax = "",
                           .complexity = "O(1)",
                           .arity = exactly(2),
                           .effect = Effect::session,
                           .flags = Flag::loading | Flag::stale,
                           .categories = Category::slow,
                           .compat = {Compat::differs, "in our own words"},
                           .run = reply_help};

constexpr std::array kSubcommands{kGet, kSet, kResetStat, kRewrite, kHelp};

constexpr Command kConfig = {.name = "CONFIG",
                             .group = "server",
                             .since = "2.0.0",
                             .summary = "Parameters: what they are and what they shall be.",
                             .syntax = "",
                             .complexity = "Depends on the subcommand",
                             .arity = at_least(2),
                             .effect = Effect::session,
                             .categories = Category::slow,
                             .compat = {Compat::differs, "other parameters"},
                             .subcommands = kSubcommands};

}  // namespace

const Command& config_command() {
  return kConfig;
}

}  // namespace fencepost::commands
