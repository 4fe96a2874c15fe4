// The two ends of a list: their words, and taking from them.
#include "commands/list/ends.h"

#include <algorithm>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "commands/blocking.h"
#include "commands/events.h"

namespace fencepost::commands {

namespace {

// A whole number above 0; null when it is none: then the command is answered with `error`.
std::optional<std::int64_t> positive_or_reply(Context& context, std::string_view text,
                                              std::string_view error) {
  const auto number = parse_integer(text);
  if (number && *number > 0) return number;
  context.reply.error(error);
  return std::nullopt;
}

// Behind the key there may be no room for it any more: then it stays.
void pop_one(Context& context, const Held<state::List>& list, std::string_view key, End end) {
  const std::size_t last = list.value().size() - 1;
  context.reply.bulk(list.value().at(end == End::front ? 0 : last));
  if (context.reply.was_cut()) return;
  list.value().drop(end, 1);
  taken(context, list, key, pop_event(end));
}

}  // namespace

std::optional<End> end_or_reply(Context& context, std::string_view word) {
  if (same_word(word, "LEFT")) return End::front;
  if (same_word(word, "RIGHT")) return End::back;
  context.reply.error(kSyntaxError);
  return std::nullopt;
}

std::string_view push_event(End end) {
  return end == End::front ? "lpush" : "rpush";
}

std::string_view pop_event(End end) {
  return end == End::front ? "lpop" : "rpop";
}

void taken(Context& context, const Held<state::List>& list, std::string_view key,
           std::string_view event) {
  notify(context, EventClass::list, event, key);
  end_told_then_changed(context, list, key);
}

void pop_several(Context& context, const Held<state::List>& list, std::string_view key, End end,
                 std::uint64_t count) {
  const std::size_t size = list.value().size();
  const auto popped = static_cast<std::size_t>(std::min<std::uint64_t>(count, size));
  context.reply.array(popped);
  for (std::size_t at = 0; at < popped; ++at) {
    context.reply.bulk(list.value().at(end == End::front ? at : size - 1 - at));
  }
  if (context.reply.was_cut()) return;
  list.value().drop(end, popped);
  taken(context, list, key, pop_event(end));
}

bool pop_first(Context& context, const PopAsk& ask) {
  for (const std::string_view key : ask.keys) {
    if (!is_asked(context, key)) continue;
    const auto list = change_as<state::List>(context, key);
    if (!list) return true;
    if (list->absent()) continue;
    context.reply.array(2);
    context.reply.bulk(key);
    if (ask.count) {
      pop_several(context, *list, key, ask.end, static_cast<std::uint64_t>(*ask.count));
    } else {
      pop_one(context, *list, key, ask.end);
    }
    return true;
  }
  return false;
}

std::optional<PopAsk> pop_ask_or_reply(Context& context, std::span<const std::string_view> words) {
  const auto keys = positive_or_reply(context, words[0], "ERR numkeys should be greater than 0");
  if (!keys) return std::nullopt;
  if (std::cmp_greater_equal(*keys, words.size() - 1)) {
    context.reply.error(kSyntaxError);
    return std::nullopt;
  }
  const auto count = static_cast<std::size_t>(*keys);
  const auto end = end_or_reply(context, words[1 + count]);
  if (!end) return std::nullopt;
  PopAsk ask{.keys = words.subspan(1, count), .end = *end, .count = std::nullopt};
  for (std::size_t at = 2 + count; at < words.size(); at += 2) {
    if (ask.count || !same_word(words[at], "COUNT") || at + 1 == words.size()) {
      context.reply.error(kSyntaxError);
      return std::nullopt;
    }
    ask.count = positive_or_reply(context, words[at + 1], "ERR count should be greater than 0");
    if (!ask.count) return std::nullopt;
  }
  ask.count = ask.count.value_or(1);
  return ask;
}

}  // namespace fencepost::commands
