// --check and --repair, and a start beside them, on a small journal that is damaged at every byte
// and cut at every length.
#include "server/journal_check.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "journal/batch_log.h"
#include "journal/crc32c.h"
#include "journal/frame.h"
#include "journal/recovery.h"
#include "server/journal_repair.h"
#include "stage.h"
#include "state/drawing.h"
#include "state/image.h"
#include "tests/journal/recording_disk.h"

namespace fencepost::server {
namespace {

using journal::BatchLog;
using tests::RecordingDisk;
using Files = std::map<std::string, std::string>;

constexpr std::uint64_t kLeap = std::uint64_t{1} << 20;
// Segments of a frame or two, so that there are several.
const BatchLog::Options kOptions{.boot_id = "boot", .segment_bytes = 200, .part_bytes = 60};

void put_all(RecordingDisk& disk, const Files& files) {
  for (const auto& [name, bytes] : files) disk.put(name, bytes);
}

Files files_of(RecordingDisk& disk) {
  Files files;
  const Result<std::vector<std::string>> names = disk.list();
  for (const std::string& name : *names) files[name] = disk.content(name);
  return files;
}

std::string drawn(const state::State& state) {
  std::string bytes;
  state::Drawing walk{state, /*piece_bytes=*/1};
  while (!walk.ended()) walk.next(bytes);
  return bytes;
}

// A journal of a few turns: a picture with batches behind it, in several segments, all but the last
// two of them synced.
struct Sample {
  Files files;
  std::uint64_t last_index = 0;
  std::uint64_t highest = 0;  // fence

  explicit Sample(bool in_order) { fill(in_order); }

  void fill(bool in_order) {
    RecordingDisk disk;
    const auto ignore = [](std::string_view) { return Result<void>{}; };
    const auto log = BatchLog::open(disk, kOptions, ignore, ignore).value();
    Stage stage;
    stage.engine().keep_journal();
    const ClientId alice = stage.join();
    const auto turn = [&](std::string_view line, bool sync) {
      stage.ask(alice, line);
      std::string batch;
      const std::uint64_t number = stage.engine().collect(batch);
      ASSERT_GT(number, 0U) << line;
      ASSERT_TRUE(log->append(batch));
      stage.engine().committed(number);
      const journal::SyncPoint point = log->sync_point();
      if (sync && point.sync()) log->synced(point);
    };
    turn("LOCK door alice PX 60000", true);
    turn("SET word hello", true);
    auto picture = log->begin_picture().value();
    std::string piece;
    state::Drawing walk{stage.engine().state(), /*piece_bytes=*/1};
    while (!walk.ended()) {
      piece.clear();
      walk.next(piece);
      ASSERT_TRUE(picture->add(piece));
    }
    const journal::SyncPoint point = picture->end().value();
    ASSERT_TRUE(point.sync());
    log->synced(point);
    ASSERT_TRUE(picture->install());
    turn("LOCK hall bob SHARED META m", true);
    turn("LOCK hall carol SHARED", true);
    turn("RPUSH list a b c", true);
    turn("UNLOCK door alice", true);
    turn("HSET hash f v", false);
    turn("LOCK door dave", false);
    if (in_order) {
      ASSERT_TRUE(log->close());
    }
    last_index = log->last_index();
    highest = stage.engine().state().keys().fences().highest();
    files = files_of(disk);
  }
};

// What a start makes of the files, as Persistence does it.
struct Start {
  Result<std::unique_ptr<BatchLog>> log;
  std::unique_ptr<state::State> state = std::make_unique<state::State>(0);

