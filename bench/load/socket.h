// What the generator needs of the kernel: time, sockets to 127.0.0.1, and waiting for many of them
// at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::load {

// A benchmark that cannot go on says why and ends; nothing catches this but main.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::uint64_t now_ns();  // steady

class Socket {
 public:
  explicit Socket(int port);
  ~Socket();
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&&) = delete;

  int descriptor() const { return descriptor_; }
  // Sends all of it, waiting when the kernel's buffer is full.
  void send(std::string_view bytes) const;
  // What is there, at least one byte; waits for it. The view is good until the next call.
  std::string_view receive(std::span<char> room) const;

 private:
  int descriptor_;
};

// Waits until some of its sockets have something to read.
class Poller {
 public:
  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  void add(const Socket& socket, std::uint32_t id) const;
  // The ids of the readable ones; none when the time is up.
  const std::vector<std::uint32_t>& wait(std::uint64_t at_most_ns);

 private:
  int descriptor_;
  std::vector<std::uint32_t> readable_;
};

// A port of 127.0.0.1 that nobody listens on.
int free_port();

// Raises the number of descriptors to what the system allows.
void allow_many_descriptors();

}  // namespace fencepost::load
