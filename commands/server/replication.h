// What WAITAOF answers, at once or when its wait ends.
#pragma once

#include "resp/writer.h"

namespace fencepost::commands {

// Whether the client's writes are synced here, and on how many replicas: none.
void write_synced(resp::ReplyWriter& reply, bool synced);

}  // namespace fencepost::commands
