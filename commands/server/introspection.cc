// COMMAND: the server describes its commands, read off their rows.
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "commands/arguments.h"
#include "commands/context.h"
#include "commands/errors.h"
#include "commands/help.h"
#include "commands/server/describe.h"
#include "commands/server/documentation.h"
#include "commands/server/rows.h"
#include "commands/table.h"

namespace fencepost::commands {
namespace {

// A row and the container it stands in, if any.
struct Found {
  const Command* container = nullptr;
  const Command* command = nullptr;
};

// By full name: "get", "client|list".
Found find_by_full_name(std::string_view name) {
  const auto bar = name.find('|');
  const auto* command = find_command(name.substr(0, bar));
  if (command == nullptr || bar == std::string_view::npos) return {nullptr, command};
  return {command, find_subcommand(*command, name.substr(bar + 1))};
}

// COMMAND
void describe_all(Context& context, Arguments&) {
  const auto all = all_commands();
  context.reply.array(all.size());
  for (const auto* command : all) write_description(context.reply, nullptr, *command);
}

// COMMAND COUNT
void count(Context& context, Arguments&) {
  context.reply.integer(static_cast<std::int64_t>(all_commands().size()));
}

// COMMAND INFO [name ...]: null for a name that is none.
void describe(Context& context, Arguments& arguments) {
  const auto names = arguments.from(2);
  if (names.empty()) return describe_all(context, arguments);
  context.reply.array(names.size());
  for (const auto name : names) {
    const auto [container, command] = find_by_full_name(name);
    if (command == nullptr) {
      context.reply.null();
    } else {
      write_description(context.reply, container, *command);
    }
  }
}

// COMMAND DOCS [name ...]: a name that is none is left out.
void document(Context& context, Arguments& arguments) {
  std::vector<Found> wanted;
  if (arguments.size() == 2) {
    for (const auto* command : all_commands()) wanted.push_back({nullptr, command});
  }
  for (const auto name : arguments.from(2)) {
    const auto found = find_by_full_name(name);
    if (found.command != nullptr) wanted.push_back(found);
  }
  context.reply.map(wanted.size());
  for (const auto& [container, command] : wanted) {
    write_documentation(context.reply, container, *command);
  }
}

// Which rows COMMAND LIST is asked for.
struct Filter {
  enum class By : std::uint8_t { nothing, module_name, category, pattern };
  By by = By::nothing;
  std::string_view value;

