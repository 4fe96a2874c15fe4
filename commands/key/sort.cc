// SORT and SORT_RO: the elements of a list, set or sorted set, in the order of their own values or
// of those that other keys have for them.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "commands/arguments.h"
#include "commands/collection.h"
#include "commands/errors.h"
#include "commands/events.h"
#include "commands/key/family.h"
#include "commands/key/sort_pattern.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "state/list.h"
#include "state/set.h"
#include "state/sorted_set.h"

namespace fencepost::commands {

namespace {

using state::Direction;

enum class Access : std::uint8_t { may_store, only_reads };

struct Options {
  Direction direction = Direction::up;
  bool by_bytes = false;  // ALPHA; else by numbers
  std::int64_t offset = 0;
  std::int64_t count = -1;  // negative: all
  std::optional<SortPattern> by;
  bool as_they_are = false;  // one BY named nothing, whatever another one names
  std::vector<SortPattern> get;
  std::optional<std::string_view> store;
};

// The option at `at`, which is moved to the last of its words. False when it is none; null when the
// command is answered.
std::optional<bool> take_option(Context& context, const Arguments& args, std::size_t& at,
                                Access access, Options& options) {
  const std::string_view word = args[at];
  const std::size_t left = args.size() - at - 1;
  if (same_word(word, "ASC")) {
    options.direction = Direction::up;
  } else if (same_word(word, "DESC")) {
    options.direction = Direction::down;
  } else if (same_word(word, "ALPHA")) {
    options.by_bytes = true;
  } else if (same_word(word, "LIMIT") && left >= 2) {
    const auto offset = integer_or_reply(context, args[at + 1]);
    const auto count = offset ? integer_or_reply(context, args[at + 2]) : std::nullopt;
    if (!count) return std::nullopt;
    options.offset = *offset;
    options.count = *count;
    at += 2;
  } else if (access == Access::may_store && same_word(word, "STORE") && left >= 1) {
    options.store = args[++at];
  } else if (same_word(word, "BY") && left >= 1) {
    options.by = SortPattern{args[++at]};
    options.as_they_are = options.as_they_are || !options.by->names_keys();
  } else if (same_word(word, "GET") && left >= 1) {
    options.get.emplace_back(args[++at]);
  } else {
    return false;
  }
  return true;
}

std::optional<Options> options_or_reply(Context& context, const Arguments& args, Access access) {
  Options options;
  for (std::size_t at = 2; at < args.size(); ++at) {
    const auto taken = take_option(context, args, at, access, options);
    if (taken && !*taken) context.reply.error(kSyntaxError);
    if (!taken.value_or(false)) return std::nullopt;
  }
  return options;
}

// What is sorted, and by what.
struct Sortable {
  std::string element;
  double number = 0;
  std::optional<std::string_view> text{};  // of another key
};

std::vector<Sortable> elements_of(const state::Collection& collection) {
  std::vector<Sortable> elements;
  elements.reserve(collection.size());
  // Of a sorted set the score is a part too.
  collection.for_each([&elements](std::span<const std::string_view> parts) {
    elements.push_back({.element = std::string{parts.front()}});
  });
  return elements;
}

// The value of the key, null when there is none; the outer null when it is answered. A sorted set
// that is sorted does not count as small any more, as in Redis; a command that only reads leaves it
// alone.
std::optional<const state::Collection*> sortable_or_reply(Context& context, std::string_view key,
                                                          Access access) {
  state::Item* item = read_key(context, key);
  if (item == nullptr) return nullptr;
  if (is_a<state::List>(*item) || is_a<state::Set>(*item)) return &item->collection();
  if (is_a<state::SortedSet>(*item)) {
    auto& set = static_cast<state::SortedSet&>(item->collection());
    if (access == Access::may_store) set.outgrow();
    return &set;
  }
  context.reply.error(kWrongType);
  return std::nullopt;
}

// As strtod reads it, whole up to a zero byte; nothing at all is 0.
std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != '\0' || errno == ERANGE || std::isnan(number)) return std::nullopt;
  return number;
}

// Finds what each is sorted by. False when one has no number.
bool weigh(Context& context, const Options& options, std::vector<Sortable>& elements) {
  bool all_numbers = true;
  for (Sortable& one : elements) {
    const auto value =
        options.by ? options.by->value_for(context, one.element) : std::string_view{one.element};
    if (options.by_bytes && options.by) {
      one.text = value;
    } else if (!options.by_bytes && value) {
      const auto number = number_of(std::string{*value});
      one.number = number.value_or(0);
      all_numbers = all_numbers && number;
    }
  }
  return all_numbers;
}

// Equal numbers are told apart by the elements. By the texts of other keys, elements that have none
// come first, and those with equal ones stay as they were.
void sort(const Options& options, std::vector<Sortable>& elements) {
  const auto is_before = [&options](const Sortable& a, const Sortable& b) {
    if (options.by_bytes && options.by) return a.text < b.text;
    return a.number != b.number ? a.number < b.number : a.element < b.element;
  };
  if (options.direction == Direction::up) {
    std::stable_sort(elements.begin(), elements.end(), is_before);
  } else {
    std::stable_sort(
        elements.begin(), elements.end(),
        [&is_before](const Sortable& a, const Sortable& b) { return is_before(b, a); });
  }
}

