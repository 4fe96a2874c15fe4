// The whole state as texts that can be compared.
#include "digest.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "state/image.h"

namespace fencepost::sim {

namespace {

std::string readable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += c >= ' ' && c <= '~' ? std::string(1, c)
                                 : fmt::format("\\{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

// The grammar is that of state/image.cc: kind, fence, deadline, since, last used, the rest.
std::string without_last_use(std::string_view image) {
  ByteReader reader{image};
  reader.u8();
  reader.text();
  const std::string_view body = image.substr(image.size() - reader.left());
  if (reader.u8() == 'g') return std::string{body};
  reader.number();
  reader.signed_number();
  reader.signed_number();
  const std::size_t used_from = body.size() - reader.left();
  reader.signed_number();
  const std::size_t used_to = body.size() - reader.left();
  return std::string{body.substr(0, used_from)}.append(body.substr(used_to));
}

}  // namespace

Digest digest_of(const state::State& state) {
  Digest digest;
  const auto add = [&](DatabaseIndex database, std::string_view key) {
    std::string image;
    state::append_image(image, state, database, key);
    digest[fmt::format("{}:{}", database, key)] = without_last_use(image);
  };
  state.keys().peek_all([&](const state::Item& item) { add(item.database, item.key()); });
  const state::Fences& fences = state.keys().fences();
  // Which counters were dropped is not written down, only the floor, which is above them all.
  fences.for_each([&](const state::IdleRecord& idle) {
    if (idle.fence() > fences.floor()) add(idle.database(), idle.key());
  });
  digest[""] = fmt::format("floor {} leapt to {}", fences.floor(), fences.leapt_to());
  return digest;
}

std::string difference(const Digest& before, const Digest& after) {
  for (const auto& [key, text] : before) {
    const auto found = after.find(key);
    if (found == after.end()) return fmt::format("'{}' was {} and is gone", key, readable(text));
    if (found->second != text) {
      return fmt::format("'{}' was {} and is {}", key, readable(text), readable(found->second));
    }
  }
  for (const auto& [key, text] : after) {
    if (!before.contains(key)) return fmt::format("'{}' is new: {}", key, readable(text));
  }
  return {};
}

}  // namespace fencepost::sim