  bool admits(const Command& command, std::string_view name) const {
    switch (by) {
      case By::nothing:
        return true;
      case By::module_name:
        return false;  // there are no modules
      case By::category:
        return has(all_categories(command), category_by_name(value));
      case By::pattern:
        return glob_matches(value, name, LetterCase::ignored);
    }
    return false;
  }
};

// False: a syntax error.
bool take_filter(Arguments& arguments, Filter& filter) {
  if (arguments.size() == 2) return true;
  if (arguments.size() != 5 || !same_word(arguments[2], "filterby")) return false;
  filter.value = arguments[4];
  if (same_word(arguments[3], "module")) {
    filter.by = Filter::By::module_name;
  } else if (same_word(arguments[3], "aclcat")) {
    filter.by = Filter::By::category;
  } else if (same_word(arguments[3], "pattern")) {
    filter.by = Filter::By::pattern;
  }
  return filter.by != Filter::By::nothing;
}

// COMMAND LIST [FILTERBY MODULE name | ACLCAT category | PATTERN pattern]
void list(Context& context, Arguments& arguments) {
  Filter filter;
  if (!take_filter(arguments, filter)) return context.reply.error(kSyntaxError);
  std::vector<std::string> names;
  const auto see = [&names, &filter](const Command* container, const Command& command) {
    auto name = full_name(container, command);
    if (filter.admits(command, name)) names.push_back(std::move(name));
  };
  for (const auto* command : all_commands()) {
    see(nullptr, *command);
    for (const auto& row : command->subcommands) see(command, row);
  }
  context.reply.array(names.size());
  for (const auto& name : names) context.reply.bulk(name);
}

// The keys of the request that COMMAND GETKEYS was given, or the error that answers it.
struct Keys {
  const Command* command = nullptr;
  std::vector<std::size_t> positions;  // within the request
  std::string_view error;
};

const Command* named_by(Arguments request) {
  const auto* command = find_command(request[0]);
  if (command == nullptr || command->subcommands.empty() || request.size() == 1) return command;
  return find_subcommand(*command, request[1]);
}

Keys keys_of(Arguments request) {
  const auto* command = named_by(request);
  if (command == nullptr)
    return {.command = nullptr, .positions = {}, .error = "ERR Invalid command specified"};
  Keys keys{.command = command, .positions = {}, .error = {}};
  if (command->keys.none()) {
    keys.error = "ERR The command has no key arguments";
  } else if (!command->arity.admits(request.size())) {
    keys.error = "ERR Invalid number of arguments specified for command";
  } else {
    keys.positions = key_positions(*command, request);
    const bool may_be_none = has(command->flags, Flag::no_mandatory_keys);
    if (keys.positions.empty() && !may_be_none)
      keys.error = "ERR Invalid arguments specified for command";
  }
  return keys;
}

// COMMAND GETKEYS request
void get_keys(Context& context, Arguments& arguments) {
  const Arguments request{arguments.from(2)};
  const auto keys = keys_of(request);
  if (!keys.error.empty()) return context.reply.error(keys.error);
  context.reply.array(keys.positions.size());
  for (const auto at : keys.positions) context.reply.bulk(request[at]);
}

// What this very request does with its key: SET overwrites, and reads it too only when GET stands
// there.
KeyUse use_in(const Command& command, Arguments request, KeyUse use) {
  if (!has(use, KeyUse::variable)) return use;
  bool reads = command.name != "SET";
  for (std::size_t at = 3; at < request.size(); ++at)
    reads = reads || same_word(request[at], "get");
  return reads ? KeyUse::read_write | KeyUse::access | KeyUse::update
               : KeyUse::overwrite | KeyUse::update;
}

// What the command does with the key that is the one `i` of `count`.
KeyUse use_of(const Command& command, std::size_t i, std::size_t count) {
  const bool are_many = command.keys.last < 0 || command.keys.count_at != 0;
  const bool is_last = command.keys.first != 0 && i > 0 && (are_many || i + 1 == count);
  return is_last ? last_key_use(command) : first_key_use(command);
}

// Redis tells what is done with keys only where their count is a number without fault.
bool counts_strictly(const Command& command, const Arguments& request) {
  const auto at = static_cast<std::size_t>(command.keys.count_at);
  return at == 0 || at >= request.size() || parse_integer(request[at]).has_value();
}

// COMMAND GETKEYSANDFLAGS request
void get_keys_and_flags(Context& context, Arguments& arguments) {
  const Arguments request{arguments.from(2)};
  const auto keys = keys_of(request);
  if (keys.command == nullptr || !keys.error.empty()) return context.reply.error(keys.error);
  context.reply.array(keys.positions.size());
  for (std::size_t i = 0; i < keys.positions.size(); ++i) {
    const auto use = use_of(*keys.command, i, keys.positions.size());
    const auto names = counts_strictly(*keys.command, request)
                           ? key_use_names(use_in(*keys.command, request, use))
                           : std::vector<std::string_view>{};
    context.reply.array(2);
    context.reply.bulk(request[keys.positions[i]]);
    context.reply.set(names.size());
    for (const auto name : names) context.reply.simple(name);
  }
}

constexpr auto kFlags = Flag::loading | Flag::stale;

constexpr std::array kSubcommands{
    Command{.name = "COUNT",
            .group = "server",
            .since = "2.8.13",
            .summary = "Counts the commands.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = kFlags,
            .categories = Category::connection,
            .run = count},
    Command{
        .name = "DOCS",
        .group = "server",
        .since = "7.0.0",
        .summary = "Documents the named commands, or all.",
        .syntax = "[command-name [command-name ...]]",
        .complexity = "O(n) for n commands",
        .arity = at_least(2),
        .effect = Effect::session,
        .flags = kFlags,
        .categories = Category::connection,
        .compat = {Compat::differs, "own texts; arguments come from the syntax line; no history"},
        .run = document,
        .tips = "nondeterministic_output_order"},
    Command{.name = "GETKEYS",
            .group = "server",
            .since = "2.8.13",
            .summary = "Picks the keys out of a whole command.",
            .syntax = "command [arg [arg ...]]",
            .complexity = "O(n) for n arguments",
            .arity = at_least(4),
            .effect = Effect::session,
            .flags = kFlags,
            .categories = Category::connection,
            .run = get_keys},
    Command{.name = "GETKEYSANDFLAGS",
            .group = "server",
            .since = "7.0.0",
            .summary = "Picks the keys out of a whole command, with what it does with each.",
            .syntax = "command [arg [arg ...]]",
            .complexity = "O(n) for n arguments",
            .arity = at_least(4),
            .effect = Effect::session,
            .flags = kFlags,
            .categories = Category::connection,
            .run = get_keys_and_flags},
    Command{.name = "HELP",
            .group = "server",
            .since = "5.0.0",
            .summary = "Lists what COMMAND can be asked.",
            .complexity = "O(1)",
            .arity = exactly(2),
            .effect = Effect::session,
            .flags = kFlags,
            .categories = Category::connection,
            .compat = {Compat::differs, "own words"},
            .run = reply_help},
    Command{.name = "INFO",
            .group = "server",
            .since = "2.8.13",
            .summary = "Describes the named commands, or all.",
            .syntax = "[command-name [command-name ...]]",
            .complexity = "O(n) for n commands",
            .arity = at_least(2),
            .effect = Effect::session,
            .flags = kFlags,
            .categories = Category::connection,
            .run = describe,
            .tips = "nondeterministic_output_order"},
    Command{.name = "LIST",
            .group = "server",
            .since = "7.0.0",
            .summary = "Lists the names of the commands.",
            .syntax = "[FILTERBY <MODULE module-name | ACLCAT category | PATTERN pattern>]",
            .complexity = "O(n) for n commands",
            .arity = at_least(2),
            .effect = Effect::session,
            .flags = kFlags,
            .categories = Category::connection,
            .run = list,
            .tips = "nondeterministic_output_order"},
};

}  // namespace

Command command_command() {
  return {.name = "COMMAND",
          .group = "server",
          .since = "2.8.13",
          .summary = "Describes all commands.",
          .complexity = "O(n) for n commands",
          .arity = at_least(1),
          .effect = Effect::session,
          .flags = kFlags,
          .categories = Category::connection,
          .run = describe_all,
          .subcommands = kSubcommands,
          .tips = "nondeterministic_output_order"};
}

}  // namespace fencepost::commands
