// XTRIM, XDEL and XSETID: entries go, and ids are set. A stream without entries stays.
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/rows.h"
#include "commands/stream/family.h"
#include "commands/stream/trim.h"

namespace fencepost::commands {

namespace {

using state::StreamId;

void xtrim(Context& context, Arguments& args) {
  const auto options = stream_options_or_reply(context, args, OptionsOf::xtrim);
  if (!options) return;
  const auto stream = change_as<state::Stream>(context, args[1]);
  if (!stream) return;
  if (stream->absent()) return context.reply.integer(0);
  const std::size_t removed = stream->value().trim(*options->trim);
  if (removed > 0) {
    notify(context, EventClass::stream, "xtrim", args[1]);
    context.keys().touched(stream->item());
  }
  context.reply.integer(static_cast<std::int64_t>(removed));
}

void xdel(Context& context, Arguments& args) {
  const auto stream = change_as<state::Stream>(context, args[1]);
  if (!stream) return;
  if (stream->absent()) return context.reply.integer(0);
  std::vector<StreamId> ids;
  for (const std::string_view word : args.from(2)) {
    const auto id = id_or_reply(context, word);
    if (!id) return;
    ids.push_back(*id);
  }
  std::int64_t removed = 0;
  for (const StreamId id : ids) removed += stream->value().remove(id) ? 1 : 0;
  if (removed > 0) {
    context.keys().touched(stream->item());
    notify(context, EventClass::stream, "xdel", args[1]);
  }
  context.reply.integer(removed);
}

struct SetIdAsk {
  StreamId id;
  std::optional<std::int64_t> added;
  StreamId greatest_removed;  // 0-0: as it is
};

std::optional<SetIdAsk> set_id_ask_or_reply(Context& context, const Arguments& args) {
  const auto refuse = [&context](std::string_view error) {
    context.reply.error(error);
    return std::nullopt;
  };
  const auto id = id_or_reply(context, args[2]);
  if (!id) return std::nullopt;
  SetIdAsk ask{.id = *id, .added = std::nullopt, .greatest_removed = {}};
  for (std::size_t at = 3; at < args.size(); at += 2) {
    const bool has_value = at + 1 < args.size();
    if (has_value && same_word(args[at], "ENTRIESADDED")) {
      ask.added = integer_or_reply(context, args[at + 1]);
      if (!ask.added) return std::nullopt;
      if (*ask.added < 0) return refuse("ERR entries_added must be positive");
    } else if (has_value && same_word(args[at], "MAXDELETEDID")) {
      const auto removed = id_or_reply(context, args[at + 1]);
      if (!removed) return std::nullopt;
      if (*id < *removed) {
        return refuse(
            "ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id");
      }
      ask.greatest_removed = *removed;
    } else {
      return refuse(kSyntaxError);
    }
  }
  return ask;
}

// Why the ids of that stream cannot be set so; empty when they can.
std::string_view objection(const state::Stream& stream, const SetIdAsk& ask) {
  if (stream.size() == 0) return {};
  if (ask.id < stream.last_entry_id()) {
    return "ERR The ID specified in XSETID is smaller than the target stream top item";
  }
  if (ask.added && std::cmp_greater(stream.size(), *ask.added)) {
    return "ERR The entries_added specified in XSETID is smaller than the target stream length";
  }
  return {};
}

// As in Redis, neither who watches the stream nor who caches it is told; but it is kept.
void note_unsaid(Context& context, state::Item& item) {
  item.set_last_used(context.keys().clock());
  context.state.changed_keys().note(item.database, item.key());
}

void xsetid(Context& context, Arguments& args) {
  const auto ask = set_id_ask_or_reply(context, args);
  if (!ask) return;
  const auto held = change_as<state::Stream>(context, args[1]);
  if (!held) return;
  if (held->absent()) return context.reply.error(kNoSuchKey);
  state::Stream& stream = held->value();
  const std::string_view error = objection(stream, *ask);
  if (!error.empty()) return context.reply.error(error);
  stream.set_last_id(ask->id);
  if (ask->added) stream.set_added_count(static_cast<std::uint64_t>(*ask->added));
  if (ask->greatest_removed != state::kLeastId) {
    stream.set_greatest_removed_id(ask->greatest_removed);
  }
  context.reply.simple("OK");
  note_unsaid(context, held->item());
  notify(context, EventClass::stream, "xsetid", args[1]);
}

constexpr Command kRows[] = {
    {.name = "XTRIM",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Removes the oldest entries of a stream and counts them.",
     .syntax = "key <MAXLEN | MINID> [= | ~] threshold [LIMIT count]",
     .complexity = "O(n) for n entries that are removed",
     .arity = at_least(4),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .categories = Category::write | Category::stream | Category::slow,
     .compat = kSame,
     .run = xtrim,
     .tips = "nondeterministic_output"},
    {.name = "XDEL",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Removes entries by their ids and counts them.",
     .syntax = "key id [id ...]",
     .complexity = "O(log n) for every id and n entries",
     .arity = at_least(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::erase),
     .effect = Effect::write,
     .flags = Flag::fast,
     .categories = Category::write | Category::stream | Category::fast,
     .compat = kSame,
     .run = xdel},
    {.name = "XSETID",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Sets the last id of a stream, above which the next one is.",
     .syntax = "key last-id [ENTRIESADDED entries-added] [MAXDELETEDID max-deleted-id]",
     .complexity = "O(1)",
     .arity = at_least(3),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::stream | Category::fast,
     .compat = kSame,
     .run = xsetid},
};

}  // namespace

std::span<const Command> stream_edit_commands() {
  return kRows;
}

}  // namespace fencepost::commands
