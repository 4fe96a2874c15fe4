// All commands there are, by family and by name.
#include "commands/table.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/check.h"
#include "base/number.h"
#include "base/text.h"

namespace fencepost::commands {

namespace {

// Names in any letter case, FNV-1a over their lower-case letters.
std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(to_lower(c))) * 16777619U;
  }
  return hash;
}

// Every row, and an open hash table over the names. Made once, never changed.
class Index {
 public:
  Index() : slots_(kSlots, nullptr) {
    for (const auto family :
         {lock_commands(), string_commands(), hash_commands(), list_commands(), set_commands(),
          sorted_set_commands(), stream_commands(), key_commands(), connection_commands(),
          server_commands(), transaction_commands(), script_commands(), pubsub_commands()}) {
      for (const Command& command : family) add(command);
    }
  }

  std::span<const Command* const> rows() const { return rows_; }

  const Command* find(std::string_view name) const {
    std::size_t at = hash_of(name) & kMask;
    while (slots_[at] != nullptr && !same_word(slots_[at]->name, name)) at = (at + 1) & kMask;
    return slots_[at];
  }

 private:
  static constexpr std::size_t kSlots =
      1024;  // a power of two, several times as many as there are rows
  static constexpr std::size_t kMask = kSlots - 1;

  void add(const Command& command) {
    check(rows_.size() < kSlots / 2, "the command table has room");
    check(find(command.name) == nullptr, "no two commands have one name");
    std::size_t at = hash_of(command.name) & kMask;
    while (slots_[at] != nullptr) at = (at + 1) & kMask;
    slots_[at] = &command;
    rows_.push_back(&command);
  }

  std::vector<const Command*> rows_;
  std::vector<const Command*> slots_;
};

const Index& index() {
  static const Index kIndex;
  return kIndex;
}

// Redis quotes names and arguments in errors up to their first zero byte and up to this many bytes.
constexpr std::size_t kQuotedBytes = 128;

std::string_view quotable(std::string_view text, std::size_t longest = kQuotedBytes) {
  return text.substr(0, std::min(longest, text.find('\0')));
}

std::string unknown_command(const Arguments& args) {
  std::string quoted_args;
  for (const std::string_view word : args.from(1)) {
    if (quoted_args.size() >= kQuotedBytes) break;
    const std::size_t left = kQuotedBytes - quoted_args.size();
    quoted_args.append("'").append(quotable(word, left)).append("' ");
  }
  return std::string{"ERR unknown command '"}
      .append(quotable(args[0]))
      .append("', with args beginning with: ")
      .append(quoted_args);
}

std::string unknown_subcommand(const Command& container, std::string_view name) {
  return std::string{"ERR unknown subcommand '"}
      .append(quotable(name))
      .append("'. Try ")
      .append(container.name)
      .append(" HELP.");
}

Resolved checked_arity(const Command* container, const Command& command, std::size_t arguments) {
  Resolved resolved{.command = &command, .container = container, .error = {}};
  if (!command.arity.admits(arguments)) {
    resolved.error =
        "ERR wrong number of arguments for '" + full_name(container, command) + "' command";
  }
  return resolved;
}

// How many keys a request counts, read as Redis does where it only looks for them: like C's atoi,
// which takes spaces and a plus before, anything behind, and keeps the lowest 32 bits.
std::int64_t count_in(std::string_view word) {
  constexpr std::size_t kLongest = 32;
  const std::string text{word.substr(0, kLongest)};
  return static_cast<std::int32_t>(std::strtoll(text.c_str(), nullptr, 10));
}

// A position among `size` arguments, negative ones counted from the end.
std::int64_t from_start(std::int64_t at, std::size_t size) {
  return at < 0 ? at + static_cast<std::int64_t>(size) : at;
}

// first, first + step ... up to last, as far as there are arguments.
std::vector<std::size_t> positions(std::int64_t first, std::int64_t last, int step,
                                   std::size_t size) {
  std::vector<std::size_t> found;
  last = std::min(last, static_cast<std::int64_t>(size) - 1);
  for (std::int64_t at = first; at <= last; at += step) {
    found.push_back(static_cast<std::size_t>(at));
  }
  return found;
}

std::vector<std::size_t> first_half_behind(std::string_view keyword, const Arguments& arguments) {
  const auto words = arguments.from(1);
  const auto found = std::find_if(words.begin(), words.end(), [keyword](std::string_view word) {
    return same_word(word, keyword);
  });
  if (found == words.end()) return {};
  const std::int64_t behind = words.end() - found - 1;
  const std::int64_t first = found - words.begin() + 2;
  return positions(first, first + behind / 2 - 1, 1, arguments.size());
}

// The last of those words that something stands behind.
void add_key_behind(std::string_view word, const Arguments& arguments,
                    std::vector<std::size_t>& found) {
  for (std::size_t at = arguments.size() - 1; at > 2; --at) {
    if (same_word(arguments[at - 1], word)) return found.push_back(at);
  }
}

}  // namespace

std::span<const Command* const> all_commands() {
  return index().rows();
}

const Command* find_command(std::string_view name) {
  return index().find(name);
}

const Command* find_subcommand(const Command& container, std::string_view name) {
  const auto found =
      std::find_if(container.subcommands.begin(), container.subcommands.end(),
                   [name](const Command& subcommand) { return same_word(subcommand.name, name); });
  return found == container.subcommands.end() ? nullptr : &*found;
}

std::string full_name(const Command* container, const Command& command) {
  std::string name = to_lower(command.name);
  return container == nullptr ? name : to_lower(container->name) + "|" + name;
}

Resolved resolve(Arguments arguments) {
  const Command* command = find_command(arguments[0]);
  if (command == nullptr) return {.error = unknown_command(arguments)};
  if (command->subcommands.empty() || arguments.size() == 1) {
    return checked_arity(nullptr, *command, arguments.size());
  }
  const Command* subcommand = find_subcommand(*command, arguments[1]);
  if (subcommand == nullptr) return {.error = unknown_subcommand(*command, arguments[1])};
  return checked_arity(command, *subcommand, arguments.size());
}

std::vector<std::size_t> key_positions(const Command& command, Arguments arguments) {
  const KeyPositions& keys = command.keys;
  const std::size_t size = arguments.size();
  if (keys.count_at > 0) {
    const auto count_at = static_cast<std::size_t>(keys.count_at);
    const std::int64_t count = count_at < size ? count_in(arguments[count_at]) : 0;
    if (count < 1 || count >= static_cast<std::int64_t>(size - count_at)) return {};
    auto found = positions(keys.count_at + 1, keys.count_at + count, 1, size);
    // Redis tells the one key that is not counted first, but behind a count that is no number.
    const bool strict = parse_integer(arguments[count_at]).has_value();
    if (keys.first > 0) {
      found.insert(strict ? found.begin() : found.end(), static_cast<std::size_t>(keys.first));
    }
    return found;
  }
  if (!keys.keyword.empty()) return first_half_behind(keys.keyword, arguments);
  if (keys.first == 0) return {};
  auto found = positions(keys.first, from_start(keys.last, size), std::max(keys.step, 1), size);
  if (!keys.store_word.empty()) add_key_behind(keys.store_word, arguments, found);
  return found;
}

}  // namespace fencepost::commands
