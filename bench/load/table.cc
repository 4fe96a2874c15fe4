// The table of performance.md, as far as it can be measured now: ours, redis-server's, the ratio,
// the goal.
#include "bench/load/table.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "bench/load/catalogue.h"
#include "bench/load/footprint.h"
#include "bench/load/measures.h"

namespace fencepost::load {

namespace {

// What a ratio (or a figure of ours alone) must not pass.
struct Goal {
  std::string figure;
  enum class Side : std::uint8_t { at_most, at_least } side;
  double value;
};
using Side = Goal::Side;

struct Contest {
  std::string work;
  std::string ours;
  std::string theirs;
  Load load;
  std::vector<Goal> goals;
};

struct Race {
  std::string work;
  std::string theirs;  // strategy
  std::size_t waiters;
  std::vector<Goal> goals;
};

Load load_of(std::size_t connections, std::size_t pipeline, double rate = 0) {
  return {.connections = connections, .pipeline = pipeline, .rate = rate};
}

std::vector<Contest> contests() {
  const Goal cpu_87{"CPU us", Side::at_most, 0.87};
  const Goal more_110{"ops/s", Side::at_least, 1.10};
  const Goal cpu_80{"CPU us", Side::at_most, 0.80};
  return {
      {"PING, 1 connection", "ping", "ping", load_of(1, 1), {{"p50 us", Side::at_most, 1.05}}},
      {"SET, 1 connection", "set", "set", load_of(1, 1), {{"p50 us", Side::at_most, 1.05}}},
      {"PING, 50 connections",
       "ping",
       "ping",
       load_of(50, 1),
       {{"CPU us", Side::at_most, 0.93}, {"ops/s", Side::at_least, 1.05}}},
      {"SET, 50 connections", "set", "set", load_of(50, 1), {cpu_87, more_110}},
      {"GET, 50 connections", "get", "get", load_of(50, 1), {cpu_87, more_110}},
      {"INCR, 50 connections", "incr", "incr", load_of(50, 1), {cpu_87, more_110}},
      {"PING, 50,000 a second", "ping", "ping", load_of(50, 1, 50'000), {}},
      {"SET, 50,000 a second", "set", "set", load_of(50, 1, 50'000), {}},
      {"PING, 500 connections", "ping", "ping", load_of(500, 1), {cpu_80}},
      {"SET, 500 connections", "set", "set", load_of(500, 1), {cpu_80}},
      {"GET, 500 connections", "get", "get", load_of(500, 1), {cpu_80}},
      {"PING, pipeline 16", "ping", "ping", load_of(50, 16), {{"ops/s", Side::at_least, 1.5}}},
      {"SET, pipeline 16", "set", "set", load_of(50, 16), {{"ops/s", Side::at_least, 1.6}}},
      {"GET, pipeline 16", "get", "get", load_of(50, 16), {{"ops/s", Side::at_least, 1.6}}},
      {"lock cycle against SET NX + EVALSHA",
       "lock",
       "setnx",
       load_of(50, 1),
       {{"CPU us", Side::at_most, 0.72}, {"ops/s", Side::at_least, 1.35}}},
      {"lock cycle against SET + INCR script",
       "lock",
       "fenced",
       load_of(50, 1),
       {{"ops/s", Side::at_least, 1.6}}},
      {"lock cycle against record scripts",
       "lock",
       "record",
       load_of(50, 1),
       {{"ops/s", Side::at_least, 2.3}}},
      {"lock cycle, pipeline 16, against SET NX + EVALSHA",
       "lock",
       "setnx",
       load_of(50, 16),
       {{"ops/s", Side::at_least, 4}}},
      {"lock cycle, pipeline 16, against record scripts",
       "lock",
       "record",
       load_of(50, 16),
       {{"ops/s", Side::at_least, 20}}},
      {"unchanged client: SET NX + EVALSHA",
       "setnx",
       "setnx",
       load_of(50, 1),
       {{"ops/s", Side::at_least, 1.1}}},
      {"unchanged client, pipeline 16",
       "setnx",
       "setnx",
       load_of(50, 16),
       {{"ops/s", Side::at_least, 1.3}}},
      {"SET NX + DELIFEQ against SET NX + EVALSHA",
       "setnx-delifeq",
       "setnx",
       load_of(50, 1),
       {{"ops/s", Side::at_least, 1.1}}},
  };
}

std::vector<Race> races() {
  const auto gap = [](double at_most) { return Goal{"gap p50 us", Side::at_most, at_most}; };
  const Goal trips{"gap / round trip", Side::at_most, 1.15};
  return {
      {"hand-over, 2 waiters, against pub/sub", "pubsub", 2, {trips, gap(0.6)}},
      {"hand-over, 16 waiters, against pub/sub", "pubsub", 16, {trips, gap(0.55)}},
      {"hand-over, 128 waiters, against pub/sub", "pubsub", 128, {trips, gap(0.2)}},
      {"hand-over, 16 waiters, against BLPOP", "blpop", 16, {gap(0.6)}},
      {"hand-over, 128 waiters, against BLPOP", "blpop", 128, {gap(0.6)}},
      {"hand-over, 16 waiters, against polling", "polling", 16, {gap(0.05)}},
  };
}

std::string number(double value) {
  if (value >= 10'000) return fmt::format("{:.1f}k", value / 1000);
  return value < 10 ? fmt::format("{:.2f}", value) : fmt::format("{:.1f}", value);
}

class Table {
 public:
  explicit Table(const TableOptions& options) : options_{options} {}

  int print() {
    print_contests();
    print_races();
    print_footprints();
    return missed_;
  }

 private:
  bool wanted(const std::string& work) const {
    return work.find(options_.rows) != std::string::npos;
  }

  static void head(const std::string& figures) {
    const auto columns = std::count(figures.begin(), figures.end(), '|') + 3;
    fmt::print("\n| work | {} | goals, as ratios |\n|", figures);
    for (std::ptrdiff_t column = 0; column < columns; ++column) fmt::print("---|");
    fmt::print("\n");
  }

  void row(const std::string& work, const std::vector<Compared>& figures,
           const std::vector<Goal>& goals) {
    fmt::print("| {} |", work);
    for (const Compared& each : figures) {
      fmt::print(" {}", number(each.ours));
      if (each.theirs > 0) fmt::print(" / {} = **{:.2f}**", number(each.theirs), each.ratio());
      fmt::print(" |");
    }
    for (const Goal& goal : goals) fmt::print(" {}", verdict(goal, figures));
    fmt::print(" |\n");
    std::fflush(stdout);
  }

  // The round trips a hand-over takes are a ratio of our own figures already.
  std::string verdict(const Goal& goal, const std::vector<Compared>& figures) {
    const auto figure = std::find_if(figures.begin(), figures.end(), [&goal](const Compared& each) {
      return each.figure == goal.figure;
    });
    const bool is_own = goal.figure == "gap / round trip" || figure->theirs == 0;
    const double value = is_own ? figure->ours : figure->ratio();
    const bool at_most = goal.side == Side::at_most;
    const bool holds = at_most ? value <= goal.value : value >= goal.value;
    if (!holds) ++missed_;
    return fmt::format("{} {} {}: {}.", goal.figure, at_most ? "<=" : ">=", goal.value,
                       holds ? "holds" : fmt::format("**missed** ({:.2f})", value));
  }

  // One pair of servers for all of them: memory aside, nothing is left behind that slows a later
  // row.
  void print_contests() {
    std::vector<Contest> rows = contests();
    std::erase_if(rows, [this](const Contest& each) { return !wanted(each.work); });
    if (rows.empty()) return;
    head("ops/s | CPU us | p50 us | p99 us | p99.9 us");
    const ServerProcess ours{options_.ours};
    const ServerProcess theirs{options_.theirs};
    for (Contest& contest : rows) {
      contest.load.seconds = options_.seconds;
      contest.load.warm_up_seconds = options_.warm_up_seconds;
      const auto compared =
          compare(ours, measure_load(workload(contest.ours), contest.load), theirs,
                  measure_load(workload(contest.theirs), contest.load), options_.rounds);
      row(contest.work, compared, contest.goals);
    }
  }

  void print_races() {
    std::vector<Race> rows = races();
    std::erase_if(rows, [this](const Race& each) { return !wanted(each.work); });
    if (rows.empty()) return;
    head("gap p50 us | gap p99 us | gap / round trip | CPU us | commands");
    const ServerProcess ours{options_.ours};
    const ServerProcess theirs{options_.theirs};
    for (const Race& race : rows) {
      const auto compared =
          compare(ours, measure_hand_over(strategy("lock"), race.waiters, options_.seconds), theirs,
                  measure_hand_over(strategy(race.theirs), race.waiters, options_.seconds),
                  options_.rounds);
      row(race.work, compared, race.goals);
    }
  }

  void print_footprints() {
    const std::string locks = fmt::format("memory of a lock, {} locks", options_.keys);
    const std::string idle =
        fmt::format("memory of an idle connection, {}", options_.idle_connections);
    if (!wanted(locks) && !wanted(idle)) return;
    head("bytes each");
    const std::string owner = "0123456789abcdef0123456789abcdef PX 3600000";
    const std::string key = "lock:resource:{number}";  // 26 bytes
    const auto keys = [this](const std::string& command, const std::vector<std::string>& steps) {
      return bytes_per_key(ServerProcess{command}, steps, options_.keys);
    };
    if (wanted(locks)) {
      const double ours = keys(options_.ours, {"LOCK " + key + " " + owner});
      const std::string set = "SET " + key + " " + owner + " NX";
      row(locks, {{"bytes", ours, keys(options_.theirs, {set})}}, {{"bytes", Side::at_most, 0.65}});
      row(locks + ", against SET and a fence key",
          {{"bytes", ours, keys(options_.theirs, {set, "INCR fence:" + key})}},
          {{"bytes", Side::at_most, 0.45}});
    }
    if (wanted(idle)) {
      const auto each = [this](const std::string& command) {
        return bytes_per_connection(ServerProcess{command}, options_.idle_connections);
      };
      row(idle, {{"bytes", each(options_.ours), each(options_.theirs)}},
          {{"bytes", Side::at_most, 0.12}});
    }
  }

  const TableOptions& options_;
  int missed_ = 0;
};

}  // namespace

int print_table(const TableOptions& options) {
  return Table{options}.print();
}

}  // namespace fencepost::load
