// What a connection received, taken apart into replies and what came unasked.
#include "tests/compat/frames.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/number.h"

namespace fencepost::compat {

namespace {

bool starts_with_any(std::string_view bytes, std::string_view header) {
  return bytes.size() > 4 && (bytes[0] == '*' || bytes[0] == '>') &&
         bytes.substr(1).starts_with(header);
}

bool is_unasked(std::string_view bytes) {
  constexpr std::array<std::string_view, 5> kKinds{
      "3\r\n$7\r\nmessage\r\n", "4\r\n$8\r\npmessage\r\n", "3\r\n$8\r\nsmessage\r\n",
      "2\r\n$10\r\ninvalidate\r\n", "2\r\n$21\r\ntracking-redir-broken\r\n"};
  return std::any_of(kKinds.begin(), kKinds.end(),
                     [bytes](std::string_view kind) { return starts_with_any(bytes, kind); });
}

// Reads values from the front; `good` goes false at what is none.
class Scanner {
 public:
  explicit Scanner(std::string_view bytes) : rest_{bytes} {}

  std::vector<Frame> all() {
    std::vector<Frame> frames;
    while (!rest_.empty() && good_) {
      const std::string_view before = rest_;
      Frame frame{.bytes = {}, .unasked = is_unasked(rest_)};
      read(frame.bytes, 0);
      if (!good_) frame.bytes = before;
      frames.push_back(std::move(frame));
      for (Frame& found : std::exchange(found_, {})) frames.push_back(std::move(found));
    }
    return frames;
  }

 private:
  // One value to the end of `into`.
  void read(std::string& into, int depth) {
    const std::size_t end = rest_.find("\r\n");
    if (end == std::string_view::npos || depth > 16) return fail();
    const std::string_view line = take(end + 2);
    into += line;
    const auto count = parse_integer(line.substr(1, line.size() - 3));
    switch (line[0]) {
      case '$':
      case '=':
        if (!count || (*count >= 0 && rest_.size() < static_cast<std::size_t>(*count) + 2)) {
          return fail();
        }
        if (*count >= 0) into += take(static_cast<std::size_t>(*count) + 2);
        return;
      case '*':
      case '~':
      case '>':
      case '%':
        if (!count) return fail();
        return read_members(into, *count * (line[0] == '%' ? 2 : 1), depth);
      default:
        return;
    }
  }

  void read_members(std::string& into, std::int64_t count, int depth) {
    for (std::int64_t i = 0; i < count && good_;) {
      if (is_unasked(rest_)) {
        Frame frame{.bytes = {}, .unasked = true};
        read(frame.bytes, depth + 1);
        found_.push_back(std::move(frame));
        continue;
      }
      read(into, depth + 1);
      ++i;
    }
  }

  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  void fail() {
    good_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  std::vector<Frame> found_;
  bool good_ = true;
};

bool is_by_pattern(const Frame& frame) {
  return starts_with_any(frame.bytes, "4\r\n$8\r\npmessage\r\n");
}

// What stands behind the pattern: channel and text.
std::string_view content(const Frame& frame) {
  std::size_t at = 0;
  for (int line = 0; line < 5; ++line) at = frame.bytes.find("\r\n", at) + 2;
  return std::string_view{frame.bytes}.substr(at);
}

bool is_farewell(const Frame& frame) {
  return starts_with_any(frame.bytes, "3\r\n$11\r\nunsubscribe\r\n") ||
         starts_with_any(frame.bytes, "3\r\n$12\r\npunsubscribe\r\n") ||
         starts_with_any(frame.bytes, "3\r\n$12\r\nsunsubscribe\r\n");
}

// The name, and the count behind it apart.
std::pair<std::string, std::string> split_farewell(const Frame& frame) {
  const std::size_t colon = frame.bytes.rfind(':');
  return {frame.bytes.substr(0, colon), frame.bytes.substr(colon)};
}

void order_farewells(std::vector<Frame>& frames, std::size_t first, std::size_t end) {
  std::vector<std::string> names;
  for (std::size_t i = first; i < end; ++i) names.push_back(split_farewell(frames[i]).first);
  std::sort(names.begin(), names.end());
  for (std::size_t i = first; i < end; ++i) {
    frames[i].bytes = names[i - first] + split_farewell(frames[i]).second;
  }
}

}  // namespace

std::vector<Frame> frames_of(std::string_view bytes) {
  return Scanner{bytes}.all();
}

std::vector<Frame> in_one_order(std::vector<Frame> frames) {
  for (std::size_t first = 0; first < frames.size();) {
    std::size_t end = first + 1;
    if (is_by_pattern(frames[first])) {
      while (end < frames.size() && is_by_pattern(frames[end]) &&
             content(frames[end]) == content(frames[first])) {
        ++end;
      }
      std::sort(frames.begin() + static_cast<std::ptrdiff_t>(first),
                frames.begin() + static_cast<std::ptrdiff_t>(end),
                [](const Frame& a, const Frame& b) { return a.bytes < b.bytes; });
    } else if (is_farewell(frames[first])) {
      while (end < frames.size() && is_farewell(frames[end])) ++end;
      order_farewells(frames, first, end);
    }
    first = end;
  }
  return frames;
}

std::vector<Frame> invalidations_last(std::vector<Frame> frames) {
  std::stable_partition(frames.begin(), frames.end(), [](const Frame& frame) {
    return frame.bytes.find("invalidate\r\n") == std::string::npos;
  });
  return frames;
}

}  // namespace fencepost::compat
