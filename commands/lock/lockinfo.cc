// LOCKINFO: who holds a key and who waits for it.
#include "commands/lock/family.h"
#include "commands/lock/terms.h"
#include "commands/rows.h"

namespace fencepost::commands {

namespace {

void write_number(resp::ReplyWriter& reply, std::string_view field, std::int64_t value) {
  reply.bulk(field);
  reply.integer(value);
}

void write_text(resp::ReplyWriter& reply, std::string_view field, std::string_view value) {
  reply.bulk(field);
  reply.bulk(value);
}

void write_holder(resp::ReplyWriter& reply, const state::HolderView& holder) {
  reply.map(7);
  write_text(reply, "owner", holder.owner);
  write_number(reply, "fence", static_cast<std::int64_t>(holder.fence));
  write_number(reply, "ttl-ms", holder.ttl.count());
  write_number(reply, "held-ms", holder.held.count());
  write_number(reply, "client", static_cast<std::int64_t>(holder.client));
  write_text(reply, "meta", holder.meta);
  write_text(reply, "state", holder.in_grace ? "grace" : "held");
}

void write_waiter(resp::ReplyWriter& reply, const state::WaiterView& waiter) {
  reply.map(2);
  write_text(reply, "owner", waiter.owner);
  write_number(reply, "waited-ms", waiter.waited.count());
}

void write_view(resp::ReplyWriter& reply, std::string_view key, const state::LockView& view) {
  reply.map(7);
  write_text(reply, "key", key);
  write_text(reply, "mode", state::mode_name(view.mode));
  write_number(reply, "limit", view.limit);
  write_number(reply, "fence", static_cast<std::int64_t>(view.fence));
  write_number(reply, "waiters", static_cast<std::int64_t>(view.waiters));
  reply.bulk("holders");
  reply.array(view.holders.size());
  for (const state::HolderView& holder : view.holders) write_holder(reply, holder);
  reply.bulk("queue");
  reply.array(view.queue.size());
  for (const state::WaiterView& waiter : view.queue) write_waiter(reply, waiter);
}

void lockinfo(Context& context, Arguments& arguments) {
  const std::string_view key = arguments[1];
  if (!lockable_or_reply(context, key)) return;
  const auto view = context.state.locks().view(context.database(), key);
  if (view) {
    write_view(context.reply, key, *view);
  } else {
    context.reply.null_array();
  }
}

}  // namespace

const Command& lockinfo_command() {
  static constexpr Command kRow{
      .name = "LOCKINFO",
      .group = "lock",
      .since = "0.1.0",
      .summary = "Describes a key that is held or waited for: its mode, fence, holders and line.",
      .syntax = "key",
      .complexity = "O(h) for h holders",
      .arity = exactly(2),
      .keys = used(kFirstKey, KeyUse::read_only | KeyUse::access),
      .effect = Effect::read,
      .categories = Category::lock | Category::read | Category::slow,
      .compat = {Compat::extension, ""},
      .run = lockinfo};
  return kRow;
}

}  // namespace fencepost::commands
