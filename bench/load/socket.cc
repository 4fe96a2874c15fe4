// What the generator needs of the kernel: time, sockets to 127.0.0.1, and waiting for many of them
// at once.
#include "bench/load/socket.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <ctime>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace fencepost::load {

namespace {

int check_call(int result, const char* what) {
  if (result < 0) throw Failed{std::string{what} + ": " + std::generic_category().message(errno)};
  return result;
}

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int open_socket() {
  return check_call(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
}

}  // namespace

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

Socket::Socket(int port) : descriptor_{open_socket()} {
  const sockaddr_in address = loopback(port);
  const int one = 1;
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  check_call(connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address),
             "connect");
}

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

Socket::Socket(Socket&& other) noexcept : descriptor_{std::exchange(other.descriptor_, -1)} {}

void Socket::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) check_call(-1, "send");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string_view Socket::receive(std::span<char> room) const {
  while (true) {
    const ssize_t got = recv(descriptor_, room.data(), room.size(), 0);
    if (got > 0) return {room.data(), static_cast<std::size_t>(got)};
    if (got == 0) throw Failed{"the server closed a connection"};
    if (errno != EINTR) check_call(-1, "recv");
  }
}

Poller::Poller() : descriptor_{check_call(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")} {}

Poller::~Poller() {
  close(descriptor_);
}

void Poller::add(const Socket& socket, std::uint32_t id) const {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = id;
  check_call(epoll_ctl(descriptor_, EPOLL_CTL_ADD, socket.descriptor(), &event), "epoll_ctl");
}

const std::vector<std::uint32_t>& Poller::wait(std::uint64_t at_most_ns) {
  std::array<epoll_event, 512> events{};
  const timespec span{.tv_sec = static_cast<time_t>(at_most_ns / 1'000'000'000),
                      .tv_nsec = static_cast<long>(at_most_ns % 1'000'000'000)};
  const int count = epoll_pwait2(descriptor_, events.data(), events.size(), &span, nullptr);
  readable_.clear();
  for (int at = 0; at < count; ++at)
    readable_.push_back(events[static_cast<std::size_t>(at)].data.u32);
  return readable_;
}

int free_port() {
  const int descriptor = open_socket();
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  check_call(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size), "bind");
  check_call(getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  close(descriptor);
  return ntohs(address.sin_port);
}

void allow_many_descriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace fencepost::load
