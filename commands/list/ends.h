// The two ends of a list: their words, and taking from them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "commands/collection.h"
#include "commands/context.h"
#include "state/list.h"

namespace fencepost::commands {

using End = state::List::End;

// LEFT or RIGHT, in any letter case; null when it is neither: then the command is answered.
std::optional<End> end_or_reply(Context& context, std::string_view word);

// "lpush" and "rpush", "lpop" and "rpop": the events.
std::string_view push_event(End end);
std::string_view pop_event(End end);

// To be called once something was taken out of the list at `key`, which goes when it was the last.
void taken(Context& context, const Held<state::List>& list, std::string_view key,
           std::string_view event);

// Answers the first `count` elements from that end, and takes them out; of a reply that is too
// large, none. At most all there are.
void pop_several(Context& context, const Held<state::List>& list, std::string_view key, End end,
                 std::uint64_t count);

// Several keys, and how much is to be taken from the first of them that has a list.
struct PopAsk {
  std::span<const std::string_view> keys;
  End end = End::front;
  std::optional<std::int64_t> count;  // null: one element, answered by itself
};

// False when none of the keys has a list, and nothing is answered.
bool pop_first(Context& context, const PopAsk& ask);

// The words of LMPOP behind the ones before `numkeys`: numkeys key [key ...] LEFT|RIGHT [COUNT n].
// Null when they make no sense: then the command is answered.
std::optional<PopAsk> pop_ask_or_reply(Context& context, std::span<const std::string_view> words);

}  // namespace fencepost::commands
