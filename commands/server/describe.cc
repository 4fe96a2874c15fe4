// A row as COMMAND INFO shows it: its flags, categories, tips and key specifications in words.
#include "commands/server/describe.h"

#include <array>
#include <string>

#include "base/text.h"
#include "commands/table.h"

namespace fencepost::commands {
namespace {

template <typename Bit>
struct Named {
  Bit bit;
  std::string_view name;
};
template <typename Bit>
Named(Bit, const char*) -> Named<Bit>;  // clang 14 does not deduce aggregates by itself

constexpr std::array kFlags{
    Named{Flag::deny_oom, "denyoom"},
    Named{Flag::admin, "admin"},
    Named{Flag::pubsub, "pubsub"},
    Named{Flag::no_script, "noscript"},
    Named{Flag::blocking, "blocking"},
    Named{Flag::loading, "loading"},
    Named{Flag::stale, "stale"},
    Named{Flag::skip_monitor, "skip_monitor"},
    Named{Flag::skip_slowlog, "skip_slowlog"},
    Named{Flag::fast, "fast"},
    Named{Flag::no_auth, "no_auth"},
    Named{Flag::no_mandatory_keys, "no_mandatory_keys"},
    Named{Flag::no_async_loading, "no_async_loading"},
    Named{Flag::no_multi, "no_multi"},
    Named{Flag::movable_keys, "movablekeys"},
    Named{Flag::allow_busy, "allow_busy"},
};

constexpr std::array kCategories{
    Named{Category::keyspace, "keyspace"},
    Named{Category::read, "read"},
    Named{Category::write, "write"},
    Named{Category::set, "set"},
    Named{Category::sorted_set, "sortedset"},
    Named{Category::list, "list"},
    Named{Category::hash, "hash"},
    Named{Category::string, "string"},
    Named{Category::bitmap, "bitmap"},
    Named{Category::hyperloglog, "hyperloglog"},
    Named{Category::geo, "geo"},
    Named{Category::stream, "stream"},
    Named{Category::pubsub, "pubsub"},
    Named{Category::admin, "admin"},
    Named{Category::fast, "fast"},
    Named{Category::slow, "slow"},
    Named{Category::blocking, "blocking"},
    Named{Category::dangerous, "dangerous"},
    Named{Category::connection, "connection"},
    Named{Category::transaction, "transaction"},
    Named{Category::scripting, "scripting"},
    Named{Category::lock, "lock"},
};

constexpr std::array kKeyUses{
    Named{KeyUse::read_only, "RO"},
    Named{KeyUse::read_write, "RW"},
    Named{KeyUse::overwrite, "OW"},
    Named{KeyUse::remove, "RM"},
    Named{KeyUse::access, "access"},
    Named{KeyUse::update, "update"},
    Named{KeyUse::insert, "insert"},
    Named{KeyUse::erase, "delete"},
    Named{KeyUse::not_key, "not_key"},
    Named{KeyUse::incomplete, "incomplete"},
    Named{KeyUse::variable, "variable_flags"},
};

template <typename Bit, std::size_t n>
void append_names(std::vector<std::string_view>& names, const std::array<Named<Bit>, n>& table,
                  Bit set) {
  for (const auto& row : table) {
    if (has(set, row.bit)) names.push_back(row.name);
  }
}

KeyUse spelled_out(const Command& command, KeyUse use) {
  if (use != KeyUse::derived) return use;
  return command.effect == Effect::write ? KeyUse::read_write | KeyUse::update
                                         : KeyUse::read_only | KeyUse::access;
}

// One key specification: where the search for keys begins and how many there are.
struct KeySpecification {
  int begin = 0;
  int last = 0;  // from `begin`, or negative: from the end
  int step = 1;
  bool counted = false;        // `begin` holds their number
  bool unknown = false;        // where they stand is not told
  std::string_view keyword{};  // they are half of what stands behind it
  KeyUse use = KeyUse::derived;
};

std::vector<KeySpecification> placed_keys(const Command& command) {
  const auto& keys = command.keys;
  if (keys.count_at != 0 && keys.first != 0) {
    return {{.begin = keys.first, .use = first_key_use(command)},
            {.begin = keys.count_at, .counted = true, .use = last_key_use(command)}};
  }
  if (keys.count_at != 0)
    return {{.begin = keys.count_at, .counted = true, .use = first_key_use(command)}};
  if (!keys.keyword.empty()) {
    return {{.begin = 1, .last = -1, .keyword = keys.keyword, .use = first_key_use(command)}};
  }
  if (keys.first == 0) return {};
  if (keys.last_use != KeyUse::derived && keys.store_word.empty()) {
    const bool are_many = keys.last < 0;
    return {{.begin = keys.first, .last = 0, .use = first_key_use(command)},
            {.begin = are_many ? keys.first + keys.step : keys.last,
             .last = are_many ? keys.last : 0,
             .step = keys.step,
             .use = last_key_use(command)}};
  }
  const int last = keys.last < 0 ? keys.last : keys.last - keys.first;
  return {{.begin = keys.first, .last = last, .step = keys.step, .use = first_key_use(command)}};
}

std::vector<KeySpecification> key_specifications(const Command& command) {
  auto all = placed_keys(command);
  if (command.keys.values_name_more) {
    all.push_back({.unknown = true, .use = first_key_use(command)});
  }
  if (!command.keys.store_word.empty()) {
    all.push_back({.unknown = true, .use = last_key_use(command)});
  }
  return all;
}

void write_names(resp::ReplyWriter& reply, const std::vector<std::string_view>& names,
                 std::string_view before = {}) {
  reply.set(names.size());
  for (const auto name : names) reply.simple(std::string{before}.append(name));
}

struct Number {
  std::string_view name;
  int value;
};
template <std::size_t n>
void write_numbers(resp::ReplyWriter& reply, std::string_view type,
                   const std::array<Number, n>& numbers) {
  reply.map(2);
  reply.bulk("type");
  reply.bulk(type);
  reply.bulk("spec");
  reply.map(n);
  for (const auto& number : numbers) {
    reply.bulk(number.name);
    reply.integer(number.value);
  }
}

// Where the search begins: at a position, or behind a word that is looked for from there on.
void write_begin(resp::ReplyWriter& reply, const KeySpecification& keys) {
  if (keys.keyword.empty()) {
    return write_numbers(reply, "index", std::array{Number{"index", keys.begin}});
  }
  reply.map(2);
  reply.bulk("type");
  reply.bulk("keyword");
  reply.bulk("spec");
  reply.map(2);
  reply.bulk("keyword");
  reply.bulk(keys.keyword);
  reply.bulk("startfrom");
  reply.integer(keys.begin);
}

void write_unknown(resp::ReplyWriter& reply) {
  reply.map(2);
  reply.bulk("type");
  reply.bulk("unknown");
  reply.bulk("spec");
  reply.map(0);
}

void write_key_specification(resp::ReplyWriter& reply, const KeySpecification& keys) {
  reply.map(3);
  reply.bulk("flags");
  write_names(reply, key_use_names(keys.use));
  reply.bulk("begin_search");
  if (keys.unknown) {
    write_unknown(reply);
    reply.bulk("find_keys");
    return write_unknown(reply);
  }
  write_begin(reply, keys);
  reply.bulk("find_keys");
  if (keys.counted) {
    write_numbers(reply, "keynum",
                  std::array{Number{"keynumidx", 0}, Number{"firstkey", 1}, Number{"keystep", 1}});
  } else {
    write_numbers(reply, "range",
                  std::array{Number{"lastkey", keys.last}, Number{"keystep", keys.step},
                             Number{"limit", keys.keyword.empty() ? 0 : 2}});
  }
}

// The words of a text, which one space stands between.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

void write_tips(resp::ReplyWriter& reply, std::string_view tips) {
  const auto words = words_of(tips);
  reply.set(words.size());
  for (const auto tip : words) reply.bulk(tip);
}

}  // namespace

std::vector<std::string_view> flag_names(const Command& command) {
  std::vector<std::string_view> names;
  const bool told = !has(command.flags, Flag::effect_of_inner);
  if (told && command.effect == Effect::write) names.emplace_back("write");
  if (command.effect == Effect::read) names.emplace_back("readonly");
  append_names(names, kFlags, command.flags);
  return names;
}

Category all_categories(const Command& command) {
  auto all = command.categories;
  const bool told = !has(command.flags, Flag::effect_of_inner);
  if (told && command.effect == Effect::write) all = all | Category::write;
  if (told && command.effect == Effect::read) all = all | Category::read;
  if (has(command.flags, Flag::admin)) all = all | Category::admin | Category::dangerous;
  if (has(command.flags, Flag::pubsub)) all = all | Category::pubsub;
  if (has(command.flags, Flag::blocking)) all = all | Category::blocking;
  if (has(command.flags, Flag::fast)) all = all | Category::fast;
  return has(all, Category::fast) ? all : all | Category::slow;
}

std::vector<std::string_view> category_names(Category categories) {
  std::vector<std::string_view> names;
  append_names(names, kCategories, categories);
  return names;
}

Category category_by_name(std::string_view name) {
  for (const auto& row : kCategories) {
    if (same_word(row.name, name)) return row.bit;
  }
  return Category::none;
}

std::vector<std::string_view> key_use_names(KeyUse use) {
  std::vector<std::string_view> names;
  append_names(names, kKeyUses, use);
  return names;
}

KeyUse first_key_use(const Command& command) {
  return spelled_out(command, command.keys.use);
}

KeyUse last_key_use(const Command& command) {
  const auto use = command.keys.last_use;
  return use == KeyUse::derived ? first_key_use(command) : use;
}

void write_description(resp::ReplyWriter& reply, const Command* container, const Command& command) {
  reply.array(10);
  reply.bulk(full_name(container, command));
  reply.integer(command.arity.as_redis());
  write_names(reply, flag_names(command));
  reply.integer(command.keys.first);
  reply.integer(command.keys.last);
  reply.integer(command.keys.step);
  write_names(reply, category_names(all_categories(command)), "@");
  write_tips(reply, command.tips);
  const auto specifications = key_specifications(command);
  reply.set(specifications.size());
  for (const auto& keys : specifications) write_key_specification(reply, keys);
  if (command.subcommands.empty()) {
    reply.set(0);
    return;
  }
  reply.array(command.subcommands.size());
  for (const auto& subcommand : command.subcommands) write_description(reply, &command, subcommand);
}

}  // namespace fencepost::commands