  explicit Start(RecordingDisk& disk) : log{failure("")} {
    const auto restore = [this](std::string_view batch) { return state::restore(*state, batch); };
    log = BatchLog::open(disk, kOptions, restore, restore);
  }
};

struct Place {
  std::uint64_t index = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t durable = 0;
};

std::vector<Place> frames_of(const Files& files, const std::string& name) {
  RecordingDisk disk;
  put_all(disk, files);
  std::vector<Place> places;
  journal::FrameReader reader{disk, name};
  while (reader.next().value() == journal::FrameReader::Step::frame) {
    places.push_back(
        {.index = reader.frame().index,
         .begin = reader.offset(),
         .end = reader.offset() + journal::kFrameHeadBytes + reader.frame().payload.size(),
         .durable = reader.frame().durable});
  }
  return places;
}

// The promise that readable frames behind `index` hold, of those not in (`cut_name`, from
// `cut_from` on).
std::uint64_t promised_behind(const Files& files, std::uint64_t index, const std::string& cut_name,
                              std::uint64_t cut_from) {
  std::uint64_t promised = 0;
  for (const auto& [name, bytes] : files) {
    if (!name.starts_with("segment-")) continue;
    for (const Place& place : frames_of(files, name)) {
      const bool gone = name == cut_name && place.end > cut_from;
      if (place.index > index && !gone) promised = std::max(promised, place.durable);
    }
  }
  return promised;
}

// Check and start must agree; then the repair, where one is needed, must make it start.
void expect_agreement(const Files& files, const Sample& sample, const std::string& what) {
  RecordingDisk checked;
  put_all(checked, files);
  const CheckReport report = check_journal(checked);
  ASSERT_EQ(files_of(checked), files) << what << ": a check changed something";
  RecordingDisk started;
  put_all(started, files);
  const Start start{started};
  ASSERT_EQ(report.verdict == Verdict::refused, !start.log.has_value()) << what << "\n"
                                                                        << report.text;
  if (start.log) return;
  ASSERT_EQ(files_of(started), files) << what << ": a start that refuses changed something";
  ASSERT_NE(report.text.find("REFUSED"), std::string::npos);
  const Result<std::string> repaired = repair_journal(checked, "boot");
  ASSERT_TRUE(repaired) << what << ": " << repaired.error().what;
  ASSERT_EQ(check_journal(checked).verdict, Verdict::good) << what;
  for (const auto& [name, bytes] : files) {
    ASSERT_EQ(checked.content("lost-1-" + name), bytes) << what << ": bytes are gone";
  }
  const Start again{checked};
  ASSERT_TRUE(again.log) << what << ": " << again.log.error().what;
  ASSERT_FALSE((*again.log)->found().power_lost) << what << ": it would leap once more";
  state::Fences& fences = again.state->keys().fences();
  ASSERT_GT(fences.first(0, "door"), sample.highest + kLeap - 1) << what;
  ASSERT_GE(fences.floor(), kLeap) << what;
}

TEST(JournalCheck, SaysGoodOfWhatIsWhole) {
  const Sample sample{/*in_order=*/true};
  ASSERT_FALSE(testing::Test::HasFailure());
  RecordingDisk disk;
  put_all(disk, sample.files);
  const CheckReport report = check_journal(disk);
  EXPECT_EQ(report.verdict, Verdict::good) << report.text;
  for (const char* part :
       {"picture    picture-", "segment    segment-", "keys       5; of these 1 texts with a lease",
        "1 locks held by several with 2 holds", "fences     floor 0, highest ",
        "end        in order, by a shutdown", "Good.\n"}) {
    EXPECT_NE(report.text.find(part), std::string::npos) << part << " is not in\n" << report.text;
  }
  EXPECT_GE(sample.files.size(), 4U) << "a picture and several segments";
  const Result<std::string> repaired = repair_journal(disk, "boot");
  ASSERT_TRUE(repaired);
  EXPECT_NE(repaired->find("nothing to repair"), std::string::npos);
  EXPECT_EQ(files_of(disk), sample.files);
}

TEST(JournalCheck, SaysTornOfATailThatWasNeverSafe) {
  const Sample sample{/*in_order=*/false};
  Files files = sample.files;
  std::string& newest = files.rbegin()->second;
  newest.pop_back();
  RecordingDisk disk;
  put_all(disk, files);
  const CheckReport report = check_journal(disk);
  EXPECT_EQ(report.verdict, Verdict::torn_tail) << report.text;
  EXPECT_NE(report.text.find("end        torn: "), std::string::npos) << report.text;
  EXPECT_NE(report.text.find(files.rbegin()->first), std::string::npos) << report.text;
  const Result<std::string> repaired = repair_journal(disk, "boot");
  ASSERT_TRUE(repaired);
  EXPECT_NE(repaired->find("the next start cuts the tail off"), std::string::npos);
  EXPECT_EQ(files_of(disk), files);
}

TEST(JournalCheck, SaysRefusedOfAnEmptyFolder) {
  RecordingDisk disk;
  disk.put("notes", "mine");
  const CheckReport report = check_journal(disk);
  EXPECT_EQ(report.verdict, Verdict::refused);
  EXPECT_EQ(report.text, "There is no journal in this folder.\n");
  EXPECT_FALSE(repair_journal(disk, "boot"));
}

TEST(JournalCheck, ANewerFormatIsNotDamageAndIsNotRepaired) {
  const Sample sample{/*in_order=*/true};
  Files files = sample.files;
  std::string& bytes = files.begin()->second;
  std::string header = bytes.substr(0, journal::kHeaderBytes - 4);
  header[8] = journal::kFormatVersion + 1;
  ByteWriter{header}.u32(journal::crc32c(header));
  bytes.replace(0, header.size(), header);
  RecordingDisk disk;
  put_all(disk, files);
  const CheckReport report = check_journal(disk);
  EXPECT_EQ(report.verdict, Verdict::refused);
  EXPECT_NE(report.text.find("it has format 3, and this fencepost reads formats 1 to 2"),
            std::string::npos)
      << report.text;
  const Result<std::string> repaired = repair_journal(disk, "boot");
  ASSERT_FALSE(repaired);
  EXPECT_NE(repaired.error().what.find("format 3"), std::string::npos);
  EXPECT_EQ(files_of(disk), files) << "it was left alone";
}

TEST(JournalCheck, EveryFlippedByteIsRefusedOrATailThatWasNeverSafe) {
  for (const bool in_order : {false, true}) {
    const Sample sample{in_order};
    for (const auto& [name, bytes] : sample.files) {
      const auto places = frames_of(sample.files, name);
      for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const int bits : {0x01, 0xff}) {
          Files files = sample.files;
          files[name][at] = static_cast<char>(bytes[at] ^ bits);
          const std::string what = name + ", byte " + std::to_string(at);
          ASSERT_NO_FATAL_FAILURE(expect_agreement(files, sample, what));
          RecordingDisk disk;
          put_all(disk, files);
          const Start start{disk};
          if (name.starts_with("picture-") || at < journal::kHeaderBytes) {
            ASSERT_FALSE(start.log) << what;
            continue;
          }
          const auto hit = std::find_if(places.begin(), places.end(),
                                        [at](const Place& place) { return at < place.end; });
          ASSERT_NE(hit, places.end());
          const bool was_safe = promised_behind(sample.files, hit->index, {}, 0) >= hit->index;
          ASSERT_EQ(start.log.has_value(), !was_safe) << what;
          if (start.log) {
            ASSERT_EQ((*start.log)->found().last_index, hit->index - 1) << what;
          }
        }
      }
    }
  }
}

