// A server that the benchmark starts itself, pinned to one core, and what it uses up.
#include "bench/load/server_process.h"

#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "bench/load/client.h"

namespace fencepost::load {

namespace {

void pin_to(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  sched_setaffinity(0, sizeof cores, &cores);  // on a machine with one core all share it
}

double clock_seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

[[noreturn]] void become(const Words& words) {
  pin_to(kServerCore);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  _exit(127);
}

std::string with_port(std::string command, int port) {
  const std::string mark = "{port}";
  const std::size_t at = command.find(mark);
  if (at == std::string::npos) throw Failed{"the server's command has no {port}: " + command};
  return command.replace(at, mark.size(), std::to_string(port));
}

}  // namespace

ServerProcess::ServerProcess(std::string command) : port_{free_port()} {
  const Words words = split(with_port(std::move(command), port_));
  pid_ = fork();
  if (pid_ < 0) throw Failed{"fork"};
  if (pid_ == 0) become(words);
  await();
}

ServerProcess::~ServerProcess() {
  kill(pid_, SIGTERM);
  for (int tries = 0; tries < 500; ++tries) {
    if (waitpid(pid_, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void ServerProcess::await() const {
  for (int tries = 0; tries < 300; ++tries) {
    try {
      Client{port_}.call({"PING"});
      return;
    } catch (const Failed&) {
      if (waitpid(pid_, nullptr, WNOHANG) != 0) throw Failed{"the server ended at once"};
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
  }
  throw Failed{"the server does not answer"};
}

double ServerProcess::cpu_seconds() const {
  clockid_t clock{};
  if (clock_getcpuclockid(pid_, &clock) != 0) throw Failed{"the server is gone"};
  return clock_seconds(clock);
}

std::uint64_t ServerProcess::memory_bytes() const {
  std::ifstream status{"/proc/" + std::to_string(pid_) + "/status"};
  for (std::string word; status >> word;) {
    std::uint64_t kib = 0;
    if (word == "RssAnon:" && status >> kib) return kib * 1024;
  }
  throw Failed{"the server is gone"};
}

void take_load_core() {
  pin_to(kLoadCore);
}

double machine_cpu_seconds() {
  std::ifstream stat{"/proc/stat"};
  std::string name;
  double ticks[7] = {};  // user nice system idle iowait irq softirq
  stat >> name;
  for (double& tick : ticks) stat >> tick;
  const double busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
  return busy / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_cpu_seconds() {
  return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace fencepost::load
