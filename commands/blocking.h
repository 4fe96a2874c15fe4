// Commands that wait for a key to have something for them: BLPOP and its like.
//
//   for (key : keys) if (is_asked(context, key) && serve(key)) return;
//   if (!context.may_wait) return context.reply.null_array();
//   park(context, args.all(), {.first_key = 1, .key_count = n, .wanted = state::Type::list,
//                              .deadline = *deadline});
//
// A parked request is run again, from its beginning, each time one of its keys has come to be of
// the type that is wanted; it either answers then, or parks again and keeps its place.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "commands/context.h"

namespace fencepost::commands {

// Whether the request is to look at this key: at any when it comes, later at the one that changed.
inline bool is_asked(const Context& context, std::string_view key) {
  return !context.ready_key || *context.ready_key == key;
}

// For what, and until when (kNever: for ever). The keys stand side by side in the request.
struct Wait {
  std::size_t first_key = 1;
  std::size_t key_count = 1;
  state::Type wanted = state::Type::list;
  Instant deadline = kNever;
};

// The caller waits for one of the keys to be of the type `wanted`, and is told a null array when
// none is in time; or is answered that too much is waited for already. `request` is what is run
// again: mostly the words as they came; a word that means something else later on (XREAD's $) is to
// be replaced.
void park(Context& context, std::span<const std::string_view> request, const Wait& wait);

// Reads a timeout in seconds with a fraction, 0 for never, as the moment after which the wait is
// over; null when it is none: then the command is answered.
std::optional<Instant> timeout_or_reply(Context& context, std::string_view seconds);
// The same in whole milliseconds.
std::optional<Instant> timeout_ms_or_reply(Context& context, std::string_view milliseconds);

}  // namespace fencepost::commands
