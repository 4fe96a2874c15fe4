// Entries of a stream as replies show them.
#pragma once

#include <cstddef>

#include "commands/context.h"
#include "state/stream.h"

namespace fencepost::commands {

// An id and its fields.
inline void write_entry(resp::ReplyWriter& reply, state::StreamId id, state::StreamFields fields) {
  reply.array(2);
  reply.bulk(to_text(id));
  reply.array(fields.size());
  for (const std::string_view text : fields) reply.bulk(text);
}

// An array of entries, as state::Stream::read() finds them.
inline void write_entries(resp::ReplyWriter& reply, const state::Stream& stream,
                          state::StreamId first, state::StreamId last, state::Stream::Order order,
                          std::size_t most) {
  const std::size_t opened = reply.open();
  const std::size_t count = stream.read(first, last, order, most,
                                        [&reply](state::StreamId id, state::StreamFields fields) {
                                          if (!reply.was_cut()) write_entry(reply, id, fields);
                                        });
  reply.close_array(opened, count);
}

}  // namespace fencepost::commands
