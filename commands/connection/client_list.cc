// CLIENT LIST and CLIENT INFO.
#include "commands/connection/client_list.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/number.h"
#include "base/text.h"
#include "commands/connection/rows.h"
#include "commands/errors.h"
#include "commands/rows.h"
#include "commands/transaction/exec.h"

namespace fencepost::commands {

namespace {

// The peer of a Unix socket has a path and port 0, which no TCP peer has.
bool is_unix(const Session& session) {
  return session.address.ends_with(":0");
}

// One letter a trait; N for none.
std::string flags_of(Context& context, const Session& session) {
  std::string flags;
  if (session.monitoring) flags += 'O';
  if (session.subscribed()) flags += 'P';
  if (session.transaction.open) flags += 'x';
  if (session.waiting || session.paused) flags += 'b';
  if (session.tracking.on) flags += 't';
  if (session.tracking.redirect_broken) flags += 'R';
  if (session.tracking.broadcast) flags += 'B';
  if (session.watching && context.state.watches().broken(session.id)) flags += 'd';
  if (session.close_after_reply) flags += 'c';
  if (session.close_now) flags += 'A';
  if (is_unix(session)) flags += 'U';
  if (session.no_evict) flags += 'e';
  if (session.no_touch) flags += 'T';
  return flags.empty() ? "N" : flags;
}

std::int64_t seconds_since(Instant then, Now now) {
  return std::chrono::duration_cast<std::chrono::seconds>(now.log - then).count();
}

std::string lines(Context& context, Arguments args, const auto& is_meant) {
  std::string text;
  for (const auto& [id, session] : context.process.clients) {
    if (!is_meant(*session)) continue;
    text += client_line(context, *session, args);
    text += '\n';
  }
  return text;
}

// As an array of bulk strings, which is how clients send requests.
std::size_t bytes_on_the_wire(Arguments request) {
  const auto header = [](std::size_t number) { return fmt::formatted_size("*{}\r\n", number); };
  std::size_t bytes = header(request.size());
  for (const std::string_view word : request.all()) bytes += header(word.size()) + word.size() + 2;
  return bytes;
}

// CLIENT LIST [TYPE NORMAL | MASTER | REPLICA | PUBSUB] [ID client-id [client-id ...]]
void client_list(Context& context, Arguments& args) {
  if (args.size() == 2) {
    return context.reply.verbatim("txt", lines(context, args, [](const Session&) { return true; }));
  }
  if (args.size() == 4 && same_word(args[2], "TYPE")) {
    const std::optional<ClientType> type = client_type_or_reply(context, args[3]);
    if (!type) return;
    return context.reply.verbatim("txt", lines(context, args, [type](const Session& session) {
                                    return type_of(session) == *type;
                                  }));
  }
  if (args.size() < 4 || !same_word(args[2], "ID")) return context.reply.error(kSyntaxError);
  std::vector<std::int64_t> ids;
  for (const std::string_view word : args.from(3)) {
    const std::optional<std::int64_t> id = parse_integer(word);
    if (!id) return context.reply.error("ERR Invalid client ID");
    ids.push_back(*id);
  }
  std::string text;  // in the order asked for, as Redis does
  for (const std::int64_t id : ids) {
    const auto found = context.process.clients.find(static_cast<ClientId>(id));
    if (found == context.process.clients.end()) continue;
    text += client_line(context, *found->second, args);
    text += '\n';
  }
  context.reply.verbatim("txt", text);
}

// CLIENT INFO
void client_info(Context& context, Arguments& args) {
  context.reply.verbatim("txt", client_line(context, context.session, args) + '\n');
}

}  // namespace

std::optional<ClientType> client_type(std::string_view word) {
  if (same_word(word, "normal")) return ClientType::normal;
  if (same_word(word, "slave") || same_word(word, "replica")) return ClientType::replica;
  if (same_word(word, "master")) return ClientType::master;
  if (same_word(word, "pubsub")) return ClientType::pubsub;
  return std::nullopt;
}

// A MONITOR client is a normal one, in redis-server 7.0.15 too.
ClientType type_of(const Session& session) {
  return session.subscribed() ? ClientType::pubsub : ClientType::normal;
}

std::optional<ClientType> client_type_or_reply(Context& context, std::string_view word) {
  const std::optional<ClientType> type = client_type(word);
  if (!type) context.reply.error(fmt::format("ERR Unknown client type '{}'", word));
  return type;
}

std::size_t client_memory(state::State& state, const Process& process, const Session& session) {
  constexpr std::size_t kPerSubscription = 128;
  return sizeof(Session) + session.input_bytes + session.argument_bytes + session.awaited_bytes +
         session.output_bytes + queue_memory(session.transaction) +
         state.watches().bytes_of(session.id) + kPerSubscription * session.subscription_count() +
         process.subscriptions.bytes_of(session.id) +
         process.tracked_keys.prefix_bytes_of(session.id);
}

std::string client_line(Context& context, const Session& session, Arguments request) {
  const Transaction& transaction = session.transaction;
  const std::int64_t queued =
      transaction.open ? static_cast<std::int64_t>(transaction.queue.size()) : -1;
  const std::size_t asking = &session == &context.session ? bytes_on_the_wire(request) : 0;
  const std::size_t input = session.input_bytes + asking;
  const std::size_t memory = client_memory(context.state, context.process, session) + asking;
  const std::size_t in_first_block = std::min<std::size_t>(session.output_bytes, 16 * 1024);
  std::string line = fmt::format(
      "id={} addr={} laddr={} fd={} name={} age={} idle={} flags={} db={} sub={} psub={} ssub={} "
      "multi={} ",
      static_cast<std::uint64_t>(session.id), session.address, session.local_address,
      session.descriptor, session.name, seconds_since(session.connected_at, context.now),
      seconds_since(session.last_active_at, context.now), flags_of(context, session),
      session.database, session.subscribed_to(Audience::channel),
      session.subscribed_to(Audience::pattern), session.subscribed_to(Audience::shard), queued);
  line += fmt::format(
      "qbuf={} qbuf-free=0 argv-mem={} multi-mem={} rbs=0 rbp=0 obl={} oll=0 omem={} tot-mem={} "
      "events={} cmd={} user={} redir={} resp={} lib-name={} lib-ver={}",
      input, session.argument_bytes, queue_memory(transaction), in_first_block,
      session.output_bytes - in_first_block, memory, session.output_bytes == 0 ? "r" : "rw",
      session.last_command.empty() ? "NULL" : session.last_command, session.user,
      redirection_of(session), static_cast<int>(session.protocol), session.library_name,
      session.library_version);
  return line;
}

Command client_list_command() {
  return {
      .name = "LIST",
      .group = "connection",
      .since = "2.4.0",
      .summary = "Shows the connected clients, a line each.",
      .syntax = "[TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] [ID client-id [client-id ...]]",
      .complexity = "O(n) for n clients",
      .arity = at_least(2),
      .effect = Effect::session,
      .flags = Flag::admin | Flag::no_script | Flag::loading | Flag::stale,
      .categories = Category::admin | Category::slow | Category::dangerous | Category::connection,
      .compat = {Compat::differs,
                 "lib-name and lib-ver as Redis 7.2; buffers that do not exist here are 0"},
      .run = client_list,
      .tips = "nondeterministic_output"};
}

Command client_info_command() {
  return {.name = "INFO",
          .group = "connection",
          .since = "6.2.0",
          .summary = "Shows this client as CLIENT LIST does.",
          .syntax = "",
          .complexity = "O(1)",
          .arity = exactly(2),
          .effect = Effect::session,
          .flags = Flag::no_script | Flag::loading | Flag::stale,
          .categories = Category::slow | Category::connection,
          .compat = {Compat::differs,
                     "lib-name and lib-ver as Redis 7.2; buffers that do not exist here are 0"},
          .run = client_info,
          .tips = "nondeterministic_output"};
}

}  // namespace fencepost::commands
