// The one path of a request, bytes to bytes, without a socket: whoever owns the sockets (or plays
// them) hands in what came, takes away what is to be sent, and calls tick() in time.
//
//   const ClientId alice = engine.connect({.address = "127.0.0.1:40112"});
//   engine.receive(alice, "PING\r\n");
//   engine.take_output(alice, blocks);          // "+PONG\r\n"
//   engine.output_written(alice, 7);
//
// One thread. Nothing here is called back from below: a connection that has something to be sent,
// or is to be closed, is listed by take_dirty(). The one exception: while a script runs for longer
// than busy-reply-threshold, process().while_busy is called from within it, and may call connect(),
// receive(), disconnected(), and what stands under "what goes", for all but the script's client.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "base/time.h"
#include "commands/context.h"
#include "commands/process.h"
#include "commands/table.h"
#include "journal/memory_journal.h"
#include "server/asking.h"
#include "server/connection.h"
#include "server/log.h"
#include "server/memory_gauge.h"
#include "server/output.h"
#include "state/state.h"

namespace fencepost::server {

class Engine {
 public:
  struct Options {
    commands::Settings settings;
    commands::Identity identity;
    std::uint64_t hash_seed = 0;    // orders scans
    std::uint64_t chance_seed = 0;  // RANDOMKEY and the like
    Log log;
  };

  // The clock must outlive the engine.
  Engine(Options options, Clock& clock);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // --- what comes
  // A client is there. One that is not let in (maxclients, protected mode) gets an id too: its
  // output says why, and it wants to be closed.
  ClientId connect(Peer peer);
  // Bytes from it. They are run as far as they go; nothing is kept of `bytes`.
  void receive(ClientId client, std::string_view bytes);
  // It is gone, or is being closed: holds it was not told of are given back, its waiter leaves the
  // line.
  void disconnected(ClientId client);

  // --- what goes
  // Moves the ids of those with output to take, or to be closed, into `into` (cleared first); each
  // is listed once until it is listed anew.
  void take_dirty(std::vector<ClientId>& into);
  // Moves all that is to be sent to the end of `blocks`.
  void take_output(ClientId client, std::vector<std::string>& blocks);
  // That many bytes of what was taken are with the kernel. 0 is to be reported too: then the
  // attempt was made, and a client that asks on without reading will be cut off.
  void output_written(ClientId client, std::size_t bytes);
  // An emptied block, for use again.
  void give_back(std::string block) { pool_.give(std::move(block)); }
  // when_written: once everything was taken and written. Whoever closes it reports disconnected().
  Closing wants_close(ClientId client) const;
  // False while it sends on and on and does not read its replies, or its script runs and others are
  // heard: the transport is to leave its bytes with the kernel, and to ask again each turn.
  bool wants_input(ClientId client) const;

  // --- loading (engine_loading.cc). From begin on, whoever asks for something of the state is told
  // LOADING; the state is filled from outside.
  void begin_loading();
  void note_loading(std::uint64_t bytes, std::uint64_t of_bytes);
  // All is there. The clock has been set by so much in the meantime, and goes on from there.
  void end_loading(Duration moved);

  // --- durability. Without a call of keep_journal() nothing waits for a journal.
  // From now on answers to what changes something leave only once that is kept: see committed().
  void keep_journal();
  // Appends to `batch` what changed since the last time, and gives back the batch's number; 0 when
  // nothing did.
  std::uint64_t collect(std::string& batch);
  // An entry is being applied: a script runs for long, and nothing can be collected.
  bool is_applying() const { return applying_; }
  // Everything up to that batch is as safe as was promised: what waited for it may leave.
  void committed(std::uint64_t number);
  // Everything up to that batch survives a loss of power.
  void synced(std::uint64_t number);
  // Somebody waits for a sync (WAITAOF).
  bool sync_is_awaited() const { return !sync_waiters_.empty(); }

