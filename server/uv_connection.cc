// One socket: bytes from it to the engine, the engine's output to it.
#include "server/uv_connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "server/uv_server.h"

namespace fencepost::server {

namespace {

constexpr std::size_t kBlocksPerWrite = 64;
// libuv tells of a write when all of it is done; pieces this large show that somebody reads.
constexpr std::size_t kBytesPerRest = 256 * 1024;

uv_buf_t as_buffer(std::string& block, std::size_t offset, std::size_t most) {
  const std::size_t size = std::min(block.size() - offset, most);
  return uv_buf_init(block.data() + offset, static_cast<unsigned int>(size));
}

std::string address_text(const sockaddr_storage& address) {
  std::array<char, 64> name{};
  if (address.ss_family == AF_INET6) {
    const auto* ip6 = reinterpret_cast<const sockaddr_in6*>(&address);
    uv_ip6_name(ip6, name.data(), name.size());
    return fmt::format("[{}]:{}", name.data(), ntohs(ip6->sin6_port));
  }
  const auto* ip4 = reinterpret_cast<const sockaddr_in*>(&address);
  uv_ip4_name(ip4, name.data(), name.size());
  return fmt::format("{}:{}", name.data(), ntohs(ip4->sin_port));
}

bool is_loopback(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto* ip4 = reinterpret_cast<const sockaddr_in*>(&address);
    return (ntohl(ip4->sin_addr.s_addr) >> 24) == 127;
  }
  const auto* ip6 = reinterpret_cast<const sockaddr_in6*>(&address);
  return IN6_IS_ADDR_LOOPBACK(&ip6->sin6_addr);
}

// As Redis: three probes, a third of the interval apart.
void keep_alive(uv_tcp_t& tcp, int descriptor, unsigned int every_s) {
  if (every_s == 0) return;
  uv_tcp_keepalive(&tcp, 1, every_s);
  const int between_s = std::max(1, static_cast<int>(every_s) / 3);
  const int probes = 3;
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &between_s, sizeof between_s);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

}  // namespace

UvConnection::UvConnection(UvServer& server, Kind kind) : server_{server}, kind_{kind} {
  if (kind == Kind::tcp) {
    uv_tcp_init(server.loop(), &handle_.tcp);
  } else {
    uv_pipe_init(server.loop(), &handle_.pipe, 0);
  }
  handle_.handle.data = this;
}

UvConnection::~UvConnection() = default;

bool UvConnection::accept(uv_stream_t* listener) {
  return uv_accept(listener, stream()) == 0;
}

bool UvConnection::adopt(int socket) {
  const int code =
      kind_ == Kind::tcp ? uv_tcp_open(&handle_.tcp, socket) : uv_pipe_open(&handle_.pipe, socket);
  if (code != 0) ::close(socket);
  return code == 0;
}

void UvConnection::start(ClientId client) {
  client_ = client;
  if (kind_ == Kind::tcp) {
    uv_tcp_nodelay(&handle_.tcp, 1);
    keep_alive(handle_.tcp, descriptor(), server_.keep_alive_s());
  }
  read_on();
}

bool UvConnection::read_on() {
  if (!reading_ && !closing_ && server_.engine().wants_input(client_)) {
    reading_ = uv_read_start(stream(), &on_room, &on_read) == 0;
  }
  return reading_;
}

bool UvConnection::is_heard() const {
  return reading_ && !closing_ && server_.engine().wants_input(client_);
}

int UvConnection::descriptor() const {
  uv_os_fd_t descriptor = -1;
  uv_fileno(&handle_.handle, &descriptor);
  return descriptor;
}

void UvConnection::read_now(std::string& room) {
  const ssize_t count = ::read(descriptor(), room.data(), room.size());
  if (count > 0) return hear(std::string_view{room}.substr(0, static_cast<std::size_t>(count)));
  const bool later = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  if (!later) close();
}

