// How fast bytes become requests and replies become bytes.
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "resp/reply_parser.h"
#include "resp/request_parser.h"
#include "resp/writer.h"

namespace fencepost::resp {
namespace {

using Status = RequestParser::Status;

std::string copies(std::string_view request, std::int64_t count) {
  std::string bytes;
  for (std::int64_t i = 0; i < count; ++i) bytes += request;
  return bytes;
}

// As many requests in one read as the argument says.
void parse(benchmark::State& state, std::string_view request) {
  const std::string bytes = copies(request, state.range(0));
  const RequestLimits limits;
  RequestParser parser;
  for ([[maybe_unused]] auto round : state) {
    std::string_view rest = bytes;
    while (parser.parse(rest, limits) == Status::request) {
      benchmark::DoNotOptimize(parser.arguments().data());
      rest.remove_prefix(parser.consumed());
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

void parse_ping(benchmark::State& state) {
  parse(state, "*1\r\n$4\r\nPING\r\n");
}

void parse_set(benchmark::State& state) {
  parse(state, "*3\r\n$3\r\nSET\r\n$16\r\nkey:000000012345\r\n$16\r\n0123456789abcdef\r\n");
}

void parse_lock(benchmark::State& state) {
  parse(state,
        "*5\r\n$4\r\nLOCK\r\n$24\r\nlock:res:000000000000001\r\n"
        "$32\r\n0123456789abcdef0123456789abcdef\r\n$2\r\nPX\r\n$5\r\n30000\r\n");
}

void parse_inline(benchmark::State& state) {
  parse(state, "SET key \"a value\"\r\n");
}

BENCHMARK(parse_ping)->Arg(1)->Arg(16);
BENCHMARK(parse_set)->Arg(1)->Arg(16);
BENCHMARK(parse_lock)->Arg(1)->Arg(16);
BENCHMARK(parse_inline)->Arg(1);

// The buffer is emptied, not freed, every 16 replies, as a connection does.
template <typename Write>
void write(benchmark::State& state, Protocol protocol, Write write_one) {
  std::string out;
  ReplyWriter reply{out, protocol};
  for ([[maybe_unused]] auto round : state) {
    out.clear();
    for (int i = 0; i < 16; ++i) write_one(reply);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * 16);
}

void write_ok(benchmark::State& state) {
  write(state, Protocol::resp2, [](ReplyWriter& reply) { reply.simple("OK"); });
}

void write_fence(benchmark::State& state) {
  write(state, Protocol::resp2, [](ReplyWriter& reply) { reply.integer(1'234'567); });
}

void write_bulk(benchmark::State& state) {
  write(state, Protocol::resp2, [](ReplyWriter& reply) { reply.bulk("0123456789abcdef"); });
}

void write_null(benchmark::State& state) {
  write(state, Protocol::resp3, [](ReplyWriter& reply) { reply.null(); });
}

void write_map(benchmark::State& state) {
  write(state, Protocol::resp3, [](ReplyWriter& reply) {
    reply.map(2);
    reply.bulk("owner");
    reply.bulk("alice");
    reply.bulk("ttl-ms");
    reply.integer(29'999);
  });
}

void write_real(benchmark::State& state) {
  write(state, Protocol::resp3, [](ReplyWriter& reply) { reply.real(0.1); });
}

BENCHMARK(write_ok);
BENCHMARK(write_fence);
BENCHMARK(write_bulk);
BENCHMARK(write_null);
BENCHMARK(write_map);
BENCHMARK(write_real);

void read_reply(benchmark::State& state) {
  const std::string_view bytes = "*2\r\n$5\r\nalice\r\n:42\r\n";
  ReplyParser parser;
  for ([[maybe_unused]] auto round : state) benchmark::DoNotOptimize(parser.parse(bytes));
}
BENCHMARK(read_reply);

}  // namespace
}  // namespace fencepost::resp
