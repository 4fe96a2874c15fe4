// The name of a stream's entry.
#include "state/stream_id.h"

#include "base/number.h"

namespace fencepost::state {

std::optional<StreamId> next_id(StreamId id) {
  if (id.number < kGreatestNumber) return StreamId{id.ms, id.number + 1};
  if (id.ms < kGreatestNumber) return StreamId{id.ms + 1, 0};
  return std::nullopt;
}

std::optional<StreamId> previous_id(StreamId id) {
  if (id.number > 0) return StreamId{id.ms, id.number - 1};
  if (id.ms > 0) return StreamId{id.ms - 1, kGreatestNumber};
  return std::nullopt;
}

std::string to_text(StreamId id) {
  std::string text;
  append_unsigned(text, id.ms);
  text += '-';
  append_unsigned(text, id.number);
  return text;
}

}  // namespace fencepost::state
