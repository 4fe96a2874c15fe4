// The loop around the engine: listeners, sockets, the one timer, signals.
#include "server/uv_server.h"

#include <algorithm>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace fencepost::server {

namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
// The loop's clock stands still while the machine sleeps; leases do not. So it looks again at least
// this often.
constexpr Duration kLongestSleep{1000};
// Others are heard between two of these.
constexpr std::int64_t kLoadSliceUs = 2000;
constexpr std::uint64_t kShutdownPatienceMs = 2000;
// Said once everybody is served. As Redis says it, for there are those who wait for this line.
constexpr std::string_view kReadyLine = "Ready to accept connections.";

template <typename Handle>
uv_handle_t* as_handle(Handle& handle) {
  return reinterpret_cast<uv_handle_t*>(&handle);
}

}  // namespace

UvServer::UvServer(Engine& engine, Clock& clock, Log log)
    : engine_{engine}, clock_{clock}, log_{std::move(log)}, room_(kReadBytes) {
  check(uv_loop_init(&loop_) == 0, "a loop can be made");
  uv_prepare_init(&loop_, &before_sleep_);
  uv_idle_init(&loop_, &go_on_);
  uv_idle_init(&loop_, &load_);
  uv_timer_init(&loop_, &timer_);
  uv_timer_init(&loop_, &patience_);
  for (uv_handle_t* handle : {as_handle(before_sleep_), as_handle(go_on_), as_handle(load_),
                              as_handle(timer_), as_handle(patience_)}) {
    handle->data = this;
  }
  listen_for_signals();
  engine_.process().while_busy = [this] { attend(); };
}

UvServer::~UvServer() {
  engine_.process().while_busy = nullptr;
  close_everything();
  uv_run(&loop_, UV_RUN_DEFAULT);
  uv_loop_close(&loop_);
  ::close(signal_descriptor_);
}

Result<void> UvServer::run() {
  if (floor_ != nullptr) floor_->attach(worker_);
  if (persistence_ != nullptr) {
    persistence_->attach(worker_, beat_.emplace(&loop_));
    uv_idle_start(&load_,
                  [](uv_idle_t* handle) { static_cast<UvServer*>(handle->data)->load_on(); });
  } else {
    say(LogLevel::notice, kReadyLine);
  }
  uv_prepare_start(&before_sleep_, [](uv_prepare_t* handle) {
    auto& self = *static_cast<UvServer*>(handle->data);
    self.flush();
    self.set_timer();
  });
  uv_poll_start(&signals_, UV_READABLE, [](uv_poll_t* handle, int /*status*/, int /*events*/) {
    auto& self = *static_cast<UvServer*>(handle->data);
    self.obey_signal(self.take_signal());
  });
  uv_run(&loop_, UV_RUN_DEFAULT);
  return outcome_;
}

void UvServer::load_on() {
  if (persistence_->is_loading()) {
    const Result<bool> more = persistence_->load_on(kLoadSliceUs);
    if (more && *more) return;
    if (!more) {
      outcome_ = tl::unexpected{more.error()};
      return close_everything();
    }
  }
  uv_idle_stop(&load_);
  say(LogLevel::notice, kReadyLine);
}

void UvServer::flush() {
  if (signal_ != 0) obey_signal(std::exchange(signal_, 0));
  if (engine_.shutdown_requested()) begin_shutdown("SHUTDOWN was asked for");
  if (persistence_ != nullptr) persistence_->commit();
  if (floor_ != nullptr) floor_->commit();
  for (engine_.take_dirty(dirty_); !dirty_.empty(); engine_.take_dirty(dirty_)) {
    for (const ClientId client : dirty_) {
      const auto at = connections_.find(client);
      if (at != connections_.end()) at->second->flush();
    }
  }
  std::erase_if(unread_, [this](ClientId client) {
    const auto at = connections_.find(client);
    return at == connections_.end() || at->second->read_on();
  });
  if (stopping_ && connections_.empty()) close_everything();
}

// The timer is touched only when it would ring too late, so that a busy server never touches it.
void UvServer::set_timer() {
  if (stopping_) return;
  if (engine_.has_more_to_do()) {
    uv_idle_start(&go_on_, [](uv_idle_t* handle) {
      uv_idle_stop(handle);
      static_cast<UvServer*>(handle->data)->engine_.tick();
    });
  }
  const Instant next = engine_.next_deadline();
  if (next >= timer_at_) return;
  const Duration left = std::clamp(next - clock_.now().log, Duration{0}, kLongestSleep);
  timer_at_ = next;
  uv_update_time(&loop_);
  uv_timer_start(
      &timer_,
      [](uv_timer_t* handle) {
        auto& self = *static_cast<UvServer*>(handle->data);
        self.timer_at_ = kNever;
        self.engine_.tick();
      },
      static_cast<std::uint64_t>(left.count()), 0);
}

unsigned int UvServer::keep_alive_s() const {
  return static_cast<unsigned int>(
      std::clamp<std::int64_t>(engine_.process().settings.values.tcp_keepalive_s, 0, 86'400));
}

const std::string& UvServer::unix_socket() const {
  return engine_.process().settings.values.unix_socket;
}

void UvServer::forget(const UvConnection& connection) {
  if (connections_.erase(connection.client()) > 0) engine_.disconnected(connection.client());
}

// Nobody new comes in; those who wait are told; whoever has read what was for him is closed. A
// second signal, or two seconds, end it for the rest.
void UvServer::begin_shutdown(std::string_view why) {
  if (std::exchange(stopping_, true)) {
    if (!engine_.shutdown_requested()) close_everything();
    return;
  }
  say(LogLevel::warning, fmt::format("{}: shutting down.", why));
  engine_.process().shutdown_requested = false;
  close_listeners();
  uv_timer_stop(&timer_);
  uv_idle_stop(&go_on_);
  uv_idle_stop(&load_);
  engine_.begin_shutdown();
  uv_timer_start(
      &patience_,
      [](uv_timer_t* handle) { static_cast<UvServer*>(handle->data)->close_everything(); },
      kShutdownPatienceMs, 0);
}

void UvServer::close_listeners() {
  for (const auto& listener : listeners_) {
    if (!uv_is_closing(&listener->handle)) uv_close(&listener->handle, nullptr);
  }
}

void UvServer::close_everything() {
  stopping_ = true;
  const auto connections = connections_;
  for (const auto& [client, connection] : connections) connection->close();
  close_listeners();
  if (beat_) beat_->close();
  for (uv_handle_t* handle : {as_handle(before_sleep_), as_handle(go_on_), as_handle(load_),
                              as_handle(timer_), as_handle(patience_), as_handle(signals_)}) {
    if (!uv_is_closing(handle)) uv_close(handle, nullptr);
  }
}

void UvServer::say(LogLevel level, std::string_view line) const {
  if (log_) log_(level, line);
}

}  // namespace fencepost::server
