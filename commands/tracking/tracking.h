// Tracking switched on and off for a client, whoever does it.
#pragma once

#include "commands/process.h"
#include "commands/session.h"
#include "commands/tracking/tracked_keys.h"
#include "state/state.h"

namespace fencepost::commands {

// As the terms say, which the session keeps from now on.
void start_tracking(state::State& state, Process& process, Session& session,
                    const TrackingTerms& terms);
// CLIENT TRACKING OFF, RESET.
void stop_tracking(state::State& state, Process& process, Session& session);
// A connection that closed.
void forget_tracking(state::State& state, Process& process, Session& session);

}  // namespace fencepost::commands
