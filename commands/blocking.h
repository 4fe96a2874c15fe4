// Commands that wait for a key to have something for them: BLPOP and its like.
//
//   for (key : keys) if (is_asked(context, key) && serve(key)) return;
//   if (!context.may_wait) return context.reply.null_array();
//   park(context, args.all(), keys, state::Type::list, *deadline);
//
// A parked request is run again, from its beginning, each time one of its keys was changed; it
// either answers then, or parks again and keeps its place.
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

// The caller waits for one of the keys to be of the type `wanted`, until `deadline` (kNever: for
// ever), and is then told a null array. `request` is what is run again: mostly the words as they
// came; a word that means something else later on (XREAD's $) is to be replaced.
void park(Context& context, std::span<const std::string_view> request,
          std::span<const std::string_view> keys, state::Type wanted, Instant deadline);

// Reads a timeout in seconds with a fraction, 0 for never, as the moment after which the wait is
// over; null when it is none: then the command is answered.
std::optional<Instant> timeout_or_reply(Context& context, std::string_view seconds);

}  // namespace fencepost::commands