TEST(JournalCheck, EveryCutIsRefusedOrATailThatWasNeverSafe) {
  const Sample sample{/*in_order=*/false};
  for (const auto& [name, bytes] : sample.files) {
    const auto places = frames_of(sample.files, name);
    for (std::size_t left = 0; left < bytes.size(); ++left) {
      Files files = sample.files;
      files[name].resize(left);
      const std::string what = name + ", cut at " + std::to_string(left);
      ASSERT_NO_FATAL_FAILURE(expect_agreement(files, sample, what));
      RecordingDisk disk;
      put_all(disk, files);
      const Start start{disk};
      if (name.starts_with("picture-")) {
        ASSERT_FALSE(start.log) << what;
        continue;
      }
      const auto hit = std::find_if(places.begin(), places.end(),
                                    [left](const Place& place) { return left < place.end; });
      ASSERT_NE(hit, places.end());
      const bool was_safe = promised_behind(sample.files, hit->index, name, left) >= hit->index;
      ASSERT_EQ(start.log.has_value(), !was_safe) << what;
      if (start.log) {
        ASSERT_EQ((*start.log)->found().last_index, hit->index - 1) << what;
      }
    }
  }
}

TEST(JournalRepair, KeepsTheBatchesBeforeTheDamageAndSaysWhatIsLost) {
  const Sample sample{/*in_order=*/false};
  // Damage to the batch that pushed the list: what comes before it stays.
  Files files = sample.files;
  std::string damaged;
  for (auto& [name, bytes] : files) {
    const std::size_t at = name.starts_with("segment-") ? bytes.find("list") : std::string::npos;
    if (at == std::string::npos) continue;
    bytes[at] = 'L';
    damaged = name;
  }
  ASSERT_FALSE(damaged.empty());
  RecordingDisk disk;
  put_all(disk, files);
  const Result<std::string> repaired = repair_journal(disk, "boot");
  ASSERT_TRUE(repaired) << repaired.error().what;
  EXPECT_NE(repaired->find("damage     " + damaged + ", from byte "), std::string::npos)
      << *repaired;
  EXPECT_NE(repaired->find("at least 3 batches"), std::string::npos) << *repaired;
  EXPECT_NE(repaired->find("kept aside lost-1-" + damaged), std::string::npos) << *repaired;
  const Start start{disk};
  ASSERT_TRUE(start.log);
  const state::Keyspace& keys = start.state->keys();
  EXPECT_NE(keys.peek(0, "door"), nullptr) << "its release is lost";
  EXPECT_EQ(keys.peek(0, "hall")->lock().size(), 2U);
  EXPECT_EQ(keys.peek(0, "list"), nullptr);
  EXPECT_EQ(keys.peek(0, "hash"), nullptr);
}

