// Elements of sorted sets, as they are answered and as they are stored.
#include "commands/sorted_set/elements.h"

#include <utility>

#include "commands/events.h"
#include "commands/lookup.h"

namespace fencepost::commands {

state::SortedSet::Compact compact_limits(const Context& context) {
  const SettingValues& values = context.process.settings.values;
  return {.members = static_cast<std::size_t>(values.zset_listpack_entries),
          .member_bytes = static_cast<std::size_t>(values.zset_listpack_value)};
}

std::unique_ptr<state::SortedSet> make_sorted_set(Context& context) {
  return std::make_unique<state::SortedSet>(context.keys().hash_seed());
}

void write_element(resp::ReplyWriter& reply, const state::ScoredMember& element, Scores scores) {
  if (scores == Scores::left_out) return reply.bulk(element.member);
  if (reply.protocol() == resp::Protocol::resp3) reply.array(2);
  reply.bulk(element.member);
  reply.real(element.score);
}

void write_elements(resp::ReplyWriter& reply, std::span<const state::ScoredMember> elements,
                    Scores scores) {
  const bool in_pairs = reply.protocol() == resp::Protocol::resp3;
  reply.array(scores == Scores::shown && !in_pairs ? 2 * elements.size() : elements.size());
  for (const state::ScoredMember& element : elements) write_element(reply, element, scores);
}

void store_and_reply(Context& context, std::string_view key, std::unique_ptr<state::SortedSet> made,
                     std::string_view event) {
  const state::Spot spot = look(context, key);
  const auto size = static_cast<std::int64_t>(made->size());
  if (size > 0) {
    made->settle(compact_limits(context));
    context.keys().put_value(
        spot, state::Value{std::unique_ptr<state::Collection>{std::move(made)}}, kNever);
    context.reply.integer(size);
    return notify(context, EventClass::sorted_set, event, key);
  }
  context.reply.integer(0);
  if (!spot) return;
  context.keys().erase(*spot.item);
  notify(context, EventClass::generic, "del", key);
}

}  // namespace fencepost::commands
