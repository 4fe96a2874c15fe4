// A fingerprint of the state: two servers that agree on every key, value and fence answer the same
// one.
#include "commands/server/digest.h"

#include <bit>

namespace fencepost::commands {
namespace {

// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014): every bit in reaches every bit out.
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

void Digest::mix(std::uint64_t number) {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    lanes_[lane] = scrambled(std::rotl(lanes_[lane], 23) ^ scrambled(number + lane));
  }
}

void Digest::mix(std::string_view bytes) {
  mix(std::uint64_t{bytes.size()});
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const auto piece = bytes.substr(0, sizeof word);
    for (const char c : piece) word = word << 8 | static_cast<unsigned char>(c);
    mix(word);
    bytes.remove_prefix(piece.size());
  }
}

void Digest::join(const Digest& other) {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) lanes_[lane] ^= other.lanes_[lane];
}

// Of a value without an order, the elements' own fingerprints are joined, in whatever order they
// come.
void Digest::mix_elements(Digest& digest, const state::Collection& collection) {
  digest.mix(std::uint64_t{collection.size()});
  Digest joined;
  const bool ordered = collection.ordered();
  collection.for_each([&](std::span<const std::string_view> parts) {
    Digest one;
    for (const std::string_view part : parts) (ordered ? digest : one).mix(part);
    if (!ordered) joined.join(one);
  });
  digest.join(joined);
}

Digest Digest::of_value(const state::Item& item) {
  Digest digest;
  digest.mix(static_cast<std::uint64_t>(item.type()));
  if (item.is_string()) {
    digest.mix(item.text());
    return digest;
  }
  if (item.is_collection()) {
    mix_elements(digest, item.collection());
    return digest;
  }
  digest.mix(static_cast<std::uint64_t>(item.lock().mode()));
  digest.mix(static_cast<std::uint64_t>(item.lock().limit()));
  for (const auto& [owner, hold] : item.lock().holds()) {
    digest.mix(owner);
    digest.mix(hold.fence);
  }
  return digest;
}

Digest Digest::of_state(state::State& state) {
  Digest all;
  for (DatabaseIndex database = 0; database < kDatabaseCount; ++database) {
    state.keys().for_each(database, [&all, database](const state::Item& item) {
      auto one = of_value(item);
      one.mix(std::uint64_t{database});
      one.mix(item.key());
      one.mix(item.fence);
      one.mix(std::uint64_t{item.deadline != kNever});
      all.join(one);
    });
  }
  return all;
}

std::string Digest::text() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::size_t kLength = 40;
  std::string text;
  for (std::size_t i = 0; i < kLength; ++i) {
    text += kDigits[lanes_[i / 16] >> (60 - 4 * (i % 16)) & 0xf];
  }
  return text;
}

}  // namespace fencepost::commands
