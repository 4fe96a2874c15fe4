// The loop around the engine: listeners, sockets, the one timer, signals.
//
// A turn of the loop: what came is handed to the engine; before the loop sleeps again, everything
// that is to be sent is sent, with one write for each connection (flush), and the timer is set for
// the engine's next deadline.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <uv.h>

#include "base/result.h"
#include "server/engine.h"
#include "server/floor_file.h"
#include "server/persistence.h"
#include "server/uv_background.h"
#include "server/uv_connection.h"

namespace fencepost::server {

class UvServer {
 public:
  // Clock and engine must outlive it.
  UvServer(Engine& engine, Clock& clock, Log log);
  ~UvServer();
  UvServer(const UvServer&) = delete;
  UvServer& operator=(const UvServer&) = delete;

  // What keeps the state on disk, from run() on; must outlive it.
  void use(Persistence& persistence) { persistence_ = &persistence; }
  // What keeps the floor of fences where there is no such thing.
  void use(FloorFile& floor) { floor_ = &floor; }
  // Listens where the engine's settings say: `bind` and `port`, `unixsocket`.
  Result<void> listen();
  // Until SIGTERM, SIGINT or SHUTDOWN. The ports close first; then waiters are told, output is
  // sent, sockets close. What the persistence has still to load is loaded meanwhile; a failure is
  // that of the journal.
  Result<void> run();

  // --- for its connections
  uv_loop_t* loop() { return &loop_; }
  Engine& engine() { return engine_; }
  unsigned int keep_alive_s() const;
  const std::string& unix_socket() const;
  // Where every read goes: the engine is done with it before the next one.
  uv_buf_t read_room() {
    return uv_buf_init(room_.data(), static_cast<unsigned int>(room_.size()));
  }
  // Emptied, for a flush.
  std::vector<std::string>& blocks() { return blocks_; }
  void forget(const UvConnection& connection);
  // It has stopped reading: it is asked each turn whether it can go on.
  void read_on_later(const UvConnection& connection) { unread_.push_back(connection.client()); }

 private:
  struct Listener {
    union {
      uv_handle_t handle;
      uv_stream_t stream;
      uv_tcp_t tcp;
      uv_pipe_t pipe;
    };
    UvServer* server = nullptr;
    UvConnection::Kind kind = UvConnection::Kind::tcp;
  };

  Result<void> listen_tcp(std::string_view address);
  Result<void> listen_unix();
  bool is_listening() const;
  Listener& new_listener(UvConnection::Kind kind);
  static void on_connection(uv_stream_t* stream, int status);
  void let_in(Listener& listener);
  void welcome(UvConnection& connection);
  void note_accept_failure(int status);

  // without the loop (uv_attend.cc)
  void attend();
  void accept_waiting(Listener& listener);
  void read_waiting();
  void flush_now();
  void end_for_shutdown();

  // SIGTERM and SIGINT (uv_signals.cc)
  void listen_for_signals();
  int take_signal() const;
  void obey_signal(int number);

  void load_on();
  void flush();
  void set_timer();
  void begin_shutdown(std::string_view why);
  void close_listeners();
  void close_everything();
  void say(LogLevel level, std::string_view line) const;

  Engine& engine_;
  Clock& clock_;
  Log log_;
  Persistence* persistence_ = nullptr;
  FloorFile* floor_ = nullptr;
  uv_loop_t loop_{};
  uv_prepare_t before_sleep_{};
  uv_idle_t go_on_{};
  uv_idle_t load_{};
  Result<void> outcome_;
  uv_timer_t timer_{};
  UvWorker worker_{&loop_};
  std::optional<UvBeat> beat_;  // from run() on, when a journal is kept
  uv_timer_t patience_{};       // how long a shutdown waits for clients that do not read
  uv_poll_t signals_{};
  int signal_descriptor_ = -1;
  int signal_ = 0;  // that came while a script ran
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::unordered_map<ClientId, UvConnection*>
      connections_;  // each deletes itself when its handle is closed
  std::vector<char> room_;
  std::vector<std::string> blocks_;
  std::vector<ClientId> dirty_;
  std::vector<ClientId> unread_;
  Instant timer_at_ = kNever;
  Instant next_accept_warning_{};
  bool stopping_ = false;
};

}  // namespace fencepost::server
