// The process around the state, as commands of Effect::session see and steer it: settings, clients,
// statistics. Plain data and small classes; the engine owns one and obeys what is set here.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "commands/pubsub/subscriptions.h"
#include "commands/script/scripts.h"
#include "commands/server/latency.h"
#include "commands/server/settings.h"
#include "commands/server/slow_log.h"
#include "commands/server/statistics.h"
#include "commands/session.h"
#include "commands/tracking/tracked_keys.h"

namespace fencepost::commands {

struct Context;
struct Resolved;
class Arguments;

// CLIENT PAUSE: until when, and which commands wait.
struct Pause {
  enum class What : std::uint8_t { writes, all };
  Instant until{};  // in the past: no pause
  What what = What::all;

  bool active(Instant now) const { return now < until; }
};

// What never changes while the server runs.
struct Identity {
  std::string run_id;  // 40 hex digits
  std::int64_t process_id = 0;
  int tcp_port = 0;
  std::string executable;
  std::string config_file;  // empty when there is none
  std::string operating_system;
  Instant started_at{};
};

// What the process takes of the machine at a moment.
struct Usage {
  std::uint64_t used_bytes = 0;       // handed out by the allocator
  std::uint64_t allocated_bytes = 0;  // taken by the allocator from the kernel
  std::uint64_t resident_bytes = 0;
  std::uint64_t machine_bytes = 0;  // all the memory there is
  double user_s = 0;                // processor time
  double system_s = 0;
};

// How the journal fares, for INFO and for refusing what could not be kept.
struct Durability {
  bool enabled = false;
  std::string refusal;  // why writes are refused at the moment: a whole error; empty: they are not
  bool unclean_start = false;  // the journal did not end as an orderly shutdown leaves it
  bool leapt = false;          // and power was lost: the fences leapt ahead
  bool rewriting = false;      // a picture is being drawn
  bool last_rewrite_failed = false;
  bool last_write_failed = false;
  bool sync_in_progress = false;
  std::uint64_t bytes = 0;       // of all files
  std::uint64_t base_bytes = 0;  // after the last picture
  std::uint64_t syncs = 0;
  std::int64_t last_sync_us = 0;  // how long it took
  std::int64_t max_sync_us = 0;
  std::int64_t last_save_s = 0;           // Unix time of the last picture; 0: none since the start
  std::uint64_t rewrites = 0;             // pictures that were finished
  std::int64_t rewrite_began_s = 0;       // Unix time
  std::int64_t last_rewrite_took_s = -1;  // -1: none yet
  std::uint64_t late_syncs = 0;           // a second was over and the sync before still ran
  std::uint64_t waiting_batches = 0;      // that the disk has not taken yet
  // Without a journal: fences go on above this after a restart; 0: nothing keeps them.
  std::uint64_t kept_floor = 0;
  // Whether all that this client wrote is synced. Set by the engine.
  std::function<bool(ClientId)> is_synced;
  // BGREWRITEAOF: begins a picture; false when one is being drawn already.
  std::function<bool()> begin_rewrite;
  // SAVE: draws one at once.
  std::function<Result<void>()> save;
};

// How far the state has been read back from the journal.
struct Loading {
  bool active = false;
  std::int64_t began_s = 0;  // Unix time
  std::uint64_t bytes = 0;
  std::uint64_t bytes_in_all = 0;
};

// A script that runs for longer than busy-reply-threshold, as SCRIPT KILL and SHUTDOWN meet it.
struct SlowScript {
  bool runs = false;    // others are told BUSY
  bool wrote = false;   // it may have changed something: nobody may end it any more
  bool killed = false;  // it shall end
};

struct Process {
  explicit Process(Identity who) : identity{std::move(who)} {}

  Identity identity;
  Settings settings;
  Statistics statistics;
  SlowLog slow_log;
  Latency latency;
  Pause pause;
  Durability durability;
  Loading loading;
  Scripts scripts;
  Subscriptions subscriptions;
  TrackedKeys tracked_keys;
  // Every connected client by id: ordered, as CLIENT LIST prints them. The engine owns the
  // sessions.
  std::map<ClientId, Session*> clients;
  // DEBUG SET-ACTIVE-EXPIRE 0: leases end once somebody looks at their keys, and waits do not.
  bool active_expire = true;
  // SHUTDOWN was asked for.
  bool shutdown_requested = false;
  SlowScript slow_script;
  // Lines for MONITOR clients are made only while there is one.
  std::size_t monitor_count = 0;
  // CLIENT UNBLOCK: ends that client's wait, through the journal. True when it was waiting. Set by
  // the engine.
  std::function<bool(ClientId, bool with_error)> unblock;
  // Runs a command that a script calls, so that it is counted and shown as all others are. Set by
  // the engine; without one the handler is called as it is.
  std::function<void(Context&, const Resolved&, Arguments)> run_inner;
  // An error for INFO errorstats that no request is answered with. Set by the engine.
  std::function<void(std::string_view text)> count_error;
  // Asked again and again while a script runs; an error text ends it. `wrote`: it may have changed
  // something. Set by the engine.
  std::function<std::optional<std::string>(bool wrote)> interrupt_script;
  // Called now and then while a script runs for too long: others are heard. Set by server/; without
  // one they wait.
  std::function<void()> while_busy;
  // CONFIG REWRITE: writes the settings into identity.config_file (see config_file.h). Set by
  // server/; a test may leave it empty.
  std::function<Result<void>(const Settings&)> rewrite_config;
  // DEBUG SLEEP and the like: stops the whole server for that long. Set by server/; a test may
  // leave it empty.
  std::function<void(Duration)> sleep;
  // DEBUG LOG: one line for the server's log. Set by server/; a test may leave it empty.
  std::function<void(std::string_view)> log;
  // Measures now; gives unused memory back to the kernel. Set by server/; a test may leave them
  // empty: then all is 0.
  std::function<Usage()> usage;
  std::function<std::uint64_t()> used_bytes;  // Usage::used_bytes alone, which costs less
  std::function<void()> trim_memory;
};

}  // namespace fencepost::commands
