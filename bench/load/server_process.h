// A server that the benchmark starts itself, pinned to one core, and what it uses up.
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace fencepost::load {

constexpr int kServerCore = 0;
constexpr int kLoadCore = 1;

class ServerProcess {
 public:
  // Runs `command` with "{port}" filled in, on the server's core; returns when it answers PING.
  explicit ServerProcess(std::string command);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  int port() const { return port_; }
  // All its threads, user and system, since it started. As /proc/PID/stat has it, in nanoseconds.
  double cpu_seconds() const;
  // Memory of its own, in bytes (RssAnon).
  std::uint64_t memory_bytes() const;

 private:
  void await() const;

  int port_;
  pid_t pid_ = 0;
};

// Pins this process to the load's core.
void take_load_core();
// CPU seconds that were spent on the whole machine.
double machine_cpu_seconds();
// CPU seconds of this process.
double own_cpu_seconds();

}  // namespace fencepost::load
