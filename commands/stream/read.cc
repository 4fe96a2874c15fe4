// XREAD: what came to streams behind ids that the caller knows, waiting for it if there is nothing.
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/blocking.h"
#include "commands/collection.h"
#include "commands/rows.h"
#include "commands/stream/family.h"
#include "commands/stream/id.h"
#include "commands/stream/reply.h"

namespace fencepost::commands {

namespace {

using state::Stream;
using state::StreamId;

// XREAD [COUNT n] [BLOCK ms] STREAMS key ... id ...: the keys begin at the word `keys_at`, their
// ids `stream_count` words behind.
struct ReadAsk {
  std::size_t keys_at = 0;
  std::size_t stream_count = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();
  std::optional<Instant> deadline;  // BLOCK
};

struct Wanted {
  std::string_view key;
  StreamId behind;
};

bool refuse(Context& context, std::string_view error) {
  context.reply.error(error);
  return false;
}

// Takes the option at `at` and moves on behind it.
bool take_option_or_reply(Context& context, const Arguments& args, std::size_t& at, ReadAsk& ask) {
  const std::string_view word = args[at];
  const std::size_t more = args.size() - at - 1;
  if (same_word(word, "BLOCK") && more > 0) {
    if (context.in_script) {
      context.reply.error("ERR " + std::string{args[0]} +
                          " command is not allowed with BLOCK option from scripts");
      return false;
    }
    ask.deadline = timeout_ms_or_reply(context, args[at + 1]);
    at += 2;
    return ask.deadline.has_value();
  }
  if (same_word(word, "COUNT") && more > 0) {
    const auto count = integer_or_reply(context, args[at + 1]);
    if (!count) return false;
    ask.most = *count <= 0 ? ReadAsk{}.most : static_cast<std::size_t>(*count);
    at += 2;
    return true;
  }
  if (same_word(word, "STREAMS") && more > 0) {
    if (more % 2 != 0) {
      return refuse(context,
                    "ERR Unbalanced XREAD list of streams: for each stream key an ID or "
                    "'$' must be specified.");
    }
    ask.keys_at = at + 1;
    ask.stream_count = more / 2;
    return true;
  }
  if (same_word(word, "GROUP") && more > 1) {
    return refuse(
        context, "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.");
  }
  if (same_word(word, "NOACK")) {
    return refuse(
        context, "ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.");
  }
  return refuse(context, kSyntaxError);
}

std::optional<ReadAsk> read_ask_or_reply(Context& context, const Arguments& args) {
  ReadAsk ask;
  for (std::size_t at = 1; at < args.size() && ask.keys_at == 0;) {
    if (!take_option_or_reply(context, args, at, ask)) return std::nullopt;
  }
  if (ask.keys_at > 0) return ask;
  context.reply.error(kSyntaxError);
  return std::nullopt;
}

// "$" is the last id as it is now.
std::optional<StreamId> known_id_or_reply(Context& context, std::string_view word,
                                          const Stream* stream) {
  if (word == "$") return stream == nullptr ? state::kLeastId : stream->last_id();
  if (word == ">") {
    context.reply.error(
        "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> "
        "<consumer> option.");
    return std::nullopt;
  }
  return id_or_reply(context, word);
}

std::optional<std::vector<Wanted>> wanted_or_reply(Context& context, const Arguments& args,
                                                   const ReadAsk& ask) {
  std::vector<Wanted> all;
  for (std::size_t at = ask.keys_at; at < ask.keys_at + ask.stream_count; ++at) {
    const auto stream = read_as<Stream>(context, args[at]);
    if (!stream) return std::nullopt;
    const auto id = known_id_or_reply(context, args[at + ask.stream_count], *stream);
    if (!id) return std::nullopt;
    all.push_back({.key = args[at], .behind = *id});
  }
  return all;
}

void write_stream(Context& context, const Wanted& wanted, const Stream& stream, std::size_t most) {
  if (context.reply.protocol() == resp::Protocol::resp2) context.reply.array(2);
  context.reply.bulk(wanted.key);
  const StreamId first = state::next_id(wanted.behind).value_or(state::kGreatestId);
  write_entries(context.reply, stream, first, state::kGreatestId, Stream::Order::rising, most);
}

// False when no stream has anything, and nothing is answered. As in Redis, each is looked up a
// second time, which is one more hit or miss.
bool write_streams(Context& context, const std::vector<Wanted>& all, std::size_t most) {
  const std::size_t opened = context.reply.open();
  std::size_t count = 0;
  for (const Wanted& wanted : all) {
    const auto stream = read_as<Stream>(context, wanted.key);
    check(stream.has_value(), "all of them were looked up before");
    if (*stream == nullptr || (*stream)->last_entry_id() <= wanted.behind) continue;
    write_stream(context, wanted, **stream, most);
    ++count;
  }
  if (count == 0) return false;
  if (context.reply.protocol() == resp::Protocol::resp2) {
    context.reply.close_array(opened, count);
  } else {
    context.reply.close_map(opened, count);
  }
  return true;
}

// The same words with ids for "$": it means what it did when the request came.
void wait_for(Context& context, const Arguments& args, const ReadAsk& ask,
              const std::vector<Wanted>& all) {
  std::vector<std::string> ids;
  for (const Wanted& wanted : all) ids.push_back(to_text(wanted.behind));
  std::vector<std::string_view> words{args.all().begin(), args.all().end()};
  for (std::size_t i = 0; i < ids.size(); ++i) words[ask.keys_at + ask.stream_count + i] = ids[i];
  park(context, words,
       {.first_key = ask.keys_at,
        .key_count = ask.stream_count,
        .wanted = state::Type::stream,
        .deadline = *ask.deadline});
}

// Something was added to that stream. Of a key that is named twice the first id counts. When what
// was added is gone again, there is nothing to be told but that.
void read_again(Context& context, const Arguments& args, const ReadAsk& ask) {
  const std::string_view key = *context.ready_key;
  std::size_t at = ask.keys_at;
  while (args[at] != key) ++at;
  const auto stream = read_as<Stream>(context, key);
  const auto behind = id_or_reply(context, args[at + ask.stream_count]);
  check(stream && *stream && behind, "only what was understood is parked, and a stream is there");
  if ((*stream)->last_id() <= *behind) return park(context, args.all(), {});
  if (context.reply.protocol() == resp::Protocol::resp2) {
    context.reply.array(1);
  } else {
    context.reply.map(1);
  }
  write_stream(context, {.key = key, .behind = *behind}, **stream, ask.most);
}

void xread(Context& context, Arguments& args) {
  const auto ask = read_ask_or_reply(context, args);
  if (!ask) return;
  if (context.ready_key) return read_again(context, args, *ask);
  const auto all = wanted_or_reply(context, args, *ask);
  if (!all || write_streams(context, *all, ask->most)) return;
  if (!ask->deadline || !context.may_wait) return context.reply.null_array();
  wait_for(context, args, *ask, *all);
}

constexpr Command kRows[] = {
    {.name = "XREAD",
     .group = "stream",
     .since = "5.0.0",
     .summary = "Answers what came to streams behind the ids given, waiting for it if asked to.",
     .syntax = "[COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]",
     .complexity = "O(k log m + n) for k streams of m entries and n that are answered",
     .arity = at_least(4),
     .keys = {.keyword = "STREAMS"},
     .effect = Effect::read,
     .flags = Flag::blocking | Flag::movable_keys,
     .categories = Category::read | Category::stream | Category::slow | Category::blocking,
     .compat = kSame,
     .run = xread},
};

}  // namespace

std::span<const Command> stream_read_commands() {
  return kRows;
}

}  // namespace fencepost::commands
