// LOCKSCAN: walks the keys that are held or waited for.
#include <string>
#include <vector>

#include "commands/arguments.h"
#include "commands/lock/family.h"
#include "commands/scan_options.h"

namespace fencepost::commands {

namespace {

// Keys that exist come in scan order; those that are free but waited for come with the last page.
void lockscan(Context& context, Arguments& arguments) {
  const auto cursor = cursor_or_reply(context, arguments[1]);
  if (!cursor) return;
  const auto options = scan_options_or_reply(context, arguments, 2, ScanOf::elements);
  if (!options) return;
  const DatabaseIndex database = context.database();
  state::LockTable& locks = context.state.locks();
  std::vector<std::string> keys;
  const auto see = [&](state::Item& item) {
    const bool held = item.is_string() || item.is_lock();
    if ((held || locks.has_waiters(database, item.key())) && options->admits(item.key()))
      keys.emplace_back(item.key());
  };
  const std::uint64_t next = context.keys().scan(database, *cursor, options->count, see);
  if (next == 0) {
    for (std::string& key : locks.queued_keys(database)) {
      const bool is_free = context.keys().find(database, key) == nullptr;
      if (is_free && options->admits(key)) keys.push_back(std::move(key));
    }
  }
  context.reply.array(2);
  context.reply.bulk(std::to_string(next));
  context.reply.array(keys.size());
  for (const std::string& key : keys) context.reply.bulk(key);
}

}  // namespace

const Command& lockscan_command() {
  static constexpr Command kRow{
      .name = "LOCKSCAN",
      .group = "lock",
      .since = "0.1.0",
      .summary = "Walks the keys that are held or waited for, a few at a time.",
      .syntax = "cursor [MATCH pattern] [COUNT count]",
      .complexity = "O(1) a call, O(n) for the whole walk over n keys",
      .arity = at_least(2),
      .effect = Effect::read,
      .categories = Category::lock | Category::read | Category::slow,
      .compat = {Compat::extension, ""},
      .run = lockscan};
  return kRow;
}

}  // namespace fencepost::commands