  // --- time. The state's own begins with the first call of receive() or tick(): what a journal is
  // to tell must come before it.
  // Leases, waits, pauses and idle clients that are over by now.
  void tick();
  // When tick() has something to do; kNever for never. The moment itself counts as over.
  Instant next_deadline() const;
  // True: some connections can go on once the output of this turn was tried to be sent. Call tick()
  // in the next turn.
  bool has_more_to_do() const {
    return !is_busy() && (!resumed_.empty() || backlog_ || sync_news_ || tracks_too_many_keys());
  }

  // An entry that was journalled before, or elsewhere. Its views live until this returns.
  void replay(const journal::Entry& entry);

  // SHUTDOWN was asked for.
  bool shutdown_requested() const { return process_.shutdown_requested; }
  // Waiters are told nil, and everybody is to be closed once what is to be sent was written.
  void begin_shutdown();

  commands::Process& process() { return process_; }
  state::State& state() { return state_; }
  std::size_t client_count() const { return process_.clients.size(); }

 private:
  // A request on its way through the journal, so that applying it at once need not look anything up
  // again.
  struct InFlight {
    Connection& connection;
    const commands::Resolved& command;
  };
  enum class Outcome : std::uint8_t { done, postponed };

  // clients (engine.cc)
  Connection* find(ClientId client) const;
  void read_clock() { now_ = clock_.now(); }
  void mark_dirty(Connection& connection);
  void close(Connection& connection, Closing how);
  void cut_off(Connection& connection, std::string_view why);
  std::string_view refusal_at_the_door(const Peer& peer) const;
  void leave(Connection& connection);
  void remove(ClientId client);
  void let_go();
  void apply_settings();

  // bytes -> requests (engine_input.cc)
  void go_on(Connection& connection);
  std::size_t run(Connection& connection, std::string_view input, resp::RequestParser& parser);
  bool may_run_more(Connection& connection);
  void resume_after_write(Connection& connection, bool progress);
  static void note_input(Connection& connection);
  void check_input_limit(Connection& connection);
  resp::RequestLimits limits_for(const Connection& connection) const;
  bool needs_login(const commands::Session& session) const;
  void refuse_bytes(Connection& connection, std::string_view why);
  void finish_turn();

  // requests -> entries and replies (engine_requests.cc)
  Outcome handle(Connection& connection, commands::Arguments arguments);
  bool is_attack(Connection& connection, std::string_view name);
  std::string refusal(const Connection& connection, const commands::Resolved& found,
                      commands::Arguments arguments);
  bool is_memory_full();
  bool is_paused(const Connection& connection, const commands::Command& command,
                 commands::Arguments arguments);
  void reject(Connection& connection, const commands::Resolved& found, std::string_view error);
  void dispatch(Connection& connection, const commands::Resolved& found,
                commands::Arguments arguments);
  void append_transaction(Connection& connection, const commands::Resolved& found);
  bool carry_script(const commands::Resolved& found, commands::Arguments arguments);
  void append_request(Connection& connection, const commands::Resolved& found,
                      journal::Entry entry);
  void name_command(Connection& connection, const commands::Resolved& found);
  template <typename Body>
  void answer(Connection& connection, std::uint64_t chance, Body body);
  void call(commands::Context& context, const commands::Resolved& found,
            commands::Arguments arguments);
  static void run_within_bounds(commands::Context& context, const commands::Command& command,
                                commands::Arguments words);
  void obey(Connection& connection);
  static void settle_reply_mode(commands::Session& session, resp::ReplyWriter& reply,
                                std::size_t start, bool is_push = false);
  static void settle_caching(commands::Session& session);

