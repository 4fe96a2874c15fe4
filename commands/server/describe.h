// A row as COMMAND INFO shows it: its flags, categories, tips and key specifications in words.
#pragma once

#include <string_view>
#include <vector>

#include "commands/command.h"
#include "resp/writer.h"

namespace fencepost::commands {

// In the order in which Redis prints them: "write", "fast" ...
std::vector<std::string_view> flag_names(const Command& command);

// The row's categories and those that follow from its effect and flags: a write is @write, what is
// not @fast is @slow.
Category all_categories(const Command& command);
// "keyspace", "read" ... without the @, in Redis's order.
std::vector<std::string_view> category_names(Category categories);
// Category::none when there is none of that name.
Category category_by_name(std::string_view name);

// "RO", "access" ... of one key specification.
std::vector<std::string_view> key_use_names(KeyUse use);
// What the command does with its first key, and with its last, with `derived` spelled out.
KeyUse first_key_use(const Command& command);
KeyUse last_key_use(const Command& command);

// The ten fields of COMMAND INFO, subcommands within. `container` is null for a command that stands
// alone.
void write_description(resp::ReplyWriter& reply, const Command* container, const Command& command);

}  // namespace fencepost::commands
