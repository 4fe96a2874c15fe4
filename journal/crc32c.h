// CRC-32C, the checksum of every frame in the journal.
#pragma once

#include <cstdint>
#include <string_view>

namespace fencepost::journal {

// Castagnoli's polynomial, reflected, as iSCSI has it (RFC 3720, appendix B.4). Of "123456789" it
// is 0xe3069283.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace fencepost::journal
