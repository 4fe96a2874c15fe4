// Batches on disk: what comes back after a shutdown, a full disk, and damage.
#include "journal/batch_log.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "journal/recovery.h"
#include "recording_disk.h"

namespace fencepost::tests {
namespace {

using journal::BatchLog;

// A log that was opened, and what it read on the way.
struct Opened {
  Result<std::unique_ptr<BatchLog>> log;
  std::vector<std::string> pieces;
  std::vector<std::string> batches;

  BatchLog& operator*() const { return **log; }
  BatchLog* operator->() const { return log->get(); }
};

Opened open(RecordingDisk& disk, BatchLog::Options options = {.boot_id = "this boot"}) {
  Opened opened{.log = failure(""), .pieces = {}, .batches = {}};
  const auto into = [](std::vector<std::string>& all) {
    return [&all](std::string_view payload) {
      all.emplace_back(payload);
      return Result<void>{};
    };
  };
  opened.log = BatchLog::open(disk, std::move(options), into(opened.pieces), into(opened.batches));
  return opened;
}

void append_and_sync(BatchLog& log, std::string_view batch) {
  ASSERT_TRUE(log.append(batch));
  const journal::SyncPoint point = log.sync_point();
  ASSERT_TRUE(point.sync());
  log.synced(point);
}

TEST(BatchLog, WhatWasAppendedComesBackInOrder) {
  RecordingDisk disk;
  {
    const Opened first = open(disk);
    ASSERT_TRUE(first.log);
    EXPECT_EQ(first->found().last_index, 0U);
    EXPECT_TRUE(first->found().clean);
    EXPECT_EQ(first->append("one").value(), 1U);
    EXPECT_EQ(first->append("").value(), 2U);
    EXPECT_EQ(first->durable_index(), 0U);
    ASSERT_TRUE(first->close());
  }
  const Opened second = open(disk, {.boot_id = "another boot"});
  ASSERT_TRUE(second.log);
  EXPECT_EQ(second.batches, (std::vector<std::string>{"one", ""}));
  EXPECT_TRUE(second->found().clean);
  EXPECT_FALSE(second->found().power_lost) << "it was closed";
  EXPECT_EQ(second->append("three").value(), 4U) << "the orderly end had an index too";
  const Opened third = open(disk, {.boot_id = "another boot"});
  ASSERT_TRUE(third.log);
  EXPECT_EQ(third.batches, (std::vector<std::string>{"one", "", "three"}));
  EXPECT_FALSE(third->found().clean) << "it was not closed";
  EXPECT_FALSE(third->found().power_lost) << "the kernel runs on";
}

// A run of the server in that boot: it appends so many batches, and power is lost or not.
bool sees_power_lost(RecordingDisk& disk, const std::string& boot, int batches, bool close) {
  const Opened log = open(disk, {.boot_id = boot});
  if (log->found().power_lost && batches > 0) {
    EXPECT_TRUE(log->append_safely("leap"));
  }
  for (int i = 0; i < batches; ++i) EXPECT_TRUE(log->append("b"));
  if (close) {
    EXPECT_TRUE(log->close());
  }
  return log->found().power_lost;
}

TEST(BatchLog, ALossOfPowerIsSeenUntilABatchTellsOfIt) {
  RecordingDisk disk;
  EXPECT_FALSE(sees_power_lost(disk, "boot 1", 1, false)) << "there was nothing before";
  EXPECT_FALSE(sees_power_lost(disk, "boot 1", 1, false)) << "the process alone was killed";
  EXPECT_TRUE(sees_power_lost(disk, "boot 2", 0, false));
  EXPECT_TRUE(sees_power_lost(disk, "boot 2", 0, false)) << "the run before had noted nothing";
  EXPECT_TRUE(sees_power_lost(disk, "boot 2", 0, true)) << "nor had that one";
  EXPECT_TRUE(sees_power_lost(disk, "boot 2", 1, false)) << "and an orderly end tells nothing";
  EXPECT_FALSE(sees_power_lost(disk, "boot 2", 1, true)) << "now a batch has";
  EXPECT_FALSE(sees_power_lost(disk, "boot 3", 0, true)) << "it was closed";
  EXPECT_FALSE(sees_power_lost(disk, "boot 4", 0, false)) << "and so was this";
  EXPECT_TRUE(sees_power_lost(disk, "boot 5", 0, false)) << "all of its batches may be gone";
  EXPECT_TRUE(sees_power_lost(disk, "boot 5", 0, true)) << "and still nothing tells of that";
  EXPECT_TRUE(sees_power_lost(disk, "boot 5", 1, false));
  EXPECT_FALSE(sees_power_lost(disk, "boot 5", 0, false));
  EXPECT_TRUE(sees_power_lost(disk, "boot 6", 0, false));
}

TEST(BatchLog, ALossOfPowerIsNotForgottenOverACrashOfTheNextStart) {
  RecordingDisk disk;
  sees_power_lost(disk, "boot 1", 1, true);
  sees_power_lost(disk, "boot 2", 0, false);
  Random random{1};
  const auto found = disk.after(disk.steps(), Loss::nothing, random);
  {
    const Opened log = open(*found, {.boot_id = "boot 3"});
    ASSERT_TRUE(log->found().power_lost);
    ASSERT_TRUE(log->append_safely("leap"));
  }
  for (std::size_t steps = 0; steps <= found->steps(); ++steps) {
    for (const Loss loss : {Loss::nothing, Loss::unsynced, Loss::torn, Loss::reordered}) {
      const auto crashed = found->after(steps, loss, random);
      const Opened again = open(*crashed, {.boot_id = "boot 3"});
      ASSERT_TRUE(again.log) << again.log.error().what;
      const bool told = !again.batches.empty() && again.batches.back() == "leap";
      // Told or not: until a segment of the new boot is there, what it drew may be lost as well.
      EXPECT_TRUE(told || again->found().power_lost) << "after " << steps << " steps";
    }
  }
  const auto whole = found->after(found->steps(), Loss::nothing, random);
  EXPECT_FALSE(open(*whole, {.boot_id = "boot 3"})->found().power_lost);
}

TEST(BatchLog, APictureTellsOfItsBootToo) {
  RecordingDisk disk;
  {
    const Opened log = open(disk, {.boot_id = "boot 1"});
    append_and_sync(*log, "one");
    auto picture = log->begin_picture();
    ASSERT_TRUE(picture);
    const auto point = (*picture)->end();
    ASSERT_TRUE(point && point->sync());
    log->synced(*point);
    ASSERT_TRUE((*picture)->install());
    ASSERT_TRUE(disk.remove(journal::segment_name(2)));
  }
  EXPECT_TRUE(sees_power_lost(disk, "boot 2", 0, false)) << "the segment behind it is gone";
}

TEST(BatchLog, WhatAKilledProcessHadNotSyncedIsSafeAfterTheNextStart) {
  RecordingDisk disk;
  {
    const Opened killed = open(disk);
    ASSERT_TRUE(killed->append("one"));
  }
  {
    const Opened next = open(disk);
    EXPECT_EQ(next->durable_index(), 1U);
    append_and_sync(*next, "two");
  }
  Random random{1};
  const auto after_power = disk.after(disk.steps(), Loss::unsynced, random);
  const Opened last = open(*after_power, {.boot_id = "next boot"});
  ASSERT_TRUE(last.log) << last.log.error().what;
  EXPECT_EQ(last.batches, (std::vector<std::string>{"one", "two"}));
}

TEST(BatchLog, ATornTailIsCutAndSaid) {
  RecordingDisk disk;
  {
    const Opened log = open(disk);
    append_and_sync(*log, "safe");
    ASSERT_TRUE(log->append("torn"));
  }
  std::string& bytes = disk.content(journal::segment_name(1));
  bytes.pop_back();
  const std::size_t torn = bytes.size() - bytes.rfind("safe") - 4;
  const Opened again = open(disk);
  ASSERT_TRUE(again.log);
  EXPECT_EQ(again.batches, (std::vector<std::string>{"safe"}));
  EXPECT_EQ(again->found().cut_bytes, torn);
  EXPECT_EQ(again->found().cut_from, journal::segment_name(1));
  EXPECT_FALSE(again->found().clean);
}

// Flips every byte of a log in turn: it is refused, or only what nothing says was safe is missing.
TEST(BatchLog, DamageIsNeverReadAsContent) {
  RecordingDisk disk;
  const std::vector<std::string> all{"first", "second", "third", "last"};
  {
    const Opened log = open(disk);
    for (const std::string& batch : all) append_and_sync(*log, batch);
  }
  const std::string name = journal::segment_name(1);
  const std::string whole = disk.content(name);
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    RecordingDisk damaged;
    damaged.put(name, whole);
    damaged.content(name)[at] = static_cast<char>(whole[at] ^ 0x20);
    const Opened log = open(damaged);
    if (!log.log) {
      ++refused;
      EXPECT_NE(log.log.error().what.find(name), std::string::npos) << log.log.error().what;
      EXPECT_EQ(damaged.content(name).size(), whole.size()) << "a refused log is left as it is";
      continue;
    }
    ASSERT_GE(log.batches.size(), all.size() - 1) << at;
    for (std::size_t i = 0; i < log.batches.size(); ++i) EXPECT_EQ(log.batches[i], all[i]) << at;
  }
  EXPECT_GE(refused, static_cast<int>(whole.rfind("last")) - 40)
      << "all but the last frame was said to be safe by a later one";
}

TEST(BatchLog, RefusesForeignAndNewerFilesAndGaps) {
  RecordingDisk foreign;
  foreign.put(journal::segment_name(1), std::string(200, 'x'));
  EXPECT_NE(open(foreign).log.error().what.find("no file of fencepost's"), std::string::npos);

  RecordingDisk disk;
  {
    const Opened log = open(disk, {.boot_id = "b", .segment_bytes = 1});
    for (const char* batch : {"a", "b", "c"}) append_and_sync(*log, batch);
  }
  ASSERT_TRUE(disk.remove(journal::segment_name(2)));
  EXPECT_NE(open(disk).log.error().what.find("is missing"), std::string::npos);
}

TEST(BatchLog, IndexesBehindWhichNobodyCanCountAreNotBelieved) {
  constexpr std::uint64_t kLast = UINT64_MAX;
  RecordingDisk disk;
  disk.put(journal::segment_name(kLast), journal::encode_header({.index = kLast, .boot_id = "b"}));
  const Opened far = open(disk);
  ASSERT_FALSE(far.log);
  EXPECT_NE(far.log.error().what.find("ffffffffffffffff"), std::string::npos);
  EXPECT_FALSE(journal::decode_header(journal::encode_header({.index = kLast, .boot_id = "b"})));
  std::string bytes = journal::encode_header({.index = 1, .boot_id = "b"});
  journal::append_frame(bytes, {.index = kLast, .payload = "batch"});
  disk.put("file", bytes);
  journal::FrameReader reader{disk, "file"};
  EXPECT_EQ(reader.next().value(), journal::FrameReader::Step::broken);
}

TEST(BatchLog, OtherFilesInTheFolderAreLeftAlone) {
  RecordingDisk disk;
  disk.put("dump.rdb", "REDIS0011");
  const Opened log = open(disk);
  ASSERT_TRUE(log.log);
  EXPECT_EQ(disk.content("dump.rdb"), "REDIS0011");
}

TEST(BatchLog, AFullDiskLosesNothingAndIsLeftByItself) {
  RecordingDisk disk;
  const Opened log = open(disk, {.boot_id = "b", .reserve_bytes = 64});
  append_and_sync(*log, "before");
  disk.fill_up(true);
  const std::string large(1000, 'x');
  EXPECT_FALSE(log->append(large));
  EXPECT_FALSE(log->make_room(1000));
  EXPECT_EQ(log->last_index(), 1U);
  disk.fill_up(false);
  EXPECT_TRUE(log->make_room(1000));
  EXPECT_EQ(log->append(large).value(), 2U);
  const Opened again = open(disk, {.boot_id = "b"});
  ASSERT_TRUE(again.log);
  EXPECT_EQ(again.batches, (std::vector<std::string>{"before", large}));
}

TEST(BatchLog, APictureTakesThePlaceOfWhatItIncludes) {
  RecordingDisk disk;
  {
    const Opened log = open(disk);
    for (const char* batch : {"a", "b"}) append_and_sync(*log, batch);
    auto picture = log->begin_picture();
    ASSERT_TRUE(picture);
    ASSERT_TRUE((*picture)->add("a and"));
    ASSERT_TRUE(log->append("c"));
    ASSERT_TRUE((*picture)->add("b"));
    const auto point = (*picture)->end();
    ASSERT_TRUE(point);
    ASSERT_TRUE(point->sync());
    log->synced(*point);
    ASSERT_TRUE((*picture)->install());
  }
  EXPECT_EQ(disk.list().value(),
            (std::vector<std::string>{journal::picture_name(2), journal::segment_name(3)}));
  const Opened again = open(disk);
  ASSERT_TRUE(again.log);
  EXPECT_EQ(again.pieces, (std::vector<std::string>{"a and", "b"}));
  EXPECT_EQ(again.batches, (std::vector<std::string>{"c"}));
}

TEST(BatchLog, APictureThatWasNeverFinishedLeavesNothing) {
  RecordingDisk disk;
  const Opened log = open(disk);
  append_and_sync(*log, "a");
  {
    auto picture = log->begin_picture();
    ASSERT_TRUE(picture);
    ASSERT_TRUE((*picture)->add("a"));
  }
  EXPECT_EQ(open(disk).batches, (std::vector<std::string>{"a"}));
}

}  // namespace
}  // namespace fencepost::tests
