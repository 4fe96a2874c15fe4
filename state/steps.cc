// What was done to a value of many parts since a journal has it.
#include "state/steps.h"

#include "base/bytes.h"
#include "base/check.h"

namespace fencepost::state {

void Steps::begin(std::uint64_t picture, std::size_t image_bytes) {
  log_ = std::make_unique<Log>();
  log_->picture = picture;
  log_->most_bytes = image_bytes;
}

// What grows by steps may have more of them the next time.
void Steps::taken() {
  check(log_ != nullptr, "only steps that were noted are taken");
  constexpr std::size_t kKeptBytes = 1024;
  log_->most_bytes += log_->bytes.size();
  if (log_->bytes.capacity() > kKeptBytes) log_->bytes = {};
  log_->bytes.clear();
}

void Steps::add(char code, std::span<const std::string_view> parts) {
  ByteWriter writer{log_->bytes};
  writer.u8(static_cast<std::uint8_t>(code));
  writer.number(parts.size());
  for (const std::string_view part : parts) writer.text(part);
  if (log_->bytes.size() > log_->most_bytes) forget();
}

}  // namespace fencepost::state