Peer UvConnection::peer() const {
  Peer peer;
  peer.descriptor = descriptor();
  if (kind_ == Kind::pipe) {
    peer.address = fmt::format("{}:0", server_.unix_socket());
    peer.local_address = peer.address;
    return peer;
  }
  sockaddr_storage address{};
  int size = sizeof address;
  if (uv_tcp_getpeername(&handle_.tcp, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    peer.address = address_text(address);
    peer.local = is_loopback(address);
  }
  size = sizeof address;
  if (uv_tcp_getsockname(&handle_.tcp, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    peer.local_address = address_text(address);
  }
  return peer;
}

void UvConnection::close() {
  if (std::exchange(closing_, true)) return;
  server_.forget(*this);
  uv_close(&handle_.handle,
           [](uv_handle_t* handle) { delete static_cast<UvConnection*>(handle->data); });
}

void UvConnection::on_room(uv_handle_t* handle, std::size_t /*suggested*/, uv_buf_t* room) {
  *room = static_cast<UvConnection*>(handle->data)->server_.read_room();
}

void UvConnection::on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* bytes) {
  auto& self = *static_cast<UvConnection*>(stream->data);
  if (count < 0) return self.close();
  if (count == 0) return;
  self.hear({bytes->base, static_cast<std::size_t>(count)});
}

void UvConnection::hear(std::string_view bytes) {
  Engine& engine = server_.engine();
  engine.receive(client_, bytes);
  if (closing_ || engine.wants_input(client_)) return;
  uv_read_stop(stream());
  reading_ = false;
  server_.read_on_later(*this);
}

void UvConnection::flush() {
  if (closing_) return;
  Engine& engine = server_.engine();
  const Closing wanted = engine.wants_close(client_);
  if (wanted == Closing::now) return close();
  if (rest_) return engine.output_written(client_, 0);
  std::vector<std::string>& blocks = server_.blocks();
  // All connections share it: what the last one left there when its socket broke is not this one's.
  blocks.clear();
  engine.take_output(client_, blocks);
  if (!blocks.empty() && !send(blocks)) return close();
  blocks.clear();
  if (wanted == Closing::when_written && !rest_) close();
}

// One attempt for all of it. False: the socket is broken.
bool UvConnection::send(std::vector<std::string>& blocks) {
  std::array<uv_buf_t, kBlocksPerWrite> buffers;
  const std::size_t count = std::min(blocks.size(), buffers.size());
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    buffers[i] = as_buffer(blocks[i], 0, SIZE_MAX);
    total += blocks[i].size();
  }
  const int sent = uv_try_write(stream(), buffers.data(), static_cast<unsigned int>(count));
  if (sent < 0 && sent != UV_EAGAIN) return false;
  const auto written = static_cast<std::size_t>(std::max(sent, 0));
  if (written == total && count == blocks.size()) {
    for (std::string& block : blocks) server_.engine().give_back(std::move(block));
  } else {
    rest_ = std::make_unique<Rest>();
    rest_->blocks = std::exchange(blocks, {});
    rest_->request.data = this;
    advance_rest(written);
  }
  server_.engine().output_written(client_, written);
  return !rest_ || continue_rest();
}

bool UvConnection::continue_rest() {
  std::array<uv_buf_t, kBlocksPerWrite> buffers;
  std::size_t count = 0;
  rest_->in_work = 0;
  for (std::size_t i = rest_->block; i < rest_->blocks.size() && count < buffers.size(); ++i) {
    if (rest_->in_work >= kBytesPerRest) break;
    const std::size_t offset = i == rest_->block ? rest_->offset : 0;
    buffers[count] = as_buffer(rest_->blocks[i], offset, kBytesPerRest - rest_->in_work);
    rest_->in_work += buffers[count++].len;
  }
  return uv_write(&rest_->request, stream(), buffers.data(), static_cast<unsigned int>(count),
                  &on_written) == 0;
}

void UvConnection::advance_rest(std::size_t written) {
  rest_->offset += written;
  while (rest_->block < rest_->blocks.size() &&
         rest_->offset >= rest_->blocks[rest_->block].size()) {
    std::string& done = rest_->blocks[rest_->block++];
    rest_->offset -= done.size();
    server_.engine().give_back(std::exchange(done, {}));
  }
}

void UvConnection::on_written(uv_write_t* request, int status) {
  auto& self = *static_cast<UvConnection*>(request->data);
  if (self.closing_) return;
  if (status < 0) return self.close();
  const std::size_t written = self.rest_->in_work;
  self.advance_rest(written);
  const bool done = self.rest_->block == self.rest_->blocks.size();
  if (done) self.rest_.reset();
  self.server_.engine().output_written(self.client_, written);
  if (!done) {
    if (!self.continue_rest()) self.close();
    return;
  }
  self.flush();
}

}  // namespace fencepost::server