TEST(JournalRepair, OfADamagedPictureKeepsThePiecesThatAreWhole) {
  const Sample sample{/*in_order=*/false};
  Files files = sample.files;
  std::string& picture = files.begin()->second;
  ASSERT_TRUE(files.begin()->first.starts_with("picture-"));
  picture[picture.find("hello")] = 'J';
  RecordingDisk disk;
  put_all(disk, files);
  ASSERT_TRUE(repair_journal(disk, "boot"));
  const Start start{disk};
  ASSERT_TRUE(start.log);
  EXPECT_NE(start.state->keys().peek(0, "hash"), nullptr) << "batches behind it say all of a key";
  EXPECT_EQ(start.state->keys().peek(0, "door")->text(), "dave");
}

TEST(JournalRepair, ASecondOneTakesAnotherNumberAndACrashOnTheWayLosesNothing) {
  const Sample sample{/*in_order=*/false};
  Files files = sample.files;
  files[sample.files.begin()->first][200] ^= 1;
  files["lost-1-picture-0000000000000002"] = "of an earlier time";
  RecordingDisk made;
  for (const auto& [name, bytes] : files) {
    ASSERT_TRUE(made.create(name).value()->append(bytes));
  }
  Random random{1};
  const auto damaged = made.after(made.steps(), tests::Loss::nothing, random);
  RecordingDisk& disk = *damaged;
  ASSERT_TRUE(repair_journal(disk, "boot"));
  const std::string picture = sample.files.begin()->first;
  EXPECT_EQ(disk.content("lost-2-" + picture), files[picture]);
  EXPECT_EQ(disk.content("lost-1-picture-0000000000000002"), "of an earlier time");
  const std::string whole =
      drawn(*Start{*disk.after(disk.steps(), tests::Loss::nothing, random)}.state);
  for (std::size_t steps = 0; steps <= disk.steps(); ++steps) {
    const auto crashed = disk.after(steps, tests::Loss::unsynced, random);
    if (check_journal(*crashed).verdict == Verdict::refused) {
      ASSERT_TRUE(repair_journal(*crashed, "boot")) << "after " << steps << " steps";
    }
    const Start start{*crashed};
    ASSERT_TRUE(start.log) << "after " << steps << " steps: " << start.log.error().what;
    ASSERT_EQ(drawn(*start.state), whole) << "after " << steps << " steps";
  }
}

}  // namespace
}  // namespace fencepost::server
