// Power is lost, or the process is killed, after every step of a workload: what was promised is
// there, and what is there is some moment that there was.
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "journal/batch_log.h"
#include "recording_disk.h"

namespace fencepost::tests {
namespace {

using journal::BatchLog;
using Table = std::map<std::string, std::string>;

// A batch says what became of some keys; so does a piece of a picture.
std::string image(const std::string& key, const std::string& value) {
  std::string bytes;
  ByteWriter writer{bytes};
  writer.text(key);
  writer.text(value);
  return bytes;
}

Result<void> take_in(Table& table, std::string_view payload) {
  ByteReader reader{payload};
  while (reader.left() > 0) {
    const std::string key{reader.text()};
    const std::string_view value = reader.text();
    if (reader.failed()) return failure("no image");
    if (value.empty()) {
      table.erase(key);
    } else {
      table[key] = value;
    }
  }
  return {};
}

// Runs on a disk that notes everything; knows after each step of the disk what had been promised.
class Workload {
 public:
  explicit Workload(std::uint64_t seed) : random_{seed} {
    states_.emplace_back();
    log_ = std::move(*BatchLog::open(
        disk_, options(), [](std::string_view) { return Result<void>{}; },
        [](std::string_view) { return Result<void>{}; }));
    note();
  }

  static BatchLog::Options options() {
    return {.boot_id = "boot", .segment_bytes = 4000, .part_bytes = 700};
  }

  void run(int moves) {
    for (int i = 0; i < moves; ++i) {
      move();
      note();
    }
  }

  const RecordingDisk& disk() const { return disk_; }
  struct Promise {
    std::uint64_t appended = 0;
    std::uint64_t durable = 0;
  };
  // What had been promised when the disk had done so many steps.
  Promise promised(std::size_t steps) const {
    const auto after = promises_.upper_bound(steps);
    return after == promises_.begin() ? Promise{} : std::prev(after)->second;
  }
  const Table& state_at(std::uint64_t index) const { return states_.at(index); }

 private:
  void note() { promises_[disk_.steps()] = {log_->last_index(), log_->durable_index()}; }

  void move() {
    switch (random_.below(12)) {
      case 0:
        pending_ = log_->sync_point();
        return;
      case 1:
      case 2:
        // Later than it was taken: batches may have come in between.
        if (pending_.disk == nullptr) return;
        ASSERT_TRUE(pending_.sync());
        log_->synced(pending_);
        pending_ = {};
        return;
      case 3:
        return draw();
      default:
        return append();
    }
  }

  void append() {
    Table next = states_.back();
    std::string batch;
    for (std::uint64_t i = random_.below(4); i > 0; --i) {
      const std::string key = "key" + std::to_string(random_.below(6));
      const std::string value(random_.below(3) == 0 ? 0 : random_.below(900),
                              static_cast<char>('a' + random_.below(26)));
      batch += image(key, value);
    }
    ASSERT_TRUE(take_in(next, batch));
    ASSERT_TRUE(log_->append(batch));
    states_.push_back(std::move(next));
  }

  // A picture, with batches in between: some of its pieces are older than others.
  void draw() {
    auto picture = log_->begin_picture();
    ASSERT_TRUE(picture);
    for (int i = 0; i < 6; ++i) {
      const std::string key = "key" + std::to_string(i);
      const auto found = states_.back().find(key);
      if (found != states_.back().end()) {
        ASSERT_TRUE((*picture)->add(image(key, found->second)));
      }
      if (random_.below(2) == 0) append();
      note();
    }
    if (random_.below(5) == 0) return;  // it is given up
    const auto point = (*picture)->end();
    ASSERT_TRUE(point);
    if (random_.below(2) == 0) append();
    note();
    ASSERT_TRUE(point->sync());
    log_->synced(*point);
    note();
    ASSERT_TRUE((*picture)->install());
  }

