// Values over the border: replies into Lua, Lua's values into replies.
#pragma once

#include <string_view>

#include "resp/writer.h"
#include "script/lua.h"

namespace fencepost::script {

// Pushes the value that stands for a reply; `reply` is one whole reply as resp::ReplyWriter writes
// it. An error becomes a table with `err`, a status one with `ok`; RESP2's nil becomes false,
// RESP3's nil; maps, sets, reals, big numbers and verbatim strings become tables with one field of
// that name.
void push_reply(lua_State* lua, std::string_view reply);

// Writes the value on top of the stack as a reply, and pops it. `asked` is what the script wants
// booleans to look like (redis.setresp). Numbers lose their fraction; an array ends at its first
// nil; what is no value is null. `most_bytes`: a reply that grows beyond is taken back and an error
// written instead.
void write_reply(lua_State* lua, resp::ReplyWriter& reply, resp::Protocol asked,
                 std::size_t most_bytes);

// Tells the host of an error with this text; the table that it is stands at `at`.
void note_error(lua_State* lua, std::string_view text, int at);

}  // namespace fencepost::script
