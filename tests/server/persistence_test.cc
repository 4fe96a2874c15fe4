// What leaves when, with a disk and a worker that do what the test says.
#include "server/persistence.h"

#include <functional>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "stage.h"
#include "tests/journal/recording_disk.h"

namespace fencepost::server {
namespace {

class StandingClock final : public ContinuedClock {
 public:
  Now now() override { return {.log = log_, .wall_offset = Duration{0}}; }
  std::int64_t stopwatch_us() override { return stopwatch_us_ += 3; }
  void continue_from(Instant last) override { log_ = last; }

 private:
  Instant log_{Duration{1'700'000'000'000}};
  std::int64_t stopwatch_us_ = 0;
};

// Has the work done when it is told to.
class SlowWorker final : public Worker {
 public:
  void run(std::function<void()> work, std::function<void()> done) override {
    work_ = std::move(work);
    done_ = std::move(done);
  }
  bool busy() const { return work_ != nullptr; }
  void finish() {
    std::exchange(work_, nullptr)();
    std::exchange(done_, nullptr)();
  }

 private:
  std::function<void()> work_;
  std::function<void()> done_;
};

class NoBeat final : public Beat {
 public:
  void every(std::uint64_t /*ms*/) override {}
};

class PersistenceTest : public testing::Test {
 protected:
  PersistenceTest() {
    auto opened = Persistence::open(disk, {}, stage.engine(), clock, {});
    EXPECT_TRUE(opened);
    persistence = std::move(*opened);
    persistence->attach(worker, beat);
  }
  // What the client hears once the turn is made.
  std::string turn() {
    persistence->commit();
    stage.flush();
    return stage.heard(client);
  }
  std::string ask(const std::string& lines) {
    stage.engine().receive(client, lines + "\r\n");
    return turn();
  }

  tests::RecordingDisk disk;
  StandingClock clock;
  Stage stage{{{"appendfsync", "no"}}};
  SlowWorker worker;
  NoBeat beat;
  std::unique_ptr<Persistence> persistence;
  ClientId client = stage.join();
};

TEST_F(PersistenceTest, WithoutSyncsAnAnswerLeavesOnceItIsWritten) {
  EXPECT_EQ(ask("LOCK door alice"), ":1\r\n");
  EXPECT_EQ(ask("UNLOCK door alice"), ":1\r\n");
  EXPECT_FALSE(worker.busy());
}

TEST_F(PersistenceTest, UnderAlwaysItLeavesOnceItIsSynced) {
  EXPECT_EQ(ask("PING"), "+PONG\r\n");
  EXPECT_EQ(ask("CONFIG SET appendfsync always"), "+OK\r\n");
  worker.finish();
  EXPECT_EQ(ask("LOCK door alice"), "");
  worker.finish();
  EXPECT_EQ(turn(), ":1\r\n");
}

// The second UNLOCK changes nothing, and rests on the first, which nobody has synced.
TEST_F(PersistenceTest, WhatIsToldUnderAlwaysRestsOnNothingUnsynced) {
  EXPECT_EQ(ask("LOCK door alice"), ":1\r\n");
  EXPECT_EQ(ask("UNLOCK door alice"), ":1\r\n");
  EXPECT_EQ(ask("CONFIG SET appendfsync always\r\nUNLOCK door alice"), "");
  ASSERT_TRUE(worker.busy());
  worker.finish();
  EXPECT_EQ(turn(), "+OK\r\n:1\r\n");
}

}  // namespace
}  // namespace fencepost::server