  Random random_;
  RecordingDisk disk_;
  std::unique_ptr<BatchLog> log_;
  journal::SyncPoint pending_;
  std::vector<Table> states_;  // by index
  std::map<std::size_t, Promise> promises_;
};

// Opens what a crash left. The state must be that of the index at which the log ends.
void expect_a_moment_that_was(const Workload& workload, RecordingDisk& disk, std::size_t steps,
                              Loss loss) {
  Table table;
  const auto load = [&table](std::string_view payload) { return take_in(table, payload); };
  const auto log = BatchLog::open(disk, Workload::options(), load, load);
  ASSERT_TRUE(log) << log.error().what;
  const std::uint64_t index = (*log)->last_index();
  const Workload::Promise promised = workload.promised(steps);
  EXPECT_GE(index, promised.durable) << "what was safe is lost";
  if (loss == Loss::nothing) {
    EXPECT_GE(index, promised.appended) << "kill -9 lost a batch";
  }
  EXPECT_EQ(table, workload.state_at(index));
  // And it goes on from there, through another crash.
  ASSERT_TRUE((*log)->append(image("after", "the crash")));
  Table once_more;
  const auto again = BatchLog::open(
      disk, Workload::options(),
      [&once_more](std::string_view payload) { return take_in(once_more, payload); },
      [&once_more](std::string_view payload) { return take_in(once_more, payload); });
  ASSERT_TRUE(again) << again.error().what;
  table["after"] = "the crash";
  EXPECT_EQ(once_more, table);
}

// Power is lost again at each step of the reading back.
void expect_the_same_after_another_crash(const RecordingDisk& found, const Workload& workload,
                                         std::size_t steps, Random& random) {
  const auto once = found.after(0, Loss::nothing, random);
  const auto ignore = [](std::string_view) { return Result<void>{}; };
  ASSERT_TRUE(BatchLog::open(*once, Workload::options(), ignore, ignore));
  for (std::size_t again = 0; again <= once->steps(); ++again) {
    for (const Loss loss : {Loss::nothing, Loss::unsynced, Loss::torn, Loss::reordered}) {
      const auto disk = once->after(again, loss, random);
      expect_a_moment_that_was(workload, *disk, steps, Loss::unsynced);
      if (testing::Test::HasFailure()) FAIL() << "at step " << again << " of reading back";
    }
  }
}

// What a killed process had written and not synced is promised by the next one that reads it.
TEST(Crash, PowerIsLostAfterAKill) {
  RecordingDisk disk;
  const auto ignore = [](std::string_view) { return Result<void>{}; };
  {
    const auto log = BatchLog::open(disk, Workload::options(), ignore, ignore);
    ASSERT_TRUE(log);
    ASSERT_TRUE((*log)->append(image("key", "value")));
  }
  ASSERT_TRUE(BatchLog::open(disk, Workload::options(), ignore, ignore));
  Random random{1};
  const auto found = disk.after(disk.steps(), Loss::unsynced, random);
  Table table;
  const auto load = [&table](std::string_view payload) { return take_in(table, payload); };
  ASSERT_TRUE(BatchLog::open(*found, Workload::options(), load, load));
  EXPECT_EQ(table, (Table{{"key", "value"}}));
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// CRASH_WORKLOADS and CRASH_FIRST, a seed, in the environment: more of them, or others.
TEST(Crash, LosesNothingThatWasPromised) {
  const std::uint64_t first = number_from("CRASH_FIRST", 1);
  const std::uint64_t workloads = number_from("CRASH_WORKLOADS", 55);
  std::size_t points = 0;
  for (std::uint64_t seed = first; seed < first + workloads && !testing::Test::HasFailure();
       ++seed) {
    Workload workload{seed};
    workload.run(40);
    Random random{seed};
    for (std::size_t steps = 0; steps <= workload.disk().steps(); ++steps) {
      for (const Loss loss : {Loss::nothing, Loss::unsynced, Loss::torn, Loss::reordered}) {
        const auto disk = workload.disk().after(steps, loss, random);
        if (steps % 7 == 0) expect_the_same_after_another_crash(*disk, workload, steps, random);
        expect_a_moment_that_was(workload, *disk, steps, loss);
        if (testing::Test::HasFailure()) {
          FAIL() << "seed " << seed << ", step " << steps << ", loss " << static_cast<int>(loss);
        }
      }
      ++points;
    }
  }
  std::cout << points << " crash points, each in 4 forms\n";
  EXPECT_GT(points, 50 * workloads);
}

}  // namespace
}  // namespace fencepost::tests
