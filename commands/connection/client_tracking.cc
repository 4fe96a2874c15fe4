// CLIENT TRACKING, CACHING, GETREDIR and TRACKINGINFO: what a client wants to hear of the keys that
// it has read.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/text.h"
#include "commands/connection/rows.h"
#include "commands/errors.h"
#include "commands/lookup.h"
#include "commands/rows.h"
#include "commands/tracking/tracking.h"

namespace fencepost::commands {

namespace {

struct TrackingAsk {
  TrackingTerms terms;
  std::vector<std::string_view> prefixes;
};

// REDIRECT id: somebody who is there.
bool read_redirect_or_reply(Context& context, std::string_view text, TrackingTerms& terms) {
  if (terms.redirect != ClientId::nobody) {
    context.reply.error("ERR A client can only redirect to a single other client");
    return false;
  }
  const auto id = integer_or_reply(context, text);
  if (!id) return false;
  const auto client = static_cast<ClientId>(*id);
  if (!context.process.clients.contains(client)) {
    context.reply.error("ERR The client ID you want redirect to does not exist");
    return false;
  }
  terms.redirect = client;
  return true;
}

// Takes the word at `at`, and the one behind it where it needs one.
bool take_option_or_reply(Context& context, const Arguments& args, std::size_t& at,
                          TrackingAsk& ask) {
  const std::string_view word = args[at];
  const bool has_value = at + 1 < args.size();
  if (has_value && same_word(word, "REDIRECT")) {
    return read_redirect_or_reply(context, args[++at], ask.terms);
  }
  if (has_value && same_word(word, "PREFIX")) {
    ask.prefixes.push_back(args[++at]);
    return true;
  }
  if (same_word(word, "BCAST")) return ask.terms.broadcast = true;
  if (same_word(word, "OPTIN")) return ask.terms.opt_in = true;
  if (same_word(word, "OPTOUT")) return ask.terms.opt_out = true;
  if (same_word(word, "NOLOOP")) return ask.terms.no_loop = true;
  context.reply.error(kSyntaxError);
  return false;
}

// What is wrong about the modes asked for, as the client tracks by now; empty when nothing is.
std::string_view conflict(const TrackingTerms& now, const TrackingAsk& ask) {
  const TrackingTerms& wanted = ask.terms;
  if (!wanted.broadcast && !ask.prefixes.empty()) {
    return "ERR PREFIX option requires BCAST mode to be enabled";
  }
  if (now.on && now.broadcast != wanted.broadcast) {
    return "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and "
           "then re-enabling it with a different mode.";
  }
  if (wanted.broadcast && (wanted.opt_in || wanted.opt_out)) {
    return "ERR OPTIN and OPTOUT are not compatible with BCAST";
  }
  if (wanted.opt_in && wanted.opt_out) {
    return "ERR You can't specify both OPTIN mode and OPTOUT mode";
  }
  if ((wanted.opt_in && now.opt_out) || (wanted.opt_out && now.opt_in)) {
    return "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and "
           "then re-enabling it with a different mode.";
  }
  return {};
}

bool overlap(std::string_view a, std::string_view b) {
  return a.starts_with(b) || b.starts_with(a);
}

bool apart_or_reply(Context& context, const TrackingAsk& ask) {
  const auto existing = context.process.tracked_keys.prefixes_of(context.session.id);
  const auto refuse = [&context](std::string_view prefix, std::string_view which,
                                 std::string_view other) {
    context.reply.error(
        fmt::format("ERR Prefix '{}' overlaps with {} prefix '{}'. Prefixes for a "
                    "single client must not overlap.",
                    prefix, which, other));
    return false;
  };
  for (std::size_t i = 0; i < ask.prefixes.size(); ++i) {
    for (const std::string& other : existing) {
      if (overlap(ask.prefixes[i], other)) return refuse(ask.prefixes[i], "an existing", other);
    }
    for (std::size_t j = i + 1; j < ask.prefixes.size(); ++j) {
      if (overlap(ask.prefixes[i], ask.prefixes[j])) {
        return refuse(ask.prefixes[i], "another provided", ask.prefixes[j]);
      }
    }
  }
  return true;
}

bool prefixes_fit_or_reply(Context& context, const TrackingAsk& ask) {
  for (const std::string_view prefix : ask.prefixes) {
    if (!key_fits_or_reply(context, prefix)) return false;
  }
  const auto existing = context.process.tracked_keys.prefixes_of(context.session.id);
  if (existing.size() + ask.prefixes.size() <= kMaxTrackingPrefixes) return true;
  context.reply.error(
      fmt::format("ERR one client tracks at most {} prefixes", kMaxTrackingPrefixes));
  return false;
}

void track(Context& context, const TrackingAsk& ask) {
  const std::string_view wrong = conflict(context.session.tracking, ask);
  if (!wrong.empty()) return context.reply.error(wrong);
  if (!prefixes_fit_or_reply(context, ask) || !apart_or_reply(context, ask)) return;
  TrackingTerms terms = ask.terms;
  terms.caching = context.session.tracking.caching;
  start_tracking(context.state, context.process, context.session, terms);
  TrackedKeys& table = context.process.tracked_keys;
  for (const std::string_view prefix : ask.prefixes) table.add_prefix(context.session.id, prefix);
  // Without a prefix it is all keys.
  if (terms.broadcast && ask.prefixes.empty()) table.add_prefix(context.session.id, "");
  context.reply.simple("OK");
}

// CLIENT TRACKING <ON | OFF> [REDIRECT client-id] [PREFIX prefix ...] [BCAST] [OPTIN] [OPTOUT]
// [NOLOOP]
void client_tracking(Context& context, Arguments& args) {
  TrackingAsk ask;
  for (std::size_t at = 3; at < args.size(); ++at) {
    if (!take_option_or_reply(context, args, at, ask)) return;
  }
  if (same_word(args[2], "ON")) return track(context, ask);
  if (!same_word(args[2], "OFF")) return context.reply.error(kSyntaxError);
  stop_tracking(context.state, context.process, context.session);
  context.reply.simple("OK");
}

// CLIENT CACHING <YES | NO>
void client_caching(Context& context, Arguments& args) {
  TrackingTerms& terms = context.session.tracking;
  if (!terms.on) {
    return context.reply.error(
        "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or "
        "OPTOUT mode enabled");
  }
  const bool yes = same_word(args[2], "YES");
  if (!yes && !same_word(args[2], "NO")) return context.reply.error(kSyntaxError);
  if (yes && !terms.opt_in) {
    return context.reply.error(
        "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
  }
  if (!yes && !terms.opt_out) {
    return context.reply.error(
        "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
  }
  terms.caching = true;
  context.reply.simple("OK");
}

// CLIENT GETREDIR
void client_getredir(Context& context, Arguments&) {
  context.reply.integer(redirection_of(context.session));
}

// In the order in which Redis tells them.
std::vector<std::string_view> flags_of(const TrackingTerms& terms) {
  std::vector<std::string_view> flags{terms.on ? "on" : "off"};
  if (terms.broadcast) flags.push_back("bcast");
  if (terms.opt_in) flags.push_back("optin");
  if (terms.opt_in && terms.caching) flags.push_back("caching-yes");
  if (terms.opt_out) flags.push_back("optout");
  if (terms.opt_out && terms.caching) flags.push_back("caching-no");
  if (terms.no_loop) flags.push_back("noloop");
  if (terms.redirect_broken) flags.push_back("broken_redirect");
  return flags;
}

// CLIENT TRACKINGINFO
void client_trackinginfo(Context& context, Arguments&) {
  resp::ReplyWriter& reply = context.reply;
  const auto flags = flags_of(context.session.tracking);
  const auto prefixes = context.process.tracked_keys.prefixes_of(context.session.id);
  reply.map(3);
  reply.bulk("flags");
  reply.set(flags.size());
  for (const std::string_view flag : flags) reply.bulk(flag);
  reply.bulk("redirect");
  reply.integer(redirection_of(context.session));
  reply.bulk("prefixes");
  reply.array(prefixes.size());
  for (const std::string& prefix : prefixes) reply.bulk(prefix);
}

constexpr Flag kFlags = Flag::no_script | Flag::loading | Flag::stale;
constexpr Category kCategories = Category::slow | Category::connection;

constexpr Command kTracking = {
    .name = "TRACKING",
    .group = "connection",
    .since = "6.0.0",
    .summary = "Tells the connection once keys that it read, or that begin so, have changed.",
    .syntax =
        "<ON | OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST] [OPTIN] "
        "[OPTOUT] [NOLOOP]",
    .complexity = "O(p^2) for p prefixes",
    .arity = at_least(3),
    .effect = Effect::session,
    .flags = kFlags,
    .categories = kCategories,
    .compat = kSame,
    .run = client_tracking};

constexpr Command kCaching = {.name = "CACHING",
                              .group = "connection",
                              .since = "6.0.0",
                              .summary = "Says whether the next command's keys are tracked.",
                              .syntax = "<YES | NO>",
                              .complexity = "O(1)",
                              .arity = exactly(3),
                              .effect = Effect::session,
                              .flags = kFlags,
                              .categories = kCategories,
                              .compat = kSame,
                              .run = client_caching};

constexpr Command kGetRedir = {
    .name = "GETREDIR",
    .group = "connection",
    .since = "6.0.0",
    .summary = "Answers who gets what this connection tracks: 0 itself, -1 when it does not track.",
    .syntax = "",
    .complexity = "O(1)",
    .arity = exactly(2),
    .effect = Effect::session,
    .flags = kFlags,
    .categories = kCategories,
    .compat = kSame,
    .run = client_getredir};

constexpr Command kTrackingInfo = {.name = "TRACKINGINFO",
                                   .group = "connection",
                                   .since = "6.2.0",
                                   .summary = "Answers whether and how the connection tracks keys.",
                                   .syntax = "",
                                   .complexity = "O(p) for p prefixes",
                                   .arity = exactly(2),
                                   .effect = Effect::session,
                                   .flags = kFlags,
                                   .categories = kCategories,
                                   .compat = kSame,
                                   .run = client_trackinginfo};

}  // namespace

std::int64_t redirection_of(const Session& session) {
  return session.tracking.on ? static_cast<std::int64_t>(session.tracking.redirect) : -1;
}

std::vector<Command> client_tracking_commands() {
  return {kTracking, kCaching, kGetRedir, kTrackingInfo};
}

}  // namespace fencepost::commands
