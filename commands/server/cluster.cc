// CLUSTER and its companions: this server is no Redis Cluster, and says so in Redis's words, which
// clients look for.
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/server/rows.h"

namespace fencepost::commands {
namespace {

void refuse(Context& context, Arguments&) {
  context.reply.error("ERR This instance has cluster support disabled");
}

Command alone(std::string_view name, std::string_view summary, Flag flags) {
  return {.name = name,
          .group = "cluster",
          .since = "3.0.0",
          .summary = summary,
          .complexity = "O(1)",
          .arity = exactly(1),
          .effect = Effect::session,
          .flags = flags,
          .categories = Category::connection,
          .run = refuse};
}

}  // namespace

Command cluster_command() {
  return {.name = "CLUSTER",
          .group = "cluster",
          .since = "3.0.0",
          .summary = "Refused: cluster support is disabled.",
          .syntax = "subcommand [arg [arg ...]]",
          .complexity = "O(1)",
          .arity = at_least(2),
          .effect = Effect::session,
          .compat = {Compat::differs, "no subcommand is known, HELP included"},
          .run = refuse};
}

Command readonly_command() {
  return alone("READONLY", "Refused: cluster support is disabled.",
               Flag::loading | Flag::stale | Flag::fast);
}

Command readwrite_command() {
  return alone("READWRITE", "Refused: cluster support is disabled.",
               Flag::loading | Flag::stale | Flag::fast);
}

Command asking_command() {
  return alone("ASKING", "Refused: cluster support is disabled.", Flag::fast);
}

}  // namespace fencepost::commands
