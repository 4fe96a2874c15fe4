// SHA-1 as hex digits: the name a script goes by (EVALSHA).
#include "base/sha1.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace fencepost {

namespace {

constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kLengthBytes = 8;  // of the message in bits, at the end of the last block

std::uint32_t big_endian_word(std::string_view block, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t byte = at; byte < at + 4; ++byte) {
    word = (word << 8) | static_cast<unsigned char>(block[byte]);
  }
  return word;
}

// The round function and its constant (RFC 3174, section 5).
std::uint32_t mix(std::size_t round, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5A827999U;
  if (round < 40) return (b ^ c ^ d) + 0x6ED9EBA1U;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDCU;
  return (b ^ c ^ d) + 0xCA62C1D6U;
}

using Digest = std::array<std::uint32_t, 5>;

void add_block(Digest& digest, std::string_view block) {
  std::array<std::uint32_t, 80> words{};
  for (std::size_t at = 0; at < 16; ++at) words[at] = big_endian_word(block, at * 4);
  for (std::size_t at = 16; at < words.size(); ++at) {
    words[at] = std::rotl(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1);
  }
  auto [a, b, c, d, e] = digest;
  for (std::size_t round = 0; round < words.size(); ++round) {
    const std::uint32_t next = std::rotl(a, 5) + mix(round, b, c, d) + e + words[round];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  digest = {digest[0] + a, digest[1] + b, digest[2] + c, digest[3] + d, digest[4] + e};
}

// What is left behind the whole blocks, a one bit, zeros, and the length.
std::string padded_end(std::string_view bytes) {
  std::string end{bytes.substr(bytes.size() - bytes.size() % kBlockBytes)};
  end.push_back('\x80');
  while (end.size() % kBlockBytes != kBlockBytes - kLengthBytes) end.push_back('\0');
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) {
    end.push_back(static_cast<char>((bits >> shift) & 0xFF));
  }
  return end;
}

}  // namespace

std::string sha1_hex(std::string_view bytes) {
  Digest digest{0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
  const std::size_t whole = bytes.size() - bytes.size() % kBlockBytes;
  for (std::size_t at = 0; at < whole; at += kBlockBytes) {
    add_block(digest, bytes.substr(at, kBlockBytes));
  }
  const std::string end = padded_end(bytes);
  for (std::size_t at = 0; at < end.size(); at += kBlockBytes) {
    add_block(digest, std::string_view{end}.substr(at, kBlockBytes));
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint32_t word : digest) {
    for (int shift = 28; shift >= 0; shift -= 4) hex.push_back(kDigits[(word >> shift) & 0xF]);
  }
  return hex;
}

}  // namespace fencepost
