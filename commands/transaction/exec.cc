// EXEC run as one entry, and what the engine asks about an open transaction.
#include "commands/transaction/exec.h"

#include <fmt/format.h>

#include "base/check.h"
#include "commands/transaction/rows.h"

namespace fencepost::commands {

namespace {

void forget_watches(Context& context) {
  if (!context.session.watching) return;
  context.state.watches().forget(context.session.id);
  context.session.watching = false;
}

void run_one(Context& context, Arguments arguments, const RunOne& run) {
  const Resolved resolved = resolve(arguments);
  if (resolved.command == nullptr || !resolved.error.empty()) {
    return context.reply.error(resolved.error);
  }
  if (run) {
    run(context, resolved, arguments);
  } else {
    resolved.command->run(context, arguments);
  }
  check(!context.parked, "nothing waits inside a transaction");
}

// By CLIENT REPLY; a push is sent all the same.
bool is_silent(const Session& session) {
  return session.replies == ReplyMode::off || session.replies == ReplyMode::skip_this;
}

void run_queue(Context& context, std::span<const std::span<const std::string_view>> requests,
               const RunOne& run) {
  for (const auto& request : requests) {
    const std::size_t before = context.reply.size();
    context.unsilenced = false;
    run_one(context, Arguments{request}, run);
    if (is_silent(context.session) && !context.unsilenced) context.reply.rewind(before);
  }
  context.unsilenced = true;  // what is left is to be sent
}

std::size_t bytes_of(Arguments arguments) {
  std::size_t bytes = 0;
  for (const std::string_view word : arguments.all()) bytes += word.size();
  return bytes;
}

// What a queue takes of memory, about: many small requests take more than their words.
std::size_t weight(std::size_t requests, std::size_t words, std::size_t bytes) {
  constexpr std::size_t kPerRequest = 64;
  constexpr std::size_t kPerWord = 48;
  return kPerRequest * requests + kPerWord * words + bytes;
}

}  // namespace

std::size_t queue_memory(const Transaction& transaction) {
  return weight(transaction.queue.size(), transaction.words, transaction.bytes);
}

bool is_exec(const Command& command) {
  return command.run == &exec;
}

void reject(Context& context, const Command* command, std::string_view error) {
  if (command != nullptr && is_exec(*command)) {
    discard_transaction(context);
    if (error.starts_with("ERR ")) error.remove_prefix(4);
    return context.reply.error(
        fmt::format("EXECABORT Transaction discarded because of: {}", error));
  }
  context.session.transaction.refused = context.session.transaction.open;
  context.reply.error(error);
}

bool queues(const Session& session, const Command& command) {
  return session.transaction.open && !has(command.flags, Flag::transaction);
}

void enqueue(Context& context, const Command& command, Arguments arguments) {
  Transaction& transaction = context.session.transaction;
  if (has(command.flags, Flag::no_multi)) {
    return reject(context, &command, "ERR Command not allowed inside a transaction");
  }
  // Once a command was refused, EXEC will run none: nothing more is kept.
  if (!transaction.refused) {
    const std::size_t bytes = transaction.bytes + bytes_of(arguments);
    const auto limit =
        static_cast<std::size_t>(context.process.settings.values.query_buffer_limit_bytes);
    const std::size_t words = transaction.words + arguments.size();
    if (weight(transaction.queue.size() + 1, words, bytes) > limit) {
      return reject(context, &command, "ERR Transaction is larger than client-query-buffer-limit");
    }
    transaction.words = words;
    transaction.bytes = bytes;
    transaction.queue.emplace_back(arguments.all().begin(), arguments.all().end());
  }
  context.reply.simple("QUEUED");
}

bool exec_is_an_entry(const Session& session) {
  return session.transaction.open && !session.transaction.refused;
}

void run_transaction(Context& context, std::span<const std::span<const std::string_view>> requests,
                     const RunOne& run) {
  const bool broken =
      context.session.watching && context.state.watches().broken(context.session.id);
  forget_watches(context);
  if (broken) {
    context.reply.null_array();
  } else {
    context.may_wait = false;
    context.in_transaction = true;
    if (!is_silent(context.session)) context.reply.array(requests.size());
    run_queue(context, requests, run);
  }
  context.session.transaction = Transaction{};  // last, for the requests may be views into it
}

void discard_transaction(Context& context) {
  context.session.transaction = Transaction{};
  forget_watches(context);
}

}  // namespace fencepost::commands
