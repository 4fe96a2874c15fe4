// How many clients the operating system lets us have.
#include "server/descriptors.h"

#include <algorithm>
#include <sys/resource.h>

namespace fencepost::server {

namespace {

// Listeners, log, loop, and those who are only let in to be told that they are too many.
constexpr rlim_t kReserved = 32;

}  // namespace

std::int64_t make_room_for_clients(std::int64_t max_clients) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return max_clients;
  const rlim_t wanted = static_cast<rlim_t>(std::max<std::int64_t>(max_clients, 1)) + kReserved;
  if (limit.rlim_cur >= wanted) return max_clients;
  // Only a privileged process may raise the hard limit; anybody may go up to it.
  const rlimit raised{wanted, std::max(limit.rlim_max, wanted)};
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return max_clients;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= wanted) return max_clients;
  return static_cast<std::int64_t>(limit.rlim_cur > kReserved ? limit.rlim_cur - kReserved : 1);
}

}  // namespace fencepost::server
