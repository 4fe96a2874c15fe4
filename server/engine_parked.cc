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

void Engine::serve(const state::ReadyKey& ready) {
  for (const ClientId client : ready.clients) {
    const state::Item* item = state_.keys().find(ready.name.database, ready.name.key);
    if (item == nullptr) return;
    const state::Parked* parked = state_.parked().find(client);
    if (parked == nullptr || parked->wanted != item->type()) continue;
    if (Connection* connection = find(client)) run_again(*connection, ready);
  }
}

void Engine::run_again(Connection& connection, const state::ReadyKey& ready) {
  commands::Session& session = connection.session;
  if (connection.closing == Closing::now) return;
  const std::vector<std::string> request = state_.parked().find(session.id)->request;
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
                            .ready_key = ready.name.key};
  const std::size_t start = reply.size();
  commands::Arguments again = arguments;
  found.command->run(context, again);
  if (context.parked) return;
  state_.parked().remove(session.id);
  if (reply.since(start).starts_with('-')) count_error(reply.since(start).substr(1));
  session.waiting = false;
  settle_reply_mode(session, reply, start);
  mark_dirty(connection);
  resumed_.push_back(session.id);
}

// Their time is over, or somebody sent CLIENT UNBLOCK.
void Engine::tell_unserved() {
  state_.parked().take_answers(parked_answers_);
  for (const state::ParkedAnswer& answer : parked_answers_) {
    Connection* connection = find(answer.client);
    if (!connection) continue;
    end_wait(*connection, [this, &answer](resp::ReplyWriter& reply) {
      if (!answer.unblocked_with_error) return reply.null_array();
      const std::size_t start = reply.size();
      reply.error(commands::kUnblocked);
      count_error(reply.since(start).substr(1));
    });
  }
}

// Writes what the client is told at last, and lets it go on with what it sent meanwhile.
void Engine::end_wait(Connection& connection,
                      const std::function<void(resp::ReplyWriter&)>& write) {
  commands::Session& session = connection.session;
  if (!session.waiting || connection.closing == Closing::now) return;
  session.waiting = false;
  resp::ReplyWriter reply{connection.output.open(pool_), session.protocol};
  const std::size_t start = reply.size();
  write(reply);
  settle_reply_mode(session, reply, start);
  mark_dirty(connection);
  resumed_.push_back(session.id);
}

}  // namespace fencepost::server
