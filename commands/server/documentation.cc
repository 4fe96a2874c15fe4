// A row as COMMAND DOCS shows it.
#include "commands/server/documentation.h"

#include <string_view>
#include <vector>

#include "commands/server/syntax.h"
#include "commands/table.h"

namespace fencepost::commands {
namespace {

using Kind = SyntaxArgument::Kind;

void write_pair(resp::ReplyWriter& reply, std::string_view name, std::string_view value) {
  reply.bulk(name);
  reply.bulk(value);
}

std::string_view type_name(const SyntaxArgument& argument) {
  switch (argument.kind) {
    case Kind::value:
      return argument.type;
    case Kind::token:
      return "pure-token";
    case Kind::block:
      return "block";
    case Kind::oneof:
      return "oneof";
  }
  return {};
}

std::vector<std::string_view> flag_names(const SyntaxArgument& argument) {
  std::vector<std::string_view> names;
  if (argument.optional) names.emplace_back("optional");
  if (argument.multiple) names.emplace_back("multiple");
  if (argument.multiple_token) names.emplace_back("multiple_token");
  return names;
}

// Which of the key specifications an argument belongs to: the last key, or all behind the first,
// may have one of their own.
int key_specification(const Command& command, const SyntaxArgument& argument) {
  if (command.keys.last_use == KeyUse::derived) return 0;
  if (command.keys.last < 0) return argument.name == "key" ? 1 : 0;
  return argument.name == "newkey" || argument.name == "destination" ? 1 : 0;
}

void write_arguments(resp::ReplyWriter& reply, const Command& command,
                     const std::vector<SyntaxArgument>& arguments) {
  reply.array(arguments.size());
  for (const auto& argument : arguments) {
    const bool is_key = argument.type == "key";
    const auto flags = flag_names(argument);
    reply.map(2U + (is_key ? 1 : 0) + (argument.token.empty() ? 0 : 1) + (flags.empty() ? 0 : 1) +
              (argument.members.empty() ? 0 : 1));
    write_pair(reply, "name", argument.name);
    write_pair(reply, "type", type_name(argument));
    if (is_key) {
      reply.bulk("key_spec_index");
      reply.integer(key_specification(command, argument));
    }
    if (!argument.token.empty()) write_pair(reply, "token", argument.token);
    if (!flags.empty()) {
      reply.bulk("flags");
      reply.set(flags.size());
      for (const auto flag : flags) reply.simple(flag);
    }
    if (!argument.members.empty()) {
      reply.bulk("arguments");
      write_arguments(reply, command, argument.members);
    }
  }
}

}  // namespace

void write_documentation(resp::ReplyWriter& reply, const Command* container,
                         const Command& command) {
  const auto arguments = parse_syntax(command.syntax);
  const bool has_complexity = !command.complexity.empty();
  reply.bulk(full_name(container, command));
  reply.map(3U + (has_complexity ? 1 : 0) + (arguments.empty() ? 0 : 1) +
            (command.subcommands.empty() ? 0 : 1));
  write_pair(reply, "summary", command.summary);
  write_pair(reply, "since", command.since);
  write_pair(reply, "group", command.group);
  if (has_complexity) write_pair(reply, "complexity", command.complexity);
  if (!arguments.empty()) {
    reply.bulk("arguments");
    write_arguments(reply, command, arguments);
  }
  if (command.subcommands.empty()) return;
  reply.bulk("subcommands");
  reply.map(command.subcommands.size());
  for (const auto& row : command.subcommands) write_documentation(reply, &command, row);
}

}  // namespace fencepost::commands
