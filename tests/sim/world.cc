// A server, its machine and its clients: time passes, turns are made.
#include "world.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "resp/reply_parser.h"

namespace fencepost::sim {

namespace {

constexpr std::size_t kClients = 6;
constexpr std::size_t kKeptTrace = 150;

}  // namespace

World::World(const Plan& plan) : plan_{plan}, random_{plan.seed}, clients_(kClients) {
  options_.log.segment_bytes = 2000 + random_.below(20'000);
  options_.log.reserve_bytes = 4096;
  options_.log.part_bytes = 150;
  options_.piece_bytes = 1;
  options_.draw_us = 100;
  options_.most_draws = 16;
  options_.leap = 32;
  idle_fences_ = random_.below(2) == 0 ? 1000 : 1 + random_.below(3);
}

Outcome World::run() {
  try {
    start();
    while (outcome_.requests < plan_.operations || outcome_.faults < plan_.faults) {
      // Both run out at about the same time.
      const std::int64_t left = std::max(1, plan_.operations - outcome_.requests);
      const std::int64_t faults = plan_.faults - outcome_.faults;
      if (faults > 0 && between(0, 2 * left) < faults) fault();
      const std::uint64_t what = random_.below(100);
      if (what < 65) {
        step(random_.below(kClients));
      } else if (what < 90) {
        pass(between(0, 15));
      } else if (what < 96) {
        pass(between(0, 900));
      } else if (what < 97) {
        give_up(random_.below(kClients));
      }
      end_dead_connections();
      if (chance(75)) turn();
    }
    come_to_rest();
  } catch (const Violation& violation) {
    outcome_.violation = violation.what();
  }
  outcome_.told = witness_.told_count();
  outcome_.grants = witness_.grant_count();
  return std::move(outcome_);
}

// Everything that is due on the way happens when it is due.
void World::pass(std::int64_t ms) {
  const std::int64_t until = machine_.real_ms + ms;
  for (int still = 0; machine_.real_ms < until;) {
    std::int64_t next = std::min({until, life_->worker.next(), life_->beat.next()});
    if (const Instant deadline = life_->engine.next_deadline(); deadline != kNever) {
      next = std::min(next, machine_.real_ms + (deadline - life_->clock.now().log).count());
    }
    still = next > machine_.real_ms ? 0 : still + 1;
    if (still > 1000) throw Violation{"something is due and is never done"};
    machine_.pass(std::max<std::int64_t>(0, next - machine_.real_ms));
    life_->worker.go_on();
    if (life_->beat.next() <= machine_.real_ms) life_->beat.begin();
    if (life_->engine.next_deadline() <= life_->clock.now().log) tick();
    turn();
  }
}

void World::tick() {
  life_->engine.tick();
  look();
}

// As server/uv_server.cc does it before the loop sleeps.
void World::turn() {
  last_turn_ms_ = machine_.real_ms;
  turn_once();
  for (int more = 0; life_->engine.has_more_to_do(); ++more) {
    if (more > 10'000) throw Violation{"the engine never comes to rest"};
    tick();
    turn_once();
  }
}

void World::turn_once() {
  life_->persistence->commit();
  look();
  note_digest();
  for (life_->engine.take_dirty(dirty_); !dirty_.empty(); life_->engine.take_dirty(dirty_)) {
    for (const ClientId client : std::vector<ClientId>{dirty_}) send(client);
  }
}

void World::send(ClientId client) {
  const auto at = connections_.find(client);
  if (at == connections_.end()) return;
  server::Engine& engine = life_->engine;
  const server::Closing wanted = engine.wants_close(client);
  if (wanted == server::Closing::now) return disconnect(client);
  blocks_.clear();
  engine.take_output(client, blocks_);
  std::string bytes;
  for (std::string& block : blocks_) {
    bytes += block;
    engine.give_back(std::move(block));
  }
  if (at->second.blocked) {
    engine.output_written(client, 0);
    return look();
  }
  if (!bytes.empty()) deliver(client, bytes);
  engine.output_written(client, bytes.size());
  look();
  if (wanted == server::Closing::when_written) disconnect(client);
}

// The kernel has them: whatever they say is promised from now on.
void World::deliver(ClientId client, const std::string& bytes) {
  Connection& connection = connections_.at(client);
  connection.unread += bytes;
  const bool safe = life_->engine.process().settings.values.append_fsync == "always";
  resp::ReplyParser parser;
  while (!connection.unread.empty()) {
    const auto status = parser.parse(connection.unread);
    if (status == resp::ReplyParser::Status::error) throw Violation{"an answer that is no RESP"};
    if (status == resp::ReplyParser::Status::incomplete) return;
    say(fmt::format("{} is told {}", static_cast<int>(client), resp::to_text(parser.reply())));
    witness_.told(client, parser.reply(), machine_.real_ms, safe);
    connection.unread.erase(0, parser.consumed());
    for (Client& one : clients_) {
      if (one.connection != client || one.asked.empty()) continue;
      if (++one.answered == one.asked.size()) one.asked.clear();
    }
  }
}

void World::look(ClientId departed) {
  witness_.look(life_->engine, life_->clock.now().log, machine_.real_ms, departed);
}

// While the disk takes everything, the state after a turn is the one at the journal's last index.
void World::note_digest() {
  const std::uint64_t index = life_->persistence->last_index();
  if (index == last_index_) return;
  last_index_ = index;
  if (life_->engine.process().durability.refusal.empty()) {
    digests_[index] = digest_of(life_->engine.state());
  }
}

std::int64_t World::between(std::int64_t least, std::int64_t most) {
  return least +
         static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most - least + 1)));
}

void World::say(std::string line) {
  if (!plan_.trace) return;
  outcome_.trace.push_back(fmt::format("{:>8} {}", machine_.real_ms, std::move(line)));
  if (outcome_.trace.size() > 2 * kKeptTrace) {
    outcome_.trace.erase(outcome_.trace.begin(), outcome_.trace.begin() + kKeptTrace);
  }
}

}  // namespace fencepost::sim
