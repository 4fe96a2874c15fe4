// A request's whole way but for the socket: bytes in, bytes out.
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/check.h"
#include "server/engine.h"

namespace fencepost::server {
namespace {

class SteadyClock final : public Clock {
 public:
  Now now() override {
    log_ += Duration{static_cast<int>(++reads_ % 64 == 0)};
    return {.log = log_, .wall_offset = {}};
  }
  std::int64_t stopwatch_us() override { return log_.time_since_epoch().count() * 1000; }

 private:
  Instant log_{Duration{1'700'000'000'000}};
  std::uint64_t reads_ = 0;
};

Engine::Options options() {
  Engine::Options made;
  made.identity.run_id = std::string(40, 'a');
  return made;
}

// One client; what it is sent is taken away as the transport would.
class Line {
 public:
  Line() : client_{engine_.connect({.address = "127.0.0.1:1", .local_address = "127.0.0.1:2"})} {}

  // The bytes that came back.
  std::size_t say(std::string_view bytes) {
    engine_.receive(client_, bytes);
    engine_.take_dirty(dirty_);
    engine_.take_output(client_, blocks_);
    std::size_t size = 0;
    for (std::string& block : blocks_) {
      size += block.size();
      engine_.give_back(std::move(block));
    }
    blocks_.clear();
    engine_.output_written(client_, size);
    return size;
  }

 private:
  SteadyClock clock_;
  Engine engine_{options(), clock_};
  ClientId client_;
  std::vector<ClientId> dirty_;
  std::vector<std::string> blocks_;
};

// The argument says how many copies come in one read.
void run(benchmark::State& bench, std::string_view request, std::size_t reply_bytes) {
  Line line;
  line.say("*3\r\n$3\r\nSET\r\n$16\r\nkey:000000012345\r\n$16\r\n0123456789abcdef\r\n");
  std::string bytes;
  for (std::int64_t i = 0; i < bench.range(0); ++i) bytes += request;
  const std::size_t first = line.say(bytes);
  check(reply_bytes == 0 || first == reply_bytes * static_cast<std::size_t>(bench.range(0)),
        "it answers what was asked");
  for ([[maybe_unused]] auto round : bench) benchmark::DoNotOptimize(line.say(bytes));
  bench.SetItemsProcessed(bench.iterations() * bench.range(0));
}

void ping(benchmark::State& bench) {
  run(bench, "*1\r\n$4\r\nPING\r\n", 7);
}

void set(benchmark::State& bench) {
  run(bench, "*3\r\n$3\r\nSET\r\n$16\r\nkey:000000012345\r\n$16\r\n0123456789abcdef\r\n", 5);
}

void get(benchmark::State& bench) {
  run(bench, "*2\r\n$3\r\nGET\r\n$16\r\nkey:000000012345\r\n", 23);
}

void incr(benchmark::State& bench) {
  run(bench, "*2\r\n$4\r\nINCR\r\n$16\r\nctr:000000012345\r\n",
      0);  // grows by a digit now and then
}

void lock_cycle(benchmark::State& bench) {
  run(bench,
      "*5\r\n$4\r\nLOCK\r\n$24\r\nlock:res:000000000000001\r\n"
      "$32\r\n0123456789abcdef0123456789abcdef\r\n$2\r\nPX\r\n$5\r\n30000\r\n"
      "*3\r\n$6\r\nUNLOCK\r\n$24\r\nlock:res:000000000000001\r\n"
      "$32\r\n0123456789abcdef0123456789abcdef\r\n",
      0);
}

void set_nx_cycle(benchmark::State& bench) {
  run(bench,
      "*6\r\n$3\r\nSET\r\n$24\r\nlock:res:000000000000001\r\n"
      "$32\r\n0123456789abcdef0123456789abcdef\r\n$2\r\nNX\r\n$2\r\nPX\r\n$5\r\n30000\r\n"
      "*3\r\n$7\r\nDELIFEQ\r\n$24\r\nlock:res:000000000000001\r\n"
      "$32\r\n0123456789abcdef0123456789abcdef\r\n",
      5 + 4);
}

BENCHMARK(ping)->Arg(1)->Arg(16);
BENCHMARK(set)->Arg(1)->Arg(16);
BENCHMARK(get)->Arg(1)->Arg(16);
BENCHMARK(incr)->Arg(1)->Arg(16);
BENCHMARK(lock_cycle)->Arg(1)->Arg(16);
BENCHMARK(set_nx_cycle)->Arg(1)->Arg(16);

}  // namespace
}  // namespace fencepost::server
