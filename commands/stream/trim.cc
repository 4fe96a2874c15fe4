// MAXLEN, MINID and LIMIT: how XADD and XTRIM are told what to remove.
#include "commands/stream/trim.h"

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "commands/errors.h"
#include "commands/lookup.h"

namespace fencepost::commands {

namespace {

class OptionReader {
 public:
  OptionReader(Context& context, const Arguments& args, OptionsOf command)
      : context_{context}, args_{args}, command_{command} {}

  std::optional<StreamOptions> read() {
    while (at_ < args_.size() && options_.fields_at == 0) {
      if (!take_word()) return std::nullopt;
    }
    if (options_.fields_at == 0) options_.fields_at = at_ + 1;
    if (!set_limit()) return std::nullopt;
    return options_;
  }

 private:
  bool refuse(std::string_view error) {
    context_.reply.error(error);
    return false;
  }

  bool take_word() {
    const std::string_view word = args_[at_];
    const bool has_value = at_ + 1 < args_.size();
    if (command_ == OptionsOf::xadd && word == "*") return take_id_anew();
    if (has_value && same_word(word, "MAXLEN")) return begin_trim() && take_most();
    if (has_value && same_word(word, "MINID")) return begin_trim() && take_least_id();
    if (has_value && same_word(word, "LIMIT")) return take_limit();
    if (command_ == OptionsOf::xtrim) return refuse(kSyntaxError);
    if (!same_word(word, "NOMKSTREAM")) return take_id();
    options_.make_stream = false;
    ++at_;
    return true;
  }

  bool take_id_anew() {
    options_.fields_at = at_ + 1;
    return true;
  }

  bool take_id() {
    options_.id = new_id_or_reply(context_, args_[at_]);
    options_.fields_at = at_ + 1;
    return options_.id.has_value();
  }

  // MAXLEN or MINID with what may stand before the value: ~ or =.
  bool begin_trim() {
    if (options_.trim) {
      return refuse(
          "ERR syntax error, MAXLEN and MINID options at the same time are not compatible");
    }
    options_.trim.emplace();
    ++at_;
    if (at_ + 1 == args_.size()) return true;
    options_.trim->whole_nodes = args_[at_] == "~";
    if (options_.trim->whole_nodes || args_[at_] == "=") ++at_;
    return true;
  }

  bool take_most() {
    const auto most = integer_or_reply(context_, args_[at_++]);
    if (!most) return false;
    if (*most < 0) return refuse("ERR The MAXLEN argument must be >= 0.");
    options_.trim->most = static_cast<std::uint64_t>(*most);
    return true;
  }

  bool take_least_id() {
    const auto id = id_or_reply(context_, args_[at_++]);
    if (id) options_.trim->from = *id;
    return id.has_value();
  }

  bool take_limit() {
    const auto limit = integer_or_reply(context_, args_[at_ + 1]);
    if (!limit) return false;
    if (*limit < 0) return refuse("ERR The LIMIT argument must be >= 0.");
    limit_ = limit;
    at_ += 2;
    return true;
  }

  // An approximate trim without a LIMIT has one of its own, so that it never takes long.
  bool set_limit() {
    if (!options_.trim) {
      if (limit_.value_or(0) > 0) {
        return refuse(
            "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
      }
      if (command_ == OptionsOf::xtrim) {
        return refuse("ERR syntax error, XTRIM must be called with a trimming strategy");
      }
    }
    const bool whole_nodes = options_.trim && options_.trim->whole_nodes;
    if (limit_ && !whole_nodes) {
      return refuse("ERR syntax error, LIMIT cannot be used without the special ~ option");
    }
    if (whole_nodes)
      options_.trim->limit = static_cast<std::uint64_t>(limit_.value_or(usual_limit()));
    return true;
  }

  std::int64_t usual_limit() const {
    constexpr std::int64_t kNodes = 100;
    constexpr std::int64_t kWithoutNodes = 10'000;
    constexpr std::int64_t kMost = 1'000'000;
    const std::int64_t entries = context_.process.settings.values.stream_node_max_entries;
    if (entries <= 0) return kWithoutNodes;
    return std::min(checked_multiply(kNodes, entries).value_or(kMost), kMost);
  }

  Context& context_;
  const Arguments& args_;
  OptionsOf command_;
  StreamOptions options_;
  std::optional<std::int64_t> limit_;
  std::size_t at_ = 2;
};

}  // namespace

std::optional<StreamOptions> stream_options_or_reply(Context& context, const Arguments& args,
                                                     OptionsOf command) {
  return OptionReader{context, args, command}.read();
}

state::StreamNodeLimits node_limits(const Context& context) {
  const SettingValues& values = context.process.settings.values;
  return {.bytes = static_cast<std::size_t>(values.stream_node_max_bytes),
          .entries = static_cast<std::size_t>(values.stream_node_max_entries)};
}

}  // namespace fencepost::commands
