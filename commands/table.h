// All commands there are, by family and by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/arguments.h"
#include "commands/command.h"

namespace fencepost::commands {

// Each family's rows, in a file of the family's folder.
std::span<const Command> lock_commands();
std::span<const Command> string_commands();
std::span<const Command> key_commands();
std::span<const Command> hash_commands();
std::span<const Command> set_commands();
std::span<const Command> connection_commands();
std::span<const Command> server_commands();
std::span<const Command> transaction_commands();
std::span<const Command> script_commands();
std::span<const Command> sorted_set_commands();
std::span<const Command> pubsub_commands();
std::span<const Command> list_commands();
std::span<const Command> stream_commands();

// All rows, family by family; subcommands stand inside their container's row.
std::span<const Command* const> all_commands();

// By name, in any letter case; null when there is none. O(1), no allocation.
const Command* find_command(std::string_view name);
const Command* find_subcommand(const Command& container, std::string_view name);

// "client|list", "get": how INFO commandstats, CLIENT LIST cmd= and error texts name a row.
// `container` is null for a command that stands alone.
std::string full_name(const Command* container, const Command& command);

// What a request is about, or the error that answers it (unknown command, unknown subcommand, wrong
// number of arguments), with its first word and without the leading '-'.
struct Resolved {
  const Command* command = nullptr;    // the row to run; of a container's subcommand, that one
  const Command* container = nullptr;  // the container it was found in, if any
  std::string error;
};
Resolved resolve(Arguments arguments);

// The keys among a request's arguments, as positions. Empty when it has none or they cannot be
// told.
std::vector<std::size_t> key_positions(const Command& command, Arguments arguments);

}  // namespace fencepost::commands
