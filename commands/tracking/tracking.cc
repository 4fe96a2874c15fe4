// Tracking switched on and off for a client, whoever does it.
#include "commands/tracking/tracking.h"

namespace fencepost::commands {

namespace {

// Changes are noted only while somebody may have to hear of them, or they make the table shorter.
void note_changes_if_needed(state::State& state, const Process& process) {
  state.happenings().want_changes(process.tracked_keys.needs_changes());
}

}  // namespace

void start_tracking(state::State& state, Process& process, Session& session,
                    const TrackingTerms& terms) {
  session.tracking = terms;
  session.tracking.on = true;
  process.tracked_keys.add(session.id, terms.broadcast);
  note_changes_if_needed(state, process);
}

void stop_tracking(state::State& state, Process& process, Session& session) {
  if (!session.tracking.on) return;
  session.tracking = {};
  process.tracked_keys.remove(session.id);
  note_changes_if_needed(state, process);
}

void forget_tracking(state::State& state, Process& process, Session& session) {
  session.tracking = {};
  process.tracked_keys.forget(session.id);
  note_changes_if_needed(state, process);
}

}  // namespace fencepost::commands
