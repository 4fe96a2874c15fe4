// Where the server listens, and how somebody is let in.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/words.h"
#include "server/uv_server.h"

namespace fencepost::server {

namespace {

std::string reason(int code) {
  return uv_strerror(code);
}

// "*" and "::*" mean every address of their family.
Result<sockaddr_storage> resolve_address(const std::string& name, int port) {
  sockaddr_storage address{};
  const std::string plain = name == "*" ? "0.0.0.0" : name == "::*" ? "::" : name;
  if (uv_ip4_addr(plain.c_str(), port, reinterpret_cast<sockaddr_in*>(&address)) == 0)
    return address;
  if (uv_ip6_addr(plain.c_str(), port, reinterpret_cast<sockaddr_in6*>(&address)) == 0)
    return address;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(plain.c_str(), fmt::format("{}", port).c_str(), &hints, &found);
  if (code != 0) return failure(gai_strerror(code));
  std::memcpy(&address, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return address;
}

// As Redis: an address with a '-' before it may be one that this host does not have.
bool is_unavailable(int code) {
  return code == UV_EADDRNOTAVAIL || code == UV_EAFNOSUPPORT || code == UV_EPROTONOSUPPORT ||
         code == UV_ENOTSUP;
}

// A socket file that nobody listens at was left behind by a server that did not end well.
bool is_abandoned_socket(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const bool answered =
      ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(probe);
  return !answered;
}

}  // namespace

Result<void> UvServer::listen() {
  const commands::SettingValues& values = engine_.process().settings.values;
  Result<void> tcp = listen_tcp_everywhere(values.port);
  if (!tcp) return tcp;
  if (!values.unix_socket.empty()) {
    if (Result<void> listening = listen_unix(); !listening) return listening;
  }
  if (!is_listening()) return failure("there is nowhere to listen: see port, bind and unixsocket");
  return {};
}

// New ports are opened before the old ones close, so that a port in use changes nothing.
Result<void> UvServer::listen_at(std::int64_t port) {
  const std::size_t before = listeners_.size();
  const Result<void> listening = listen_tcp_everywhere(port);
  if (!listening) say(LogLevel::warning, listening.error().what);
  for (std::size_t at = 0; at < listeners_.size(); ++at) {
    Listener& one = *listeners_[at];
    const bool is_new = at >= before;
    if (one.kind != UvConnection::Kind::tcp || is_new == listening.has_value()) continue;
    if (!uv_is_closing(&one.handle)) uv_close(&one.handle, nullptr);
  }
  if (!listening) return failure("Unable to listen on this port. Check server logs.");
  return {};
}

Result<void> UvServer::listen_tcp_everywhere(std::int64_t port) {
  if (port == 0) return {};
  std::vector<std::string> addresses;
  split_words(engine_.process().settings.values.bind, addresses);
  for (const std::string& address : addresses) {
    if (Result<void> listening = listen_tcp(address, port); !listening) return listening;
  }
  return {};
}

bool UvServer::is_listening() const {
  return std::any_of(listeners_.begin(), listeners_.end(),
                     [](const auto& listener) { return !uv_is_closing(&listener->handle); });
}

UvServer::Listener& UvServer::new_listener(UvConnection::Kind kind) {
  Listener& made = *listeners_.emplace_back(std::make_unique<Listener>());
  made.server = this;
  made.kind = kind;
  if (kind == UvConnection::Kind::tcp) {
    uv_tcp_init(&loop_, &made.tcp);
  } else {
    uv_pipe_init(&loop_, &made.pipe, 0);
  }
  made.handle.data = &made;
  return made;
}

Result<void> UvServer::listen_tcp(std::string_view address, std::int64_t port) {
  const commands::SettingValues& values = engine_.process().settings.values;
  const bool optional = address.starts_with('-');
  if (optional) address.remove_prefix(1);
  const std::string where = fmt::format("{} port {}", address, port);
  const Result<sockaddr_storage> found =
      resolve_address(std::string{address}, static_cast<int>(port));
  if (!found) return failure(fmt::format("cannot listen at {}: {}", where, found.error().what));
  Listener& listener = new_listener(UvConnection::Kind::tcp);
  // Else "::" would take the IPv4 port as well, and "0.0.0.0 ::" would be in its own way.
  const unsigned int flags = found->ss_family == AF_INET6 ? unsigned{UV_TCP_IPV6ONLY} : 0U;
  int code = uv_tcp_bind(&listener.tcp, reinterpret_cast<const sockaddr*>(&*found), flags);
  if (code == 0) {
    code = uv_listen(&listener.stream, static_cast<int>(values.tcp_backlog), &on_connection);
  }
  if (code == 0) {
    say(LogLevel::notice, fmt::format("Listening at {}.", where));
    return {};
  }
  uv_close(&listener.handle, nullptr);
  if (!optional || !is_unavailable(code)) {
    return failure(fmt::format("cannot listen at {}: {}", where, reason(code)));
  }
  say(LogLevel::verbose, fmt::format("Not listening at {}: {}.", where, reason(code)));
  return {};
}

Result<void> UvServer::listen_unix() {
  const commands::SettingValues& values = engine_.process().settings.values;
  const std::string& path = values.unix_socket;
  if (path.size() >= sizeof sockaddr_un{}.sun_path) {
    return failure(fmt::format("cannot listen at {}: the path is too long", path));
  }
  if (is_abandoned_socket(path)) ::unlink(path.c_str());
  Listener& listener = new_listener(UvConnection::Kind::pipe);
  int code = uv_pipe_bind(&listener.pipe, path.c_str());
  if (code == 0 && values.unix_socket_mode != 0 &&
      ::chmod(path.c_str(), static_cast<mode_t>(values.unix_socket_mode)) != 0) {
    code = uv_translate_sys_error(errno);
  }
  if (code == 0) {
    code = uv_listen(&listener.stream, static_cast<int>(values.tcp_backlog), &on_connection);
  }
  if (code != 0) return failure(fmt::format("cannot listen at {}: {}", path, reason(code)));
  say(LogLevel::notice, fmt::format("Listening at {}.", path));
  return {};
}

void UvServer::on_connection(uv_stream_t* stream, int status) {
  auto& listener = *static_cast<Listener*>(stream->data);
  if (status < 0) return listener.server->note_accept_failure(status);
  listener.server->let_in(listener);
}

// One that is turned away is closed at once, for with many of them its descriptor is needed.
void UvServer::let_in(Listener& listener) {
  auto* connection = new UvConnection{*this, listener.kind};
  if (!connection->accept(&listener.stream)) return connection->close();
  welcome(*connection);
}

void UvServer::welcome(UvConnection& connection) {
  const ClientId client = engine_.connect(connection.peer());
  connections_.emplace(client, &connection);
  connection.start(client);
  if (engine_.wants_close(client) != Closing::no) connection.flush();
}

// When no descriptor is left, libuv gives up the one it keeps in reserve to take in and close all
// who wait, so that the loop does not spin on them.
void UvServer::note_accept_failure(int status) {
  const Instant now = clock_.now().log;
  if (now < next_accept_warning_) return;
  next_accept_warning_ = saturating_add(now, Duration{1000});
  ++engine_.process().statistics.connections_rejected;
  say(LogLevel::warning, fmt::format("A client was not let in: {}.", reason(status)));
}

}  // namespace fencepost::server
