// A server without sockets and the clients who speak to it, as a fuzzer drives them.
#include "tests/fuzz/stage.h"

#include "base/check.h"
#include "commands/server/digest.h"
#include "resp/reply_parser.h"
#include "state/image.h"

namespace fencepost::fuzz {

namespace {

using Status = resp::ReplyParser::Status;

server::Engine::Options engine_options(const StageOptions& options) {
  server::Engine::Options made;
  made.identity.run_id = std::string(40, 'a');
  made.hash_seed = 1;
  made.chance_seed = 2;
  auto& values = made.settings.values;
  if (options.password) values.password = "pw";
  values.enable_debug_command = "yes";
  values.max_bulk_bytes = 64 * 1024;
  if (!options.tight) return made;
  values.max_clients = 3;
  values.timeout_s = 10;
  values.output_limit_bytes = 1000;
  values.query_buffer_limit_bytes = 2000;
  values.max_bulk_bytes = 500;
  values.slow_log_max_len = 3;
  values.locks.max_waiters_per_key = 2;
  values.locks.max_waiters = 3;
  values.locks.fence_idle_keys = 2;
  values.locks.queue_hold = Duration{50};
  return made;
}

}  // namespace

Stage::Stage(const StageOptions& options)
    : engine_{engine_options(options), clock_},
      journal_{options.journal},
      read_back_{engine_options(options).hash_seed} {
  if (!journal_) return;
  engine_.keep_journal();
  engine_.state().changed_keys().begin(
      /*small=*/0);  // so that small values are told of by steps too
}

void Stage::say(std::size_t who, std::string_view bytes) {
  Player& player = client(who);
  if (player.id == ClientId::nobody) connect(player);
  engine_.receive(player.id, bytes);
  settle();
}

void Stage::hang_up(std::size_t who) {
  if (client(who).id != ClientId::nobody) drop(client(who));
  settle();
}

void Stage::read_again(std::size_t who) {
  client(who).reads = true;
  deliver(client(who));
  settle();
}

void Stage::pass(Duration span) {
  clock_.pass(span);
  // Twice: what goes on at the end of a turn may make something that is over at once (SET PXAT 1).
  for (int turn = 0; turn < 2; ++turn) {
    engine_.tick();
    settle();
  }
  check(engine_.next_deadline() >= clock_.now().log, "what is over by now has been done");
}

void Stage::start_disk() {
  disk_stands_ = false;
  settle();
}

// As the process does in each turn before anything is sent.
void Stage::write_journal() {
  if (!journal_) return;
  std::string batch;
  if (const std::uint64_t number = engine_.collect(batch); number > 0) {
    check(state::restore(read_back_, batch).has_value(), "what was written can be read");
    written_ = number;
  }
  if (!disk_stands_) engine_.committed(written_);
}

void Stage::finish() {
  start_disk();
  for (std::size_t who = 0; who < kClients; ++who) read_again(who);
  for (const Player& player : players_) check(player.unread.empty(), "no reply is left half sent");
  for (std::size_t who = 0; who < kClients; ++who) hang_up(who);
  const std::string state = commands::Digest::of_state(engine_.state()).text();
  write_journal();
  const std::string read_back = commands::Digest::of_state(read_back_).text();
  check(!journal_ || read_back == state, "the journal tells the whole state");
  outcome_ += state;
  pass(Duration{1});
  check(engine_.client_count() == 0, "nobody is connected");
  check(engine_.state().locks().waiting_clients() == 0, "nobody who is gone waits");
}

void Stage::connect(Player& player) {
  player = Player{};
  player.id = engine_.connect({.address = "127.0.0.1:40112", .local_address = "127.0.0.1:6379"});
}

void Stage::drop(Player& player) {
  engine_.disconnected(player.id);
  player = Player{};
}

// As the transport does at the end of each turn, until there is nothing more to do.
void Stage::settle() {
  std::vector<ClientId> dirty;
  constexpr int kManyTurns = 100'000;
  for (int turn = 0;; ++turn) {
    check(turn < kManyTurns, "a turn comes to an end");
    write_journal();
    engine_.take_dirty(dirty);
    for (const ClientId id : dirty)
      for (Player& player : players_)
        if (player.id == id) deliver(player);
    if (engine_.has_more_to_do())
      engine_.tick();
    else if (dirty.empty())
      return;
  }
}

void Stage::deliver(Player& player) {
  if (player.id == ClientId::nobody) return;
  if (!player.reads) {
    engine_.output_written(player.id, 0);
    if (engine_.wants_close(player.id) == server::Closing::now) drop(player);
    return;
  }
  std::vector<std::string> blocks;
  engine_.take_output(player.id, blocks);
  std::size_t bytes = 0;
  for (std::string& block : blocks) {
    bytes += block.size();
    player.unread += block;
    engine_.give_back(std::move(block));
  }
  judge(player);
  const auto closing = engine_.wants_close(player.id);
  engine_.output_written(player.id, bytes);
  if (closing != server::Closing::no) drop(player);
}

void Stage::judge(Player& player) {
  resp::ReplyParser parser;
  std::string_view rest = player.unread;
  while (!rest.empty()) {
    const Status status = parser.parse(rest);
    check(status != Status::error, "what is sent is a reply");
    if (status == Status::incomplete) break;
    outcome_ += rest.front();
    rest.remove_prefix(parser.consumed());
  }
  player.unread = std::string{rest};
}

}  // namespace fencepost::fuzz
