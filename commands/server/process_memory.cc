// What memory and processor time the process uses, asked of the C library and the kernel at the
// moment of the call.
#include "commands/server/process_memory.h"

#include <fstream>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace fencepost::commands {
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

}  // namespace

ProcessMemory process_memory() {
  // A sanitizer's allocator leaves these at 0.
  const auto heap = mallinfo2();
  ProcessMemory memory;
  memory.resident = resident_bytes();
  memory.used = heap.uordblks + heap.hblkhd;
  memory.allocated = heap.arena + heap.hblkhd;
  if (memory.used == 0) memory.used = memory.allocated = memory.resident;
  memory.system = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
  return memory;
}

void return_unused_memory() {
  malloc_trim(0);
}

ProcessorTime processor_time() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return {};
  return {.user = seconds(usage.ru_utime), .system = seconds(usage.ru_stime)};
}

}  // namespace fencepost::commands
