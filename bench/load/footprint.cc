// What one lock and one idle connection cost in memory.
#include "bench/load/footprint.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "bench/load/client.h"

namespace fencepost::load {

namespace {

constexpr std::size_t kBatch = 1000;

// What was freed or grown in the background is settled when this is over.
void rest() {
  std::this_thread::sleep_for(std::chrono::milliseconds{300});
}

double growth(const ServerProcess& server, std::uint64_t before, std::size_t count) {
  rest();
  return (static_cast<double>(server.memory_bytes()) - static_cast<double>(before)) /
         static_cast<double>(count);
}

std::string numbered(std::string step, std::size_t number) {
  const std::string mark = "{number}";
  for (std::size_t at = step.find(mark); at != std::string::npos; at = step.find(mark))
    step.replace(at, mark.size(), fmt::format("{:012}", number));
  return request_of(split(step));
}

// Sends the requests and waits until all are answered.
void run_all(Client& client, const std::string& requests, std::size_t count) {
  client.send(requests);
  while (count > 0) {
    client.receive([&count](const Glance& reply) {
      if (reply.type == '-' || reply.is_nil) throw Failed{"a key was refused"};
      --count;
    });
  }
}

}  // namespace

double bytes_per_key(const ServerProcess& server, const std::vector<std::string>& steps,
                     std::size_t count) {
  Client client{server.port()};
  run_all(client, request_of({"PING"}), 1);
  rest();
  const std::uint64_t before = server.memory_bytes();
  for (std::size_t first = 0; first < count; first += kBatch) {
    std::string requests;
    const std::size_t end = std::min(first + kBatch, count);
    for (std::size_t number = first; number < end; ++number)
      for (const std::string& step : steps) requests += numbered(step, number);
    run_all(client, requests, (end - first) * steps.size());
  }
  return growth(server, before, count);
}

double bytes_per_connection(const ServerProcess& server, std::size_t count) {
  const std::string ping = request_of({"PING"});
  std::vector<Client> clients;
  clients.reserve(count);
  const std::uint64_t before = server.memory_bytes();
  for (std::size_t at = 0; at < count; ++at) {
    clients.emplace_back(server.port());
    run_all(clients.back(), ping, 1);
  }
  return growth(server, before, count);
}

}  // namespace fencepost::load
