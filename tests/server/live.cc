// A real fencepost process, and blocking clients of it over real sockets.
#include "live.h"

#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

namespace fencepost::server {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

int connected(int family, const void* address, std::size_t size) {
  const int made = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  if (connect(made, static_cast<const sockaddr*>(address), static_cast<socklen_t>(size)) == 0)
    return made;
  ::close(made);
  return -1;
}

std::vector<char*> as_argv(std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return argv;
}

// The new process runs the binary in that folder, with its output at `output`.
pid_t start(std::vector<std::string> words, const std::string& folder, int output,
            void (*before)()) {
  words.insert(words.begin(), FENCEPOST_BINARY);
  std::vector<char*> argv = as_argv(words);
  const pid_t process = fork();
  if (process != 0) return process;
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (chdir(folder.c_str()) != 0) _exit(127);
  if (before) before();
  execv(argv.front(), argv.data());
  _exit(127);
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string proc_text(pid_t process, std::string_view name) {
  std::ifstream file{"/proc/" + std::to_string(process) + "/" + std::string{name}};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

LiveClient LiveClient::tcp(int port, const std::string& host) {
  if (host.find(':') != std::string::npos) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET6, host.c_str(), &address.sin6_addr);
    return LiveClient{connected(AF_INET6, &address, sizeof address)};
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  return LiveClient{connected(AF_INET, &address, sizeof address)};
}

LiveClient LiveClient::unix_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return LiveClient{connected(AF_UNIX, &address, sizeof address)};
}

LiveClient::LiveClient(LiveClient&& other) noexcept
    : socket_{std::exchange(other.socket_, -1)}, input_{std::move(other.input_)} {}

LiveClient& LiveClient::operator=(LiveClient&& other) noexcept {
  close();
  socket_ = std::exchange(other.socket_, -1);
  input_ = std::move(other.input_);
  return *this;
}

LiveClient::~LiveClient() {
  close();
}

void LiveClient::close() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void LiveClient::finish_sending() {
  shutdown(socket_, SHUT_WR);
}

void LiveClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::size_t LiveClient::send_some(std::string_view bytes) {
  const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

std::string LiveClient::reply(milliseconds within) {
  const auto deadline = steady_clock::now() + within;
  while (true) {
    const auto status = parser_.parse(input_);
    if (status == resp::ReplyParser::Status::error)
      return "(not RESP: " + input_.substr(0, 40) + ")";
    if (status == resp::ReplyParser::Status::reply) {
      input_.erase(0, parser_.consumed());
      return to_text(parser_.reply());
    }
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
    pollfd ready{socket_, POLLIN, 0};
    if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) == 0)
      return "(silence)";
    std::array<char, 65536> piece;
    const ssize_t count = recv(socket_, piece.data(), piece.size(), 0);
    if (count <= 0) return "(closed)";
    input_.append(piece.data(), static_cast<std::size_t>(count));
  }
}

std::string LiveClient::ask(std::string_view line) {
  send(std::string{line} + "\r\n");
  return reply();
}

// Below those that the kernel gives to connections: one of them might take it before the server
// does.
int free_port() {
  std::random_device chance;
  std::uniform_int_distribution<std::uint16_t> ports{10'000, 32'767};
  for (;;) {
    const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(ports(chance));
    const bool is_free = bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(probe);
    if (is_free) return ntohs(address.sin_port);
  }
}

LiveServer::LiveServer(std::vector<std::string> flags, const std::string& config_file,
                       void (*before)())
    : port_{free_port()} {
  flags.insert(flags.begin(), {"--port", std::to_string(port_)});
  if (!config_file.empty()) flags.insert(flags.begin(), config_file);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  process_ = start(std::move(flags), folder_.directory(), nowhere, before);
  ::close(nowhere);
  const auto deadline = steady_clock::now() + std::chrono::seconds{10};
  while (steady_clock::now() < deadline) {
    if (client().is_connected()) return;
    std::this_thread::sleep_for(milliseconds{5});
  }
  ADD_FAILURE() << "the server does not come up";
}

LiveServer::~LiveServer() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void LiveServer::signal(int number) const {
  kill(process_, number);
}

int LiveServer::wait(milliseconds within) {
  const auto deadline = steady_clock::now() + within;
  int status = 0;
  while (waitpid(process_, &status, WNOHANG) == 0) {
    if (steady_clock::now() > deadline) return -1;
    std::this_thread::sleep_for(milliseconds{2});
  }
  process_ = -1;
  return exit_code_of(status);
}

std::size_t LiveServer::resident_bytes() const {
  const std::string text = proc_text(process_, "statm");
  const std::size_t pages = std::strtoull(text.c_str() + text.find(' '), nullptr, 10);
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

milliseconds LiveServer::processor_time() const {
  const std::string text = proc_text(process_, "stat");
  // Behind the name in parentheses: state, ten numbers, utime, stime.
  const char* at = text.c_str() + text.rfind(')') + 2;
  for (int field = 0; field < 11; ++field) at = std::strchr(at, ' ') + 1;
  char* end = nullptr;
  const long long user = std::strtoll(at, &end, 10);
  const long long system = std::strtoll(end, nullptr, 10);
  return milliseconds{(user + system) * 1000 / sysconf(_SC_CLK_TCK)};
}

Outcome run_to_end(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const Scratch folder;
  const pid_t process = start(words, folder.directory(), ends[1], nullptr);
  ::close(ends[1]);
  Outcome outcome;
  std::array<char, 4096> piece;
  for (ssize_t count = 0; (count = read(ends[0], piece.data(), piece.size())) > 0;) {
    outcome.output.append(piece.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  waitpid(process, &status, 0);
  outcome.exit_code = exit_code_of(status);
  return outcome;
}

Scratch::Scratch() {
  std::string pattern = std::filesystem::temp_directory_path() / "fencepost-XXXXXX";
  EXPECT_NE(mkdtemp(pattern.data()), nullptr);
  directory_ = pattern;
}

Scratch::~Scratch() {
  std::filesystem::remove_all(directory_);
}

}  // namespace fencepost::server
