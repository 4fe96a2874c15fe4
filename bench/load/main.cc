// The load generator: one workload, or the whole table, ours against a redis-server, both started
// here.
#include <csignal>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/load/catalogue.h"
#include "bench/load/measures.h"
#include "bench/load/table.h"

namespace {

using fencepost::load::Compared;
using fencepost::load::Load;
using fencepost::load::ServerProcess;
using fencepost::load::Strategy;
using fencepost::load::TableOptions;
using fencepost::load::Workload;
namespace load = fencepost::load;

constexpr const char* kOurs =
    "build/release/fencepost --port {port} --bind 127.0.0.1 --maxclients 20000 --appendonly no";
constexpr const char* kTheirs =
    "redis-server --port {port} --bind 127.0.0.1 --maxclients 20000 --save '' --appendonly no";

struct RunOptions {
  std::string ours = "ping";
  std::string theirs;
  std::size_t waiters = 0;
  Load load;
};

void print(const std::vector<Compared>& figures) {
  fmt::print("{:>24} {:>12} {:>12} {:>7}\n", "", "ours", "redis", "ratio");
  for (const Compared& each : figures)
    fmt::print("{:>24} {:>12.2f} {:>12.2f} {:>7.2f}\n", each.figure, each.ours, each.theirs,
               each.ratio());
}

void run_one(const RunOptions& options, const TableOptions& table) {
  const ServerProcess ours{table.ours};
  const ServerProcess theirs{table.theirs};
  const std::string& other = options.theirs.empty() ? options.ours : options.theirs;
  if (options.waiters > 0) {
    print(load::compare(
        ours, load::measure_hand_over(load::strategy(options.ours), options.waiters, table.seconds),
        theirs, load::measure_hand_over(load::strategy(other), options.waiters, table.seconds),
        table.rounds));
    return;
  }
  Load how = options.load;
  how.seconds = table.seconds;
  how.warm_up_seconds = table.warm_up_seconds;
  print(load::compare(ours, load::measure_load(load::workload(options.ours), how), theirs,
                      load::measure_load(load::workload(other), how), table.rounds));
}

std::string names() {
  std::string text = "Workloads:";
  for (const Workload& each : load::workloads()) text += " " + each.name;
  text += "\nWith --waiters:";
  for (const Strategy& each : load::strategies()) text += " " + each.name;
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  TableOptions table{.ours = kOurs, .theirs = kTheirs, .rows = {}, .rounds = {}};
  RunOptions one;
  CLI::App app{"Loads fencepost and a redis-server in turn and compares them."};
  app.footer(names());
  app.require_subcommand(1);
  app.add_option("--server", table.ours, "Command line of ours, with {port}")
      ->capture_default_str();
  app.add_option("--redis", table.theirs, "Command line of the other")->capture_default_str();
  app.add_option("--rounds", table.rounds.count, "Runs of each, of which the median counts")
      ->capture_default_str();
  app.add_option("--noise", table.rounds.noise,
                 "Cores that others may use before a run is repeated")
      ->capture_default_str();
  app.add_option("--seconds", table.seconds, "Length of a run")->capture_default_str();
  app.add_option("--warm-up", table.warm_up_seconds, "Seconds before it")->capture_default_str();

  auto* run = app.add_subcommand("run", "One workload, or one way to wait");
  run->add_option("workload", one.ours, "What ours is given")->required();
  run->add_option("--against", one.theirs, "What the redis-server is given; the same if not said");
  run->add_option("--connections", one.load.connections)->capture_default_str();
  run->add_option("--pipeline", one.load.pipeline)->capture_default_str();
  run->add_option("--rate", one.load.rate, "Operations a second (open loop); 0: closed loop")
      ->capture_default_str();
  run->add_option("--waiters", one.waiters, "Measure hand-overs among so many");

  auto* all = app.add_subcommand("table", "The table of bench/README.md");
  all->add_option("--rows", table.rows, "Only rows whose name contains this");
  all->add_option("--keys", table.keys, "Locks for the memory row")->capture_default_str();
  all->add_option("--idle", table.idle_connections, "Idle connections")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  try {
    load::allow_many_descriptors();
    load::take_load_core();
    if (run->parsed()) run_one(one, table);
    if (all->parsed()) {
      const int missed = load::print_table(table);
      fmt::print(stderr, "{} goals missed\n", missed);
    }
    return 0;
  } catch (const std::exception& failed) {
    std::fflush(stdout);
    fmt::print(stderr, "load: {}\n", failed.what());
    return 1;
  }
}
