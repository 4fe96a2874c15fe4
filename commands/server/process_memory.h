// What memory and processor time the process uses, asked of the C library and the kernel at the
// moment of the call.
#pragma once

#include <cstdint>

namespace fencepost::commands {

// Bytes.
struct ProcessMemory {
  std::uint64_t used = 0;  // handed out by the allocator; where it does not say, the resident set
  std::uint64_t allocated = 0;  // taken by the allocator from the kernel
  std::uint64_t resident = 0;
  std::uint64_t system = 0;  // of the whole machine
};
ProcessMemory process_memory();
// Gives what the allocator holds unused back to the kernel.
void return_unused_memory();

// Seconds.
struct ProcessorTime {
  double user = 0;
  double system = 0;
};
ProcessorTime processor_time();

}  // namespace fencepost::commands
