// The words that the lock commands share, read and held to their limits.
#include "commands/lock/terms.h"

#include <string>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "commands/errors.h"
#include "commands/lock/answer.h"
#include "commands/lookup.h"

namespace fencepost::commands {

namespace {

// Walks the options. Each may stand once; each reader answers what is wrong and says so with false.
class TermsReader {
 public:
  TermsReader(Context& context, std::span<const std::string_view> words, std::string_view command,
              Sharing sharing)
      : context_{context}, words_{words}, command_{command}, sharing_{sharing} {
    terms_.lease = context.state.limits().default_ttl;
  }

  std::optional<LockTerms> read() {
    while (at_ < words_.size()) {
      if (!read_option(words_[at_++])) return std::nullopt;
    }
    return terms_;
  }

 private:
  bool read_option(std::string_view word) {
    if (same_word(word, "EX") || same_word(word, "PX"))
      return once(seen_lease_) && read_lease(word);
    if (same_word(word, "WAIT")) return once(seen_wait_) && read_wait();
    if (same_word(word, "GRACE")) return once(seen_grace_) && read_grace();
    if (same_word(word, "BIND")) return once(terms_.bind);
    if (same_word(word, "META")) return once(seen_meta_) && read_meta();
    if (sharing_ == Sharing::not_here) return wrong(kSyntaxError);
    if (same_word(word, "SHARED")) return once(seen_sharing_) && set_shared();
    if (same_word(word, "LIMIT")) return once(seen_sharing_) && read_limit();
    return wrong(kSyntaxError);
  }

  bool read_lease(std::string_view unit) {
    if (at_ == words_.size()) return wrong(kSyntaxError);
    const auto lease = lock_lease_or_reply(context_, unit, words_[at_++], command_);
    if (lease) terms_.lease = *lease;
    return lease.has_value();
  }

  bool read_wait() {
    const auto wait = number();
    if (!wait) return false;
    if (*wait < 0) return wrong("ERR WAIT is negative");
    const Duration longest = context_.state.limits().max_wait;
    if (Duration{*wait} > longest) {
      return wrong("ERR WAIT is above lock-max-wait (" + std::to_string(longest.count()) + " ms)");
    }
    terms_.wait = Duration{*wait};
    return true;
  }

  bool read_grace() {
    const auto grace = number();
    if (!grace) return false;
    if (*grace < 0) return wrong("ERR GRACE is negative");
    if (Duration{*grace} > kMaxGrace) {
      return wrong("ERR GRACE is above its limit (" + std::to_string(kMaxGrace.count()) + " ms)");
    }
    terms_.grace = Duration{*grace};
    return true;
  }

  bool set_shared() {
    terms_.mode = state::Mode::shared;
    return true;
  }

  bool read_limit() {
    const auto limit = number();
    if (!limit) return false;
    if (*limit < 1 || *limit > kMaxSemaphoreHolders) {
      return wrong("ERR LIMIT must be from 1 to " + std::to_string(kMaxSemaphoreHolders));
    }
    terms_.mode = state::Mode::limit;
    terms_.limit = *limit;
    return true;
  }

  bool read_meta() {
    if (at_ == words_.size()) return wrong(kSyntaxError);
    terms_.meta = words_[at_++];
    if (terms_.meta.size() <= kMaxMetaBytes) return true;
    return wrong("ERR META is longer than " + std::to_string(kMaxMetaBytes) + " bytes");
  }

  std::optional<std::int64_t> number() {
    if (at_ < words_.size()) return integer_or_reply(context_, words_[at_++]);
    wrong(kSyntaxError);
    return std::nullopt;
  }

  bool once(bool& seen) {
    if (seen) return wrong(kSyntaxError);
    seen = true;
    return true;
  }

  bool wrong(std::string_view text) {
    context_.reply.error(text);
    return false;
  }

  Context& context_;
  std::span<const std::string_view> words_;
  std::string_view command_;
  Sharing sharing_;
  LockTerms terms_;
  std::size_t at_ = 0;
  bool seen_lease_ = false;
  bool seen_wait_ = false;
  bool seen_grace_ = false;
  bool seen_meta_ = false;
  bool seen_sharing_ = false;
};

}  // namespace

std::optional<LockTerms> lock_terms_or_reply(Context& context,
                                             std::span<const std::string_view> options,
                                             std::string_view command, Sharing sharing) {
  return TermsReader{context, options, command, sharing}.read();
}

std::optional<Duration> lock_lease_or_reply(Context& context, std::string_view unit,
                                            std::string_view number, std::string_view command) {
  const auto count = integer_or_reply(context, number);
  if (!count) return std::nullopt;
  const auto milliseconds = checked_multiply(*count, same_word(unit, "EX") ? 1000 : 1);
  const Duration longest = context.state.limits().max_ttl;
  if (milliseconds && *milliseconds >= 1 && Duration{*milliseconds} <= longest) {
    return Duration{*milliseconds};
  }
  context.reply.error("ERR invalid expire time in '" + std::string{command} + "' command");
  return std::nullopt;
}

bool owner_fits_or_reply(Context& context, std::string_view owner) {
  if (!owner.empty() && owner.size() <= kMaxOwnerBytes) return true;
  context.reply.error("ERR an owner has 1 to " + std::to_string(kMaxOwnerBytes) + " bytes");
  return false;
}

bool lockable_or_reply(Context& context, std::string_view key) {
  const state::Item* item = context.keys().find(context.database(), key);
  if (item == nullptr || item->is_string() || item->is_lock()) return true;
  context.reply.error(kWrongType);
  return false;
}

void ask_for_lock(Context& context, std::span<const std::string_view> keys, std::string_view owner,
                  const LockTerms& terms, bool many) {
  for (const std::string_view key : keys) {
    if (!key_fits_or_reply(context, key)) return;
  }
  const state::LockAnswer answer =
      context.state.locks().acquire({.database = context.database(),
                                     .keys = keys,
                                     .owner = owner,
                                     .mode = terms.mode,
                                     .limit = terms.limit,
                                     .lease = terms.lease,
                                     .wait = context.may_wait ? terms.wait : Duration{0},
                                     .grace = terms.grace,
                                     .bind = terms.bind,
                                     .meta = terms.meta,
                                     .client = context.session.id,
                                     .many = many});
  switch (answer.kind) {
    case state::LockAnswer::Kind::granted:
      write_fences(context.reply, answer.fences, many);
      return;
    case state::LockAnswer::Kind::refused:
      write_refusal(context.reply, many);
      return;
    case state::LockAnswer::Kind::error:
      context.reply.error(answer.error);
      return;
    case state::LockAnswer::Kind::waiting:
      context.parked = true;
      return;
  }
}

}  // namespace fencepost::commands
