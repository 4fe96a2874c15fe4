// Those who wait for a key to have something for them (BLPOP and its like): their requests run
// again once it may.
#include <utility>

#include "base/check.h"
#include "commands/errors.h"
#include "server/engine.h"

namespace fencepost::server {

// Serving one may make a key ready that another waits for, and may hand a lock over.
bool Engine::serve_next_ready() {
  const auto ready = state_.parked().take_ready();
  if (ready) serve(*ready);
  return ready.has_value();
}

// Each in the line is tried once, the longest there first, as long as there is something for it.
void Engine::serve(const state::KeyName& ready) {
  std::uint64_t behind = 0;
  while (const state::Item* item = state_.keys().find(ready.database, ready.key)) {
    const auto next = state_.parked().next_in_line(ready, item->type(), behind);
    if (!next) return;
    behind = next->place;
    if (Connection* connection = find(next->client)) run_again(*connection, ready.key);
  }
}

void Engine::run_again(Connection& connection, std::string_view ready_key) {
  commands::Session& session = connection.session;
  if (connection.closing == Closing::now) return;
  const std::vector<std::string>& request = state_.parked().find(session.id)->request;
  const std::vector<std::string_view> words{request.begin(), request.end()};
  const commands::Arguments arguments{words};
  const commands::Resolved found = commands::resolve(arguments);
  check(found.command != nullptr && found.error.empty(), "only what was understood is parked");
  resp::ReplyWriter reply{connection.output.open(pool_), session.protocol};
  Random none{0};  // nothing that waits draws by chance
  commands::Context context{.state = state_,
                            .process = process_,
                            .session = session,
                            .reply = reply,
                            .random = none,
                            .now = now_,
                            .ready_key = ready_key};
  const std::size_t start = reply.size();
  const std::int64_t began_us = clock_.stopwatch_us();
  run_within_bounds(context, *found.command, arguments);
  if (context.parked) return;
  count_resumed(context, found, arguments, reply.since(start), clock_.stopwatch_us() - began_us);
  state_.parked().remove(session.id);
  resume(connection, reply, start);
}

// Their time is over, or somebody sent CLIENT UNBLOCK.
void Engine::tell_unserved() {
  state_.parked().take_answers(parked_answers_);
  for (const state::ParkedAnswer& answer : parked_answers_) {
    Connection* connection = find(answer.client);
    if (!connection) continue;
    log_unserved(*connection, answer);
    end_wait(*connection, [this, &answer](resp::ReplyWriter& reply) {
      if (!answer.unblocked_with_error) return reply.null_array();
      const std::size_t start = reply.size();
      reply.error(commands::kUnblocked);
      count_error(reply.since(start).substr(1));
    });
  }
}

// Only now, as Redis: a request that waits is not in the slow log yet.
void Engine::log_unserved(const Connection& connection, const state::ParkedAnswer& answer) {
  const std::vector<std::string_view> words{answer.request.begin(), answer.request.end()};
  const commands::Arguments arguments{words};
  const commands::Command* command = commands::resolve(arguments).command;
  check(command != nullptr, "only what was understood is parked");
  log_if_slow(connection.session, *command, arguments, 0);
}

// Writes what the client is told at last.
void Engine::end_wait(Connection& connection,
                      const std::function<void(resp::ReplyWriter&)>& write) {
  const commands::Session& session = connection.session;
  if (!session.waiting || connection.closing == Closing::now) return;
  resp::ReplyWriter reply{connection.output.open(pool_), session.protocol};
  const std::size_t start = reply.size();
  write(reply);
  resume(connection, reply, start);
}

// It has its answer, and goes on with what it sent meanwhile.
void Engine::resume(Connection& connection, resp::ReplyWriter& reply, std::size_t start) {
  connection.session.waiting = false;
  settle_reply_mode(connection.session, reply, start);
  mark_dirty(connection);
  resumed_.push_back(connection.session.id);
}

}  // namespace fencepost::server
