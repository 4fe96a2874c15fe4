// Bytes become requests, one after the other, as far as a connection may go on.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/engine.h"

namespace fencepost::server {

namespace {

// More than this in one go, and the transport is asked to send first: a client that reads is not to
// be taken for one that does not.
constexpr std::size_t kFlushFirstBytes = 1024 * 1024;
// What is kept of the input of a client that does not read; the rest can wait in the kernel.
constexpr std::size_t kHeldOfTheDeaf = 1024 * 1024;
// From here on Redis reads a string into a buffer of its own (PROTO_MBULK_BIG_ARG).
constexpr std::size_t kLargeString = 32 * 1024;
// A parser that has read a request of more words than this is not kept for all others.
constexpr std::size_t kOrdinaryWords = 1024;
// Of a table of tracked keys that became too large at once, by CONFIG SET, not all is given up in
// one go.
constexpr std::size_t kEvictedPerTurn = 1000;

}  // namespace

void Engine::receive(ClientId client, std::string_view bytes) {
  Connection* connection = find(client);
  if (!connection || connection->closing != Closing::no || process_.shutdown_requested) return;
  if (is_busy()) return receive_while_busy(*connection, bytes);
  read_clock();
  stopwatch_us_ = clock_.stopwatch_us();
  pass_time();
  connection->session.last_active_at = now_.log;
  connection->session.total_input_bytes += bytes.size();
  process_.statistics.input_bytes += bytes.size();
  if (connection->unfinished) {
    connection->unfinished->append(bytes);
    weigh(*connection);
    evict_clients();  // before it runs what may be too large a request
    if (!connection->stopped()) go_on(*connection);
  } else {
    const std::size_t consumed = run(*connection, bytes, parser_);
    if (consumed < bytes.size()) {
      connection->keep(bytes.substr(consumed), std::exchange(parser_, {}));
    }
  }
  if (parser_.arguments().size() > kOrdinaryWords) parser_ = {};
  check_input_limit(*connection);
  weigh(*connection);
  evict_clients();
  finish_turn();
}

// The bytes that came earlier, from where they were left.
void Engine::go_on(Connection& connection) {
  if (!connection.unfinished) return;
  Unfinished& input = *connection.unfinished;
  input.at += run(connection, input.rest(), input.parser);
  connection.release_if_done();
}

// How many bytes of `input` are done with.
std::size_t Engine::run(Connection& connection, std::string_view input,
                        resp::RequestParser& parser) {
  std::size_t at = 0;
  while (at < input.size() && may_run_more(connection) && !process_.shutdown_requested) {
    const auto status = parser.parse(input.substr(at), limits_for(connection));
    if (status == resp::RequestParser::Status::error) {
      refuse_bytes(connection, parser.error());
      return input.size();
    }
    if (status == resp::RequestParser::Status::incomplete) return at + parser.consumed();
    const commands::Arguments arguments{parser.arguments()};
    if (handle(connection, arguments) == Outcome::postponed) {
      parser = {};  // it will be read again from its first byte
      return at;
    }
    at += parser.consumed();
    connection.output.seal_if_large();
    if (!leaving_.empty() || !departed_.empty()) let_go();
  }
  // Of a connection that is closing, as all are at a shutdown, nothing more is run, so nothing is
  // kept.
  const bool closes = connection.closing != Closing::no || process_.shutdown_requested;
  return closes ? input.size() : at;
}

// Not a limit on the single reply, which may be as large as a value: a client is asked to take what
// is there before it gets more. One that takes nothing at all is cut off (cut_off_the_stuck). The
// hard limit, if there is one, is another matter (check_output).
bool Engine::may_run_more(Connection& connection) {
  if (connection.stopped()) return false;
  const std::size_t unread = connection.unread_bytes();
  if (unread <= std::max(connection.may_grow_to, kFlushFirstBytes)) {
    connection.flush_tried = false;
    return true;
  }
  if (!std::exchange(connection.flush_tried, false)) {
    connection.pausing = Connection::Pausing::flush;
    mark_dirty(connection);
    return false;
  }
  if (unread <= most_unread()) return true;
  connection.pausing = Connection::Pausing::drain;
  watch_progress(connection);
  return false;
}

// Something was sent, or the attempt was made.
void Engine::resume_after_write(Connection& connection, bool progress) {
  const bool leaves = connection.closing == Closing::when_written;
  if (leaves && !connection.watched && connection.output.pending() > 0) watch_progress(connection);
  if (progress && connection.watched) connection.progress_at = clock_.now().log;
  switch (connection.pausing) {
    case Connection::Pausing::flush:
      connection.flush_tried = true;
      break;
    case Connection::Pausing::drain:
      if (connection.unread_bytes() > most_unread()) return;
      break;
    case Connection::Pausing::none:
    case Connection::Pausing::entry:
    case Connection::Pausing::pause:
      return;
  }
  // Some more may be produced before the next attempt: one for every request would be many turns.
  const std::size_t more = connection.unread_bytes() + kFlushFirstBytes;
  connection.may_grow_to = std::min(more, most_unread());
  connection.pausing = Connection::Pausing::none;
  resumed_.push_back(connection.session.id);
}

// Of a client that does not take its replies, little input is kept: the rest stays with the kernel.
// One that is to go once its last reply is written is not heard any more: nobody would run it.
bool Engine::wants_input(ClientId client) const {
  if (is_busy() && client == script_client_) return false;
  const Connection* connection = find(client);
  if (!connection) return true;
  if (connection->closing != Closing::no) return false;
  return connection->unread_bytes() <= kFlushFirstBytes ||
         connection->held_bytes() <= kHeldOfTheDeaf;
}

// As Redis tells it: a large string that is coming in counts with the length that was announced,
// and what stands before it is not part of qbuf.
void Engine::note_input(Connection& connection) {
  commands::Session& session = connection.session;
  session.input_bytes = connection.held_bytes();
  session.argument_bytes = session.awaited_bytes = 0;
  if (!connection.unfinished) return;
  const resp::RequestParser& parser = connection.unfinished->parser;
  const auto missing = static_cast<std::size_t>(parser.missing_bytes());
  if (missing == 0 || parser.string_begins_at() > session.input_bytes) return;
  if (session.input_bytes - parser.string_begins_at() + missing < kLargeString) return;
  session.argument_bytes = parser.string_begins_at();
  session.awaited_bytes = missing;
  session.input_bytes -= session.argument_bytes;
}

void Engine::check_input_limit(Connection& connection) {
  const std::size_t held = connection.held_bytes();
  note_input(connection);
  const std::int64_t limit = process_.settings.values.query_buffer_limit_bytes;
  if (limit <= 0 || std::cmp_less_equal(held, limit)) return;
  ++process_.statistics.query_limit_disconnections;
  cut_off(connection, "more input than client-query-buffer-limit is waiting to be run");
}

bool Engine::needs_login(const commands::Session& session) const {
  return !session.logged_in && !process_.settings.values.password.empty();
}

resp::RequestLimits Engine::limits_for(const Connection& connection) const {
  return {.max_bulk_bytes = process_.settings.values.max_bulk_bytes,
          .logged_in = !needs_login(connection.session)};
}

void Engine::refuse_bytes(Connection& connection, std::string_view why) {
  if (log_) log_(LogLevel::verbose, fmt::format("Client {}: {}", connection.label(), why));
  reject(connection, {}, fmt::format("ERR {}", why));
  close(connection, Closing::when_written);
}

// What this turn has made possible: grants that nobody can be told of go to the next in line;
// connections that waited go on, one after the other. Neither calls the other, so that a long line
// is a loop and not a deep stack.
void Engine::finish_turn() {
  end_pause_if_over();
  for (std::size_t next = 0;; ++next) {
    let_go();
    undo_undeliverable();
    if (next >= resumed_.size()) break;
    Connection* connection = find(resumed_[next]);
    if (connection && !connection->stopped()) go_on(*connection);
  }
  resumed_.clear();
  broadcast();
  evict_tracked_keys(kEvictedPerTurn);
}

}  // namespace fencepost::server
