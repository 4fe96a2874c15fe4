// Others are heard while a script runs, within one turn of the loop. A libuv loop may not be run
// from within one of its own callbacks, and that is where the script is: so sockets are looked at
// by hand. What libuv was told of them stays true, for it asks the kernel again each time.
#include <cstdlib>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "server/uv_server.h"

namespace fencepost::server {

namespace {

constexpr std::size_t kReadBytes = 16 * 1024;
constexpr int kNewcomersAtOnce = 64;

pollfd readable(int descriptor) {
  return {.fd = descriptor, .events = POLLIN, .revents = 0};
}

}  // namespace

void UvServer::attend() {
  for (const auto& listener : listeners_) {
    if (!uv_is_closing(&listener->handle)) accept_waiting(*listener);
  }
  read_waiting();
  flush_now();
  if (engine_.shutdown_requested()) end_for_shutdown();
  if (signal_ == 0) signal_ = take_signal();
  // A script that has written is waited for: it has a limit.
  commands::SlowScript& script = engine_.process().slow_script;
  if (signal_ != 0 && !script.wrote) script.killed = true;
}

// Until nobody is left in the line, or the process has no descriptor for one more: the loop will
// say so.
void UvServer::accept_waiting(Listener& listener) {
  uv_os_fd_t descriptor = -1;
  uv_fileno(&listener.handle, &descriptor);
  for (int taken = 0; taken < kNewcomersAtOnce; ++taken) {
    const int socket = accept4(descriptor, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    auto* connection = new UvConnection{*this, listener.kind};
    if (!connection->adopt(socket)) {
      connection->close();
    } else {
      welcome(*connection);
    }
  }
}

// Connections stay where they are until the loop has closed their handles, so pointers to them
// hold.
void UvServer::read_waiting() {
  std::vector<pollfd> sockets;
  std::vector<UvConnection*> heard;
  for (const auto& [client, connection] : connections_) {
    if (!connection->is_heard()) continue;
    sockets.push_back(readable(connection->descriptor()));
    heard.push_back(connection);
  }
  if (poll(sockets.data(), sockets.size(), 0) <= 0) return;
  std::string room(kReadBytes, '\0');
  for (std::size_t at = 0; at < heard.size(); ++at) {
    if (sockets[at].revents != 0 && heard[at]->is_heard()) heard[at]->read_now(room);
  }
}

// As flush(), whose lists may be in use at this moment.
void UvServer::flush_now() {
  std::vector<ClientId> dirty;
  std::vector<std::string> blocks;
  blocks_.swap(blocks);
  engine_.take_dirty(dirty);
  for (const ClientId client : dirty) {
    const auto at = connections_.find(client);
    if (at != connections_.end()) at->second->flush();
  }
  blocks_.swap(blocks);
}

// A script that has changed nothing is ended, and everything then ends in order. One that has
// cannot be waited for, so there is no order to keep: as after a crash, clients see their
// connections close.
void UvServer::end_for_shutdown() {
  commands::SlowScript& script = engine_.process().slow_script;
  script.killed = true;
  if (!script.wrote) return;
  say(LogLevel::warning, "SHUTDOWN NOSAVE while a script runs that has written: ending at once.");
  const std::string& path = unix_socket();
  if (!path.empty()) ::unlink(path.c_str());
  std::_Exit(EXIT_SUCCESS);
}

}  // namespace fencepost::server
