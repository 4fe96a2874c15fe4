// Elements of sorted sets, as they are answered and as they are stored.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "commands/context.h"
#include "state/sorted_set.h"

namespace fencepost::commands {

enum class Scores : bool { left_out, shown };

// What zset-max-listpack-entries and -value say.
state::SortedSet::Compact compact_limits(const Context& context);

std::unique_ptr<state::SortedSet> make_sorted_set(Context& context);

// A list of the members, with their scores: in RESP2 in one row, in RESP3 as pairs.
void write_elements(resp::ReplyWriter& reply, std::span<const state::ScoredMember> elements,
                    Scores scores);
// One element of such a list.
void write_element(resp::ReplyWriter& reply, const state::ScoredMember& element, Scores scores);

// The key gets that value, whatever it was, and the answer is how many members it has. Without a
// member the key ends.
void store_and_reply(Context& context, std::string_view key, std::unique_ptr<state::SortedSet> made,
                     std::string_view event);

}  // namespace fencepost::commands
