// MAXLEN, MINID and LIMIT: how XADD and XTRIM are told what to remove.
#pragma once

#include <optional>

#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/stream/id.h"
#include "state/stream.h"

namespace fencepost::commands {

// The words of XADD up to its fields, or all of XTRIM's.
struct StreamOptions {
  std::optional<state::StreamTrim> trim;
  bool make_stream = true;
  std::optional<NewId> id;    // XADD: null for "*"
  std::size_t fields_at = 0;  // XADD
};

enum class OptionsOf { xadd, xtrim };

// Null when they make no sense: then the command is answered.
std::optional<StreamOptions> stream_options_or_reply(Context& context, const Arguments& args,
                                                     OptionsOf command);

state::StreamNodeLimits node_limits(const Context& context);

}  // namespace fencepost::commands