  // entries -> state (engine_apply.cc)
  void pass_time();
  void append(const journal::Entry& entry);
  void apply(const journal::Entry& entry);
  void apply_request(const journal::Entry& entry);
  void run_entry(Connection& connection, const commands::Resolved& found,
                 const journal::Entry& entry);
  void deliver();
  void tell(Connection& connection, const state::WaiterAnswer& answer);
  // parked clients (engine_parked.cc)
  bool serve_next_ready();
  void serve(const state::KeyName& ready);
  void run_again(Connection& connection, std::string_view ready_key);
  void tell_unserved();
  void log_unserved(const Connection& connection, const state::ParkedAnswer& answer);
  void end_wait(Connection& connection, const std::function<void(resp::ReplyWriter&)>& write);
  void resume(Connection& connection, resp::ReplyWriter& reply, std::size_t start);
  void note_grants();
  void undo_undeliverable();
  bool end_wait_of(ClientId client, bool with_error);
  bool unblock(ClientId client, bool with_error);

  // a script that runs for long (engine_busy.cc)
  bool is_busy() const { return process_.slow_script.runs; }
  void begin_script(const commands::Context& context, const commands::Command& command,
                    commands::Arguments arguments);
  std::optional<std::string> interrupt_script(bool wrote);
  void look_around(std::int64_t now_us);
  void end_script();
  void receive_while_busy(Connection& connection, std::string_view bytes);

  // what happened -> those who listen (engine_messages.cc)
  struct Doer {
    ClientId client;  // nobody where it was time, or a hand-over
    bool in_script;
  };
  void spread(ClientId by, const commands::Context* context);
  Place place_of(const state::Happening& one, const commands::Context* context) const;
  void tell_of(const state::Happening& one, const Doer& doer, Place place);
  void tell_event(const state::Happening& one, Place place);
  void send_to_all(commands::Audience audience, std::string_view channel, std::string_view text,
                   Place place);
  resp::Protocol protocol_of(const Connection& connection) const;
  void push(Connection& to, Place place, const std::function<void(resp::ReplyWriter&)>& write);
  void end_asking(Asking& asking);

  // keys that were read -> those who cache them (engine_tracking.cc)
  void note_reads(const commands::Context& context, const commands::Resolved& found,
                  commands::Arguments arguments);
  void note_keys(const commands::Context& context, const commands::Command& command,
                 commands::Arguments arguments);
  bool tracks_too_many_keys() const;
  void evict_tracked_keys(std::size_t most);
  void tell_readers(std::string_view key, ClientId by);
  void tell_all_trackers();
  void tell_tracker(Connection& tracker, std::optional<std::string_view> key);
  void invalidate(Connection& tracker, const std::span<const std::string_view>* keys);
  void tell_of_broken_redirection(Connection& tracker);
  void broadcast();

  // memory of clients (engine_eviction.cc)
  std::size_t most_client_bytes() const;
  void weigh(Connection& connection);
  void weigh_all();
  Connection* heaviest_client() const;
  void evict_clients();

  // output limits (engine_limits.cc)
  std::size_t most_unread() const;
  commands::OutputLimit output_limit_of(const Connection& connection) const;
  void check_output(Connection& connection);
  Instant soft_deadline(const Connection& connection) const;
  Instant next_soft_deadline() const;
  void cut_off_those_above_soft_limits();

  // what is counted and logged of a request (engine_accounts.cc)
  commands::CommandStatistics& statistics_of(const commands::Resolved& found);
  void count(const commands::Context& context, const commands::Resolved& found,
             commands::Arguments arguments, std::string_view reply, std::int64_t took_us);
  void count_resumed(const commands::Context& context, const commands::Resolved& found,
                     commands::Arguments arguments, std::string_view reply, std::int64_t took_us);
  void log_if_slow(const commands::Session& session, const commands::Command& command,
                   commands::Arguments arguments, std::int64_t took_us);
  void count_error(std::string_view text);
  void feed_monitors(const commands::Context& context, commands::Arguments arguments);

  // what waits for the journal (engine_durability.cc)
  void hold_back(Connection& connection) const;
  bool is_held_back(const Connection& connection) const;
  bool is_beyond(const Connection& connection, std::uint64_t safe) const;
  void hold_if_uncertain(Connection& connection, const commands::Resolved& found,
                         const commands::Arguments& arguments);
  bool may_have_changed(DatabaseIndex database, std::string_view key) const;
  bool has_a_new_floor(DatabaseIndex database, std::string_view key) const;

