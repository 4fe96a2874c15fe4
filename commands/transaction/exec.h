// MULTI as the engine meets it: what is queued, what refuses a transaction, and EXEC run as one
// entry.
//
// The way of a request while `session.transaction` may be open; the engine asks, in this order:
//
//   1. refused by resolve(), login, or any other gate  -> reject(context, resolved.command, error)
//   2. queues(session, command)                        -> enqueue(context, arguments): +QUEUED,
//   nothing runs
//   3. is_exec(command), and exec_is_an_entry(session) -> an entry with transaction = true,
//   requests = the queue
//   4. anything else, EXEC too when 3. says no         -> the row's handler, as always; such an
//   EXEC answers its
//                                                         error and needs no entry
//
// When the entry comes back, the engine calls run_transaction() instead of a handler, with the
// session's database and `may_wait` false. The watch verdict belongs to that moment:
// State::advance(now) comes first.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "commands/arguments.h"
#include "commands/command.h"
#include "commands/context.h"
#include "commands/table.h"

namespace fencepost::commands {

// Answers a request that may not run, with the error's first word in `error` ("ERR ...", "NOAUTH
// ..."). Refuses an open transaction; an EXEC that is itself refused ends it with EXECABORT.
// `command` is null when the name is unknown.
void reject(Context& context, const Command* command, std::string_view error);

// The request is to be queued for EXEC: a transaction is open and the command is not one of those
// that run at once.
bool queues(const Session& session, const Command& command);
// Copies the request into the queue and answers +QUEUED. A request with Flag::no_multi is refused
// instead.
void enqueue(Context& context, const Command& command, Arguments arguments);

// What the queue takes of memory, about: as it is held against client-query-buffer-limit, as CLIENT
// LIST shows it and as it counts for maxmemory-clients.
std::size_t queue_memory(const Transaction& transaction);

bool is_exec(const Command& command);
// EXEC would run the queue: a transaction is open and nothing in it was refused.
bool exec_is_an_entry(const Session& session);

// Runs one request of a transaction. The engine passes the function that it runs every command
// with, so that counting, MONITOR and SLOWLOG see these requests as they see all others; without
// one the handler is called as it is.
using RunOne = std::function<void(Context&, const Resolved&, Arguments)>;

// Answers EXEC: null when a watched key changed, else an array of the replies. Each request is
// resolved anew and run with may_wait false and in_transaction true. Afterwards the session has no
// transaction and watches nothing. `requests` may be views into session.transaction.queue.
void run_transaction(Context& context, std::span<const std::span<const std::string_view>> requests,
                     const RunOne& run = {});

// Forgets an open transaction and what is watched: DISCARD, RESET, a refused EXEC.
void discard_transaction(Context& context);

}  // namespace fencepost::commands
