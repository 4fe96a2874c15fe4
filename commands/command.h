// A command is one handler and one row. COMMAND, access, metrics and redis-compat.md are all read
// off the rows.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace fencepost::commands {

struct Context;
class Arguments;
using Handler = void (*)(Context&, Arguments&);

// How many arguments, the command's name (and subcommand) counted.
struct Arity {
  int count = 1;
  bool or_more = false;

  constexpr bool admits(std::size_t arguments) const {
    return or_more ? arguments >= static_cast<std::size_t>(count)
                   : arguments == static_cast<std::size_t>(count);
  }
  // As COMMAND prints it: 3, or -3 for three or more.
  constexpr int as_redis() const { return or_more ? -count : count; }
};
constexpr Arity exactly(int count) {
  return {count, false};
}
constexpr Arity at_least(int count) {
  return {count, true};
}

enum class Effect : std::uint8_t {
  read,     // looks at the state; runs at once
  write,    // may change the state; goes through the journal
  session,  // about the connection or the process; touches no key (WATCH aside)
};

// Bits, combined with |.
enum class Flag : std::uint32_t {
  none = 0,
  fast = 1 << 0,
  no_script = 1 << 1,
  loading = 1 << 2,  // allowed while the state is read back
  stale = 1 << 3,
  no_auth = 1 << 4,  // allowed before login
  blocking = 1 << 5,
  admin = 1 << 6,
  no_multi = 1 << 7,
  skip_monitor = 1 << 8,
  skip_slowlog = 1 << 9,
  deny_oom = 1 << 10,
  allow_busy = 1 << 11,
  movable_keys = 1 << 12,
  transaction = 1 << 13,  // MULTI, EXEC, DISCARD, WATCH, RESET, QUIT: run at once inside MULTI
  pubsub = 1 << 14,
  no_async_loading = 1 << 15,
  may_replicate = 1 << 16,  // waits for CLIENT PAUSE WRITE as a write does; COMMAND INFO tells none
  no_mandatory_keys = 1 << 17,  // may name no key at all (LOCKMANY is not one of them, EVAL is)
  effect_of_inner =
      1
      << 18,  // runs other commands: its effect is the worst of theirs, and COMMAND INFO tells none
  names_script = 1 << 19,  // by its SHA-1: an entry carries the text
};
constexpr Flag operator|(Flag a, Flag b) {
  return static_cast<Flag>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Flag set, Flag bit) {
  return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(bit)) != 0;
}

// ACL categories, printed as @keyspace and so on. Bits, combined with |.
enum class Category : std::uint32_t {
  none = 0,
  keyspace = 1 << 0,
  read = 1 << 1,
  write = 1 << 2,
  set = 1 << 3,
  sorted_set = 1 << 4,
  list = 1 << 5,
  hash = 1 << 6,
  string = 1 << 7,
  bitmap = 1 << 8,
  hyperloglog = 1 << 9,
  geo = 1 << 10,
  stream = 1 << 11,
  pubsub = 1 << 12,
  admin = 1 << 13,
  fast = 1 << 14,
  slow = 1 << 15,
  blocking = 1 << 16,
  dangerous = 1 << 17,
  connection = 1 << 18,
  transaction = 1 << 19,
  scripting = 1 << 20,
  lock = 1 << 21,
};
constexpr Category operator|(Category a, Category b) {
  return static_cast<Category>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Category set, Category bit) {
  return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(bit)) != 0;
}

// What a command does with a key, as COMMAND INFO's key specifications print it. Bits, combined
// with |.
enum class KeyUse : std::uint16_t {
  derived = 0,  // of Effect::read: read_only | access; of Effect::write: read_write | update
  read_only = 1 << 0,
  read_write = 1 << 1,
  overwrite = 1 << 2,
  remove = 1 << 3,
  access = 1 << 4,
  update = 1 << 5,
  insert = 1 << 6,
  erase = 1 << 7,
  not_key = 1 << 8,
  incomplete = 1 << 9,
  variable = 1 << 10,
};
constexpr KeyUse operator|(KeyUse a, KeyUse b) {
  return static_cast<KeyUse>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
constexpr bool has(KeyUse set, KeyUse bit) {
  return (static_cast<std::uint16_t>(set) & static_cast<std::uint16_t>(bit)) != 0;
}

// Where the keys stand among the arguments: first..last (negative: from the end) in steps, or
// counted by an argument (`count_at`, the keys begin right behind it), or one of them first and the
// others counted, or the first half of what stands behind a word (`keyword`). None of the three: no
// keys.
struct KeyPositions {
  int first = 0;
  int last = 0;
  int step = 0;
  int count_at = 0;
  KeyUse use = KeyUse::derived;
  // Of the last key, or of those behind the first that are counted or go on to the end (`last`
  // counted from there), where that is another use.
  KeyUse last_use = KeyUse::derived;
  std::string_view keyword{};

  constexpr bool none() const { return first == 0 && count_at == 0 && keyword.empty(); }
  // A word that one more key stands behind, which is used as the last one (SORT's STORE).
  std::string_view store_word{};
  // What these keys hold names further ones (SORT's BY and GET).
  bool values_name_more = false;
};

// What redis-compat.md says of it.
enum class Compat : std::uint8_t {
  same,       // byte for byte as redis-server 7.0.15 (held by the oracle)
  differs,    // present, with a difference that the note names
  later,      // a Redis newer than 7.0 has it; as documented there
  extension,  // our own
};
struct CompatNote {
  Compat kind = Compat::same;
  std::string_view note{};
};

struct Command {
  std::string_view name;   // upper case; of a subcommand the last word only
  std::string_view group;  // as COMMAND DOCS: "string", "generic", "connection", "server",
                           // "transactions", "lock"
  std::string_view since;  // the Redis version that brought it, or ours for extensions
  std::string_view summary;
  std::string_view syntax{};  // arguments as redis.io prints them: "key value [NX | XX] [GET] [EX
                              // seconds | ...]"
  std::string_view complexity{};
  Arity arity;
  KeyPositions keys{};
  Effect effect = Effect::read;
  Flag flags = Flag::none;
  Category categories = Category::none;
  CompatNote compat{};
  Handler run = nullptr;  // null for a container that only has subcommands
  std::span<const Command> subcommands{};
  // COMMAND INFO's tips, one word each: "nondeterministic_output request_policy:all_shards".
  std::string_view tips{};
};

}  // namespace fencepost::commands