// In the order that is asked for; null when the command is answered.
std::optional<std::vector<Sortable>> sorted_or_reply(Context& context, Options options,
                                                     const state::Collection& collection) {
  std::vector<Sortable> elements = elements_of(collection);
  if (options.as_they_are) {
    const bool has_order = collection.type() != state::Type::set;
    if (has_order && options.direction == Direction::down) {
      std::reverse(elements.begin(), elements.end());
    }
    // What is kept, and what a script sees, must not depend on how a set lies in memory.
    if (has_order || (!options.store && !context.in_script)) return elements;
    options.by.reset();
    options.by_bytes = true;
  }
  if (!weigh(context, options, elements)) {
    context.reply.error("ERR One or more scores can't be converted into double");
    return std::nullopt;
  }
  sort(options, elements);
  return elements;
}

// LIMIT, held within what there is.
std::span<const Sortable> limited(const Options& options, const std::vector<Sortable>& elements) {
  const auto size = static_cast<std::int64_t>(elements.size());
  const std::int64_t offset = std::clamp<std::int64_t>(options.offset, 0, size);
  const std::int64_t left = size - offset;
  const std::int64_t count = options.count < 0 ? left : std::min(options.count, left);
  return std::span{elements}.subspan(static_cast<std::size_t>(offset),
                                     static_cast<std::size_t>(count));
}

// Calls `see(value)` for what the reply has of each element: itself, or what the GETs name, null
// where that is not there.
template <typename See>
void for_each_result(Context& context, const Options& options, std::span<const Sortable> elements,
                     const See& see) {
  for (const Sortable& one : elements) {
    if (options.get.empty()) see(std::optional<std::string_view>{one.element});
    for (const SortPattern& pattern : options.get) see(pattern.value_for(context, one.element));
  }
}

void store_and_reply(Context& context, const Options& options, std::span<const Sortable> elements) {
  auto made = std::make_unique<state::List>();
  for_each_result(context, options, elements, [&made](std::optional<std::string_view> value) {
    made->push(state::List::End::back, value.value_or(""));
  });
  const auto size = static_cast<std::int64_t>(made->size());
  const state::Spot spot = look(context, *options.store);
  if (size > 0) {
    context.keys().put_value(
        spot, state::Value{std::unique_ptr<state::Collection>{std::move(made)}}, kNever);
    notify(context, EventClass::list, "sortstore", *options.store);
  } else if (spot) {
    context.keys().erase(*spot.item);
    notify(context, EventClass::generic, "del", *options.store);
  }
  context.reply.integer(size);
}

void sort_key(Context& context, const Arguments& args, Access access) {
  const auto options = options_or_reply(context, args, access);
  if (!options) return;
  if (options->store && !key_fits_or_reply(context, *options->store)) return;
  const auto collection = sortable_or_reply(context, args[1], access);
  if (!collection) return;
  std::optional<std::vector<Sortable>> elements{std::in_place};
  if (*collection != nullptr) elements = sorted_or_reply(context, *options, **collection);
  if (!elements) return;
  const auto wanted = limited(*options, *elements);
  if (options->store) return store_and_reply(context, *options, wanted);
  context.reply.array(wanted.size() * std::max<std::size_t>(options->get.size(), 1));
  for_each_result(context, *options, wanted, [&context](std::optional<std::string_view> value) {
    if (value) return context.reply.bulk(*value);
    context.reply.null();
  });
}

void sort_and_store(Context& context, Arguments& args) {
  sort_key(context, args, Access::may_store);
}

void sort_ro(Context& context, Arguments& args) {
  sort_key(context, args, Access::only_reads);
}

constexpr Category kCategories =
    Category::set | Category::sorted_set | Category::list | Category::slow | Category::dangerous;

constexpr Command kRows[] = {
    {.name = "SORT",
     .group = "generic",
     .since = "1.0.0",
     .summary = "Answers or keeps the elements of a list, set or sorted set in an order.",
     .syntax = "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] "
               "[ALPHA] [STORE destination]",
     .complexity = "O(n log n) for n elements",
     .arity = at_least(2),
     .keys = {.first = 1,
              .last = 1,
              .step = 1,
              .use = KeyUse::read_only | KeyUse::access,
              .last_use = KeyUse::overwrite | KeyUse::update,
              .store_word = "STORE",
              .values_name_more = true},
     .effect = Effect::write,
     .flags = Flag::deny_oom | Flag::movable_keys,
     .categories = Category::write | kCategories,
     .compat = {Compat::same, "in the order of bytes, whatever the locale"},
     .run = sort_and_store},
    {.name = "SORT_RO",
     .group = "generic",
     .since = "7.0.0",
     .summary = "Answers the elements of a list, set or sorted set in an order.",
     .syntax = "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] "
               "[ALPHA]",
     .complexity = "O(n log n) for n elements",
     .arity = at_least(2),
     .keys = {.first = 1, .last = 1, .step = 1, .values_name_more = true},
     .effect = Effect::read,
     .flags = Flag::movable_keys,
     .categories = Category::read | kCategories,
     .compat = {Compat::same,
                "in the order of bytes, whatever the locale; a small sorted set stays a listpack"},
     .run = sort_ro},
};

}  // namespace

std::span<const Command> sort_commands() {
  return kRows;
}

}  // namespace fencepost::commands
