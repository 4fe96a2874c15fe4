// What this process takes of the machine: memory and processor time.
#include "server/usage.h"

#include <cstdint>
#include <fstream>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace fencepost::server {

namespace {

std::uint64_t page_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html: size and resident set, in pages.
std::uint64_t resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  std::uint64_t size_pages = 0;
  std::uint64_t resident_pages = 0;
  if (!(statm >> size_pages >> resident_pages)) return 0;
  return resident_pages * page_bytes();
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// The allocator of a sanitizer says nothing.
std::uint64_t used_bytes() {
  const auto heap = mallinfo2();
  const std::uint64_t used = heap.uordblks + heap.hblkhd;
  return used != 0 ? used : resident_bytes();
}

commands::Usage measure() {
  const auto heap = mallinfo2();
  commands::Usage usage;
  usage.used_bytes = used_bytes();
  usage.resident_bytes = resident_bytes();
  usage.allocated_bytes = heap.arena + heap.hblkhd;
  if (usage.allocated_bytes == 0) usage.allocated_bytes = usage.resident_bytes;
  usage.machine_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
  rusage times{};
  if (getrusage(RUSAGE_SELF, &times) == 0) {
    usage.user_s = seconds(times.ru_utime);
    usage.system_s = seconds(times.ru_stime);
  }
  return usage;
}

}  // namespace

void provide_usage(commands::Process& process) {
  process.usage = measure;
  process.used_bytes = used_bytes;
  process.trim_memory = [] { malloc_trim(0); };
}

}  // namespace fencepost::server
