// How many clients the operating system lets us have.
#pragma once

#include <cstdint>

namespace fencepost::server {

// Raises the limit on open descriptors as far as `max_clients` needs and the system allows. Returns
// how many clients there can be: `max_clients`, or fewer.
std::int64_t make_room_for_clients(std::int64_t max_clients);

}  // namespace fencepost::server
