// Any folder, to be read as a journal: by --check, by a start, by --repair. Nothing breaks; they
// agree with each other; who only reads changes nothing; what was read can be used, and is written
// and read back the same; a repair loses no byte and makes a journal that starts.
//
//   input = settings { file }     settings: 1 the sums are left as they are, 2 another boot,
//                                           4 appendfsync always, 8 --raise-floor
// Where 1 is not set the sums are put right first, so that they shield nothing behind them.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "journal/recovery.h"
#include "resp/reply_parser.h"
#include "server/background.h"
#include "server/engine.h"
#include "server/journal_check.h"
#include "server/journal_repair.h"
#include "server/persistence.h"
#include "state/image.h"
#include "tests/fuzz/journal_folder.h"
#include "tests/journal/recording_disk.h"
#include "tests/sim/digest.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace fencepost::fuzz {
namespace {

using server::Verdict;
using tests::RecordingDisk;
using Files = std::map<std::string, std::string>;

constexpr std::uint8_t kSumsAsTheyAre = 1;
constexpr std::uint8_t kOtherBoot = 2;
constexpr std::uint8_t kAlways = 4;
constexpr std::uint8_t kRaiseFloor = 8;

std::unique_ptr<RecordingDisk> disk_of(const Files& files) {
  auto disk = std::make_unique<RecordingDisk>();
  for (const auto& [name, bytes] : files) disk->put(name, bytes);
  return disk;
}

// The boot that the newest segment names; no kernel is without a name.
std::string boot_of(const Files& files) {
  std::string boot;
  for (const auto& [name, bytes] : files) {
    const auto header = journal::decode_header(bytes);
    if (name.starts_with("segment-") && header) boot = header->boot_id;
  }
  return boot.empty() ? "boot 1" : boot;
}

bool has_journal(const Files& files) {
  const std::unique_ptr<RecordingDisk> disk = disk_of(files);
  const Result<journal::Listing> listing = journal::list_files(*disk);
  return !listing || !listing->segments.empty() || !listing->pictures.empty();
}

class HandClock final : public server::ContinuedClock {
 public:
  Now now() override {
    return {.log = boot_ + log_minus_boot_,
            .wall_offset = Duration{1'700'000'000'000} - log_minus_boot_};
  }
  std::int64_t stopwatch_us() override { return ++stopwatch_us_; }
  void continue_from(Instant last) override { log_minus_boot_ = last - boot_; }
  void pass(Duration span) { boot_ += span; }

