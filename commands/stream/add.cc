// XADD: an entry comes to the end of a stream.
#include <algorithm>
#include <optional>

#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/events.h"
#include "commands/rows.h"
#include "commands/stream/family.h"
#include "commands/stream/trim.h"

namespace fencepost::commands {

namespace {

using state::StreamId;

constexpr std::size_t kMostFieldBytes = 1 << 30;

bool fields_make_sense_or_reply(Context& context, state::StreamFields fields) {
  if (fields.size() >= 2 && fields.size() % 2 == 0) return true;
  context.reply.error("ERR wrong number of arguments for 'xadd' command");
  return false;
}

bool fields_fit_or_reply(Context& context, state::StreamFields fields) {
  std::size_t bytes = 0;
  for (const std::string_view text : fields) bytes += text.size();
  if (bytes <= kMostFieldBytes) return true;
  context.reply.error("ERR Elements are too large to be stored");
  return false;
}

// The present moment, unless the stream is ahead of it.
std::optional<StreamId> id_of_now(const Context& context, StreamId last) {
  const auto ms = static_cast<std::uint64_t>(context.now.wall().time_since_epoch().count());
  return ms > last.ms ? StreamId{ms, 0} : state::next_id(last);
}

// The id that the entry gets; null when the one that was asked for is not above the last.
std::optional<StreamId> id_of_entry(const Context& context, const std::optional<NewId>& asked,
                                    StreamId last) {
  if (!asked) return id_of_now(context, last);
  if (!asked->number_given && asked->id.ms == last.ms) {
    if (last.number == state::kGreatestNumber) return std::nullopt;
    return StreamId{last.ms, last.number + 1};
  }
  return asked->id > last ? std::optional{asked->id} : std::nullopt;
}

std::optional<StreamId> id_of_entry_or_reply(Context& context, const std::optional<NewId>& asked,
                                             StreamId last) {
  if (last == state::kGreatestId) {
    context.reply.error(
        "ERR The stream has exhausted the last possible ID, unable to add more items");
    return std::nullopt;
  }
  const auto id = id_of_entry(context, asked, last);
  if (!id) {
    context.reply.error(
        "ERR The ID specified in XADD is equal or smaller than the target stream top item");
  }
  return id;
}

void xadd(Context& context, Arguments& args) {
  const std::string_view key = args[1];
  const auto options = stream_options_or_reply(context, args, OptionsOf::xadd);
  if (!options) return;
  const auto fields = args.from(std::min(options->fields_at, args.size()));
  if (!fields_make_sense_or_reply(context, fields)) return;
  if (options->id && options->id->number_given && options->id->id == state::kLeastId) {
    return context.reply.error("ERR The ID specified in XADD must be greater than 0-0");
  }
  auto stream = change_as<state::Stream>(context, key);
  if (!stream) return;
  if (stream->absent() && !options->make_stream) return context.reply.null();
  const StreamId last = stream->absent() ? state::kLeastId : stream->value().last_id();
  const auto id = id_of_entry_or_reply(context, options->id, last);
  if (!id || !fields_fit_or_reply(context, fields)) return;
  if (stream->absent() && !key_fits_or_reply(context, key)) return;
  state::Stream& entries = stream->value_or_make(context);
  entries.add(*id, fields, node_limits(context));
  context.reply.bulk(to_text(*id));
  context.keys().touched(stream->item());
  notify(context, EventClass::stream, "xadd", key);
  if (options->trim && entries.trim(*options->trim) > 0) {
    notify(context, EventClass::stream, "xtrim", key);
  }
  // Those who wait do so for an entry and not for the stream.
  context.state.parked().touch(context.database(), key, state::Type::stream);
}

constexpr Command kRows[] = {
    {.name = "XADD",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Puts an entry at the end of a stream and answers its id.",
     .syntax = "key [NOMKSTREAM] [<MAXLEN | MINID> [= | ~] threshold [LIMIT count]] <* | id> "
               "field value [field value ...]",
     .complexity = "O(1); O(n) for n entries that are trimmed",
     .arity = at_least(5),
     .keys = used(kFirstKey, KeyUse::read_write | KeyUse::update),
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::fast,
     .categories = Category::write | Category::stream | Category::fast,
     .compat = kSame,
     .run = xadd,
     .tips = "nondeterministic_output"},
};

}  // namespace

std::span<const Command> stream_add_commands() {
  return kRows;
}

}  // namespace fencepost::commands