  // who waits for a sync (engine_sync.cc)
  bool is_synced(const Connection& connection) const;
  void wait_for_sync(const Connection& connection);
  void tell_synced();
  bool end_sync_wait(Connection& connection, bool with_error);

  // time (engine_time.cc)
  void end_pause_if_over();
  void close_idle_clients();
  void watch_progress(Connection& connection);
  static Instant stuck_at(const Connection& connection);
  void cut_off_the_stuck();

  Clock& clock_;
  Log log_;
  state::State state_;
  commands::Process process_;
  journal::MemoryJournal journal_;
  Random chance_;
  BlockPool pool_;
  std::unordered_map<ClientId, std::unique_ptr<Connection>> connections_;
  mutable Connection* last_found_ = nullptr;  // most questions in a row are about one client
  std::uint64_t last_id_ = 0;

  bool applying_ = false;
  bool backlog_ = false;      // advance() left something over
  bool script_ran_ = false;   // within this entry
  bool memory_full_ = false;  // as of the request being handled
  bool journal_kept_ = false;
  bool sync_news_ = false;  // some of sync_waiters_ can be told

  Now now_;                                    // of this receive() or tick()
  std::int64_t stopwatch_us_ = 0;              // when the request before this one was done
  ClientId script_client_ = ClientId::nobody;  // whose script runs
  struct {
    const commands::Command* command = nullptr;
    commands::Arguments arguments{{}};
  } script_request_;  // what runs it
  std::int64_t script_began_us_ = 0;
  std::int64_t next_look_us_ = 0;
  resp::RequestParser parser_;  // for connections without unfinished bytes
  InFlight* in_flight_ = nullptr;
  MemoryGauge memory_gauge_;
  std::size_t client_bytes_ = 0;  // what all that were weighed take
  Asking* asking_ = nullptr;
  Instant next_idle_check_ = kNever;

  std::vector<ClientId> dirty_;
  std::vector<ClientId> resumed_;   // can go on with what they sent
  std::vector<ClientId> paused_;    // by CLIENT PAUSE
  std::vector<ClientId> stuck_;     // are cut off when they take nothing of their output
  std::set<ClientId> above_soft_;   // more than the soft limit of its class waits for them
  std::vector<ClientId> leaving_;   // closed at once, and the state does not know of it yet
  std::vector<ClientId> departed_;  // gone while a script ran, and kept until it has ended
  std::vector<state::Grant> undeliverable_;
  // While a journal is kept: the numbers of batches.
  std::uint64_t collected_ = 0;  // the newest batch that was made
  std::uint64_t committed_ = 0;  // the newest that is as safe as it has to be
  struct Uncertain {
    std::uint64_t number;
    std::unordered_set<std::uint64_t> keys;  // as hashes
    std::uint64_t floor;                     // of fences, behind it
  };
  std::deque<Uncertain> uncertain_;  // batches that are not
  std::uint64_t kept_floor_ = 0;     // behind the newest that is
  std::vector<ClientId> held_back_;  // have output that waits
  std::uint64_t synced_ = 0;         // the newest that survives a loss of power
  std::vector<ClientId> sync_waiters_;
  Instant next_sync_deadline_ = kNever;  // of one of them, or before it
  // Handed down to be filled, again and again.
  std::vector<state::WaiterAnswer> answers_;
  std::vector<state::ParkedAnswer> parked_answers_;
  std::vector<state::Grant> grants_;
  std::vector<journal::Request> requests_;
  std::vector<std::string_view> words_;
  std::vector<std::string_view> scripts_;
  std::vector<state::Happening> happened_;
  std::vector<ClientId> readers_;
  std::vector<commands::TrackedKeys::Broadcast> broadcasts_;
  std::vector<std::string_view> told_keys_;
};

}  // namespace fencepost::server
