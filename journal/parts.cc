// Payloads of several frames.
#include "journal/parts.h"

#include <utility>

#include "base/check.h"

namespace fencepost::journal {

Result<void> in_parts(FrameKind whole, std::string_view payload, std::size_t part_bytes,
                      const std::function<Result<void>(FrameKind, std::string_view)>& write) {
  check(part_bytes > 0 && part_bytes <= kMaxPayloadBytes, "a part is one that a reader believes");
  if (payload.size() <= part_bytes) return write(whole, payload);
  FrameKind kind = FrameKind::beginning;
  while (payload.size() > part_bytes) {
    if (Result<void> done = write(kind, payload.substr(0, part_bytes)); !done) return done;
    payload.remove_prefix(part_bytes);
    kind = FrameKind::more;
  }
  return write(FrameKind::last, payload);
}

Parts::Step Parts::add(const Frame& frame) {
  payload_ = {};
  switch (frame.kind) {
    case FrameKind::beginning:
      if (begun_) return misplaced();
      drop();
      begun_ = true;
      bytes_ = frame.payload;
      return Step::more;
    case FrameKind::more:
      if (!begun_) return misplaced();
      bytes_ += frame.payload;
      return Step::more;
    case FrameKind::last:
      if (!begun_) return misplaced();
      bytes_ += frame.payload;
      begun_ = false;
      payload_ = bytes_;
      return Step::whole;
    case FrameKind::batch:
    case FrameKind::clean_end:
    case FrameKind::piece:
    case FrameKind::picture_end:
      break;
  }
  if (begun_) return misplaced();
  drop();
  payload_ = frame.payload;
  return Step::whole;
}

Parts::Step Parts::misplaced() {
  drop();
  return Step::misplaced;
}

// A large one is not kept in memory for what may never come.
void Parts::drop() {
  begun_ = false;
  bytes_ = std::string{};
  payload_ = {};
}

}  // namespace fencepost::journal