 private:
  Instant boot_{Duration{5'000}};
  Duration log_minus_boot_{1'700'000'000'000};
  std::int64_t stopwatch_us_ = 0;
};

class HandWorker final : public server::Worker {
 public:
  void run(std::function<void()> work, std::function<void()> done) override {
    work();
    done_ = std::move(done);
  }
  void go_on() {
    if (done_) std::exchange(done_, nullptr)();
  }

 private:
  std::function<void()> done_;
};

class NoBeat final : public server::Beat {
 public:
  void every(std::uint64_t) override {}
};

// A server that starts on a disk, is spoken to, and ends in order.
class Life {
 public:
  Life(RecordingDisk& disk, const std::string& boot, std::uint8_t settings)
      : engine_{options(settings), clock_} {
    server::Persistence::Options persistence;
    persistence.log.boot_id = boot;
    persistence.log.segment_bytes = 4000;
    persistence.log.part_bytes = 100;
    if ((settings & kRaiseFloor) != 0) persistence.raise_floor = 0;
    auto opened = server::Persistence::open(disk, persistence, engine_, clock_, {});
    if (!opened) {
      why_ = opened.error().what;
      return;
    }
    persistence_ = std::move(*opened);
    persistence_->attach(worker_, beat_);
  }

  bool runs() const { return persistence_ != nullptr; }
  const std::string& why_not() const { return why_; }
  bool leapt() { return engine_.process().durability.leapt; }
  bool unclean() { return engine_.process().durability.unclean_start; }

  // Each of the first keys is looked at, held, changed and given back, by a client that reads all.
  void use() {
    client_ = engine_.connect({.address = "127.0.0.1:40112", .local_address = "127.0.0.1:6379"});
    for (const state::KeyName& key : some_keys()) {
      say({"SELECT", std::to_string(key.database)});
      look_at(key);
      change(key);
    }
    say({"LOCK", "\r\nnew", "fuzz", "PX", "100", "META", "m"});
    say({"SAVE"});
  }
  void pass(Duration span) {
    clock_.pass(span);
    engine_.tick();
    turn();
  }
  // What the state is at the end; everything of it is in the journal then.
  sim::Digest end() {
    if (client_ != ClientId::nobody) engine_.disconnected(client_);
    turn();
    persistence_->close();
    return sim::digest_of(engine_.state());
  }

 private:
  static server::Engine::Options options(std::uint8_t settings) {
    server::Engine::Options made;
    made.identity.run_id = std::string(40, 'a');
    made.hash_seed = 1;
    made.chance_seed = 2;
    made.settings.values.append_only = true;
    made.settings.values.append_fsync = (settings & kAlways) != 0 ? "always" : "everysec";
    return made;
  }

  std::vector<state::KeyName> some_keys() {
    constexpr std::size_t kMost = 3;
    std::vector<state::KeyName> keys;
    engine_.state().keys().peek_all([&keys](const state::Item& item) {
      if (keys.size() < kMost) keys.push_back({item.database, std::string{item.key()}});
    });
    engine_.state().keys().fences().for_each([&keys](const state::IdleRecord& idle) {
      if (keys.size() > kMost) return;
      keys.push_back({idle.database(), std::string{idle.key()}});
    });
    return keys;
  }

  void look_at(const state::KeyName& name) {
    const std::string& key = name.key;
    say({"PTTL", key});
    say({"LOCKINFO", key});
    say({"FENCE", key});
    say({"OBJECT", "ENCODING", key});
    say({"OBJECT", "IDLETIME", key});
    say({"MEMORY", "USAGE", key});
  }

  void change(const state::KeyName& name) {
    const std::string& key = name.key;
    const state::Item* item = engine_.state().keys().peek(name.database, key);
    switch (item != nullptr ? item->type() : state::Type::string) {
      case state::Type::string:
        say({"APPEND", key, "x"});
        break;
      case state::Type::lock:
        say({"LOCK", key, "fuzz", "PX", "1000", "SHARED"});
        break;
      case state::Type::hash:
        say({"HSET", key, "f", "v", "g", "w"});
        say({"HDEL", key, "f"});
        say({"HGETALL", key});
        break;
      case state::Type::list:
        say({"RPUSH", key, "v", "w"});
        say({"LPOP", key});
        say({"LRANGE", key, "0", "-1"});
        break;
      case state::Type::set:
        say({"SADD", key, "1", "v"});
        say({"SREM", key, "1"});
        say({"SMEMBERS", key});
        break;
      case state::Type::sorted_set:
        say({"ZADD", key, "1", "v", "2", "w"});
        say({"ZPOPMIN", key});
        say({"ZRANGE", key, "0", "-1", "WITHSCORES"});
        break;
      case state::Type::stream:
        say({"XADD", key, "*", "f", "v"});
        say({"XINFO", "STREAM", key, "FULL"});
        say({"XTRIM", key, "MAXLEN", "1"});
        break;
    }
    say({"COPY", key, "copy", "REPLACE"});
    say({"EXTEND", key, "alice", "EX", "60"});
    say({"LOCK", key, "fuzz", "PX", "1000", "GRACE", "100", "META", "m"});
    say({"UNLOCK", key, "alice"});
    say({"UNLOCK", key, "fuzz"});
  }

  // Every answer has to be one.
  void say(const std::vector<std::string>& words) {
    std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words) {
      bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    }
    engine_.receive(client_, bytes);
    heard_.clear();
    turn();
    resp::ReplyParser parser;
    check(parser.parse(heard_) == resp::ReplyParser::Status::reply, "a request is answered");
    check(parser.consumed() == heard_.size(), "once");
  }

  // As server/uv_server.cc makes one, until there is nothing more to do.
  void turn() {
    constexpr int kManyTurns = 10'000;
    for (int turn = 0; turn < kManyTurns; ++turn) {
      persistence_->commit();
      worker_.go_on();
      engine_.take_dirty(dirty_);
      for (const ClientId client : std::vector<ClientId>{dirty_}) take(client);
      if (engine_.has_more_to_do()) {
        engine_.tick();
      } else if (dirty_.empty()) {
        return;
      }
    }
    check(false, "a turn comes to an end");
  }

  void take(ClientId client) {
    std::vector<std::string> blocks;
    engine_.take_output(client, blocks);
    std::size_t bytes = 0;
    for (std::string& block : blocks) {
      bytes += block.size();
      heard_ += block;
      engine_.give_back(std::move(block));
    }
    engine_.output_written(client, bytes);
  }

  HandClock clock_;
  server::Engine engine_;
  HandWorker worker_;
  NoBeat beat_;
  std::unique_ptr<server::Persistence> persistence_;
  std::string why_;
  ClientId client_ = ClientId::nobody;
  std::string heard_;
  std::vector<ClientId> dirty_;
};

sim::Digest read_back(RecordingDisk& disk, const std::string& boot) {
  state::State state{/*hash_seed=*/7};
  const auto restore = [&state](std::string_view batch) { return state::restore(state, batch); };
  const auto found = journal::recover(disk, boot, restore, restore);
  if (!found) std::fprintf(stderr, "%s\n", found.error().what.c_str());
  check(found.has_value(), "what was written in order can be read");
  check(found->found.clean && !found->found.power_lost && !found->cut_segment, "and it is whole");
  return sim::digest_of(state);
}

// What a start makes of a folder. It may be refused for the fences that a journal tells of, behind
// which none are left, or for a damaged file of the floor. True when it runs.
bool live(RecordingDisk& disk, const Files& files, const std::string& boot, std::uint8_t settings,
          Verdict verdict) {
  const std::size_t steps = disk.steps();
  Life life{disk, boot, settings};
  if (!life.runs()) {
    const bool no_fences_left = life.why_not().find("cannot be raised") != std::string::npos;
    const bool refused =
        verdict == Verdict::refused || life.why_not().find("fence-floor") != std::string::npos;
    check(refused || no_fences_left, "what --check calls good starts");
    check(no_fences_left || disk.steps() == steps, "a start that refuses changes nothing");
    return false;
  }
  check(verdict != Verdict::refused || !has_journal(files), "what --check refuses does not start");
  life.use();
  for (const std::int64_t ms : {1, 2'000, 90'000'000}) life.pass(Duration{ms});
  const sim::Digest state = life.end();
  const std::string what = sim::difference(state, read_back(disk, boot));
  if (!what.empty()) std::fprintf(stderr, "%s\n", what.c_str());
  check(what.empty(), "the journal tells the whole state");
  Life next{disk, boot, /*settings=*/0};
  check(next.runs() && !next.leapt() && !next.unclean(), "the next start goes on from there");
  static_cast<void>(next.end());
  return true;
}

void repair(const Files& files, std::uint8_t settings) {
  const std::unique_ptr<RecordingDisk> disk = disk_of(files);
  const Result<std::string> done = server::repair_journal(*disk, "boot 1");
  for (const auto& [name, bytes] : files) {
    if (name.ends_with(".unfinished")) continue;
    bool kept = false;
    const Result<std::vector<std::string>> names = disk->list();
    for (const std::string& now : *names) {
      kept = kept || (now.ends_with(name) && disk->content(now) == bytes);
    }
    check(kept, "a repair takes not a byte away");
  }
  if (!done) return;
  check(server::check_journal(*disk).verdict == Verdict::good, "what was repaired is good");
  live(*disk, files, "boot 1", settings, Verdict::good);
}

void play(std::string_view input) {
  Folder folder = unpack(input);
  if ((folder.settings & kSumsAsTheyAre) == 0) {
    for (FolderFile& file : folder.files) mend_sums(file);
  }
  const Files files = named_files(folder);
  const std::unique_ptr<RecordingDisk> checked = disk_of(files);
  const server::CheckReport report = server::check_journal(*checked);
  check(checked->steps() == 0, "a check changes nothing");
  const std::unique_ptr<RecordingDisk> started = disk_of(files);
  const bool other = (folder.settings & kOtherBoot) != 0;
  live(*started, files, other ? "another boot" : boot_of(files), folder.settings, report.verdict);
  if (report.verdict == Verdict::refused && has_journal(files)) repair(files, folder.settings);
}

std::string mutate_bytes(std::string bytes, std::size_t most) {
  const std::size_t size = bytes.size();
  bytes.resize(std::max<std::size_t>(most, 1));
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
  return bytes;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  Random random{seed};
  if (random.below(8) == 0) return LLVMFuzzerMutate(data, size, max_size);
  Folder folder = unpack({reinterpret_cast<const char*>(data), size});
  for (std::uint64_t left = 1 + random.below(3); left > 0; --left) {
    change(folder, random, mutate_bytes);
  }
  const std::string input = pack(folder);
  if (input.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(input.begin(), input.end(), data);
  return input.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  play({reinterpret_cast<const char*>(data), size});
  return 0;
}

}  // namespace fencepost::fuzz
