// Ids of entries as requests name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "commands/context.h"
#include "state/stream_id.h"

namespace fencepost::commands {

// "5-1"; "5", where `missing` is the number. Null when it is none: then the command is answered.
std::optional<state::StreamId> id_or_reply(Context& context, std::string_view text,
                                           std::uint64_t missing = 0);

// What XADD takes besides: "5-*", whose number is to be found.
struct NewId {
  state::StreamId id;
  bool number_given = true;
};
std::optional<NewId> new_id_or_reply(Context& context, std::string_view text);

// An end of a range: an id, "-" for the least, "+" for the greatest; with "(" before an id, the one
// next to it.
std::optional<state::StreamId> range_start_or_reply(Context& context, std::string_view text);
std::optional<state::StreamId> range_end_or_reply(Context& context, std::string_view text);

}  // namespace fencepost::commands
