// The two servers that are compared, started for the purpose and talked to over Unix sockets.
#include "tests/compat/servers.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fencepost::compat {

namespace {

constexpr int kPatienceMs = 20'000;  // the machine may be busy with other things

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) throw std::runtime_error("too long a path: " + path);
  std::copy(path.begin(), path.end(), std::begin(address.sun_path));
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) throw std::runtime_error("no socket");
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::string& log) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "oracle-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ServerProcess::ServerProcess(std::vector<std::string> arguments, std::string socket,
                             std::string log)
    : socket_{std::move(socket)} {
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ == 0) become(arguments, log);
  for (int waited_ms = 0; waited_ms < kPatienceMs; waited_ms += 10) {
    const int descriptor = connect_to(socket_);
    if (descriptor >= 0) {
      close(descriptor);
      return;
    }
    if (!alive()) break;
    usleep(10'000);
  }
  throw std::runtime_error(arguments[0] + " does not listen at " + socket_ + "; see " + log);
}

ServerProcess::~ServerProcess() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool ServerProcess::alive() {
  if (pid_ <= 0 || waitpid(pid_, nullptr, WNOHANG) == 0) return pid_ > 0;
  pid_ = -1;
  return false;
}

Connection::Connection(const std::string& socket) : descriptor_{connect_to(socket)} {
  if (descriptor_ < 0) throw std::runtime_error("nobody listens at " + socket);
}

Connection::~Connection() {
  close(descriptor_);
}

void Connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // closed: receive() will tell
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::optional<Answer> Connection::receive() {
  std::optional<Answer> answer = receive(kPatienceMs);
  if (!answer && problem_.empty()) problem_ = "silent";
  return answer;
}

std::optional<Answer> Connection::receive_now() {
  return receive(0);
}

std::optional<Answer> Connection::receive(int patience_ms) {
  using Status = resp::ReplyParser::Status;
  while (problem_.empty()) {
    const std::string_view rest = std::string_view{input_}.substr(at_);
    const Status status = parser_.parse(rest);
    if (status == Status::reply) {
      Answer answer{std::string{rest.substr(0, parser_.consumed())}, std::move(parser_.reply())};
      at_ += parser_.consumed();
      return answer;
    }
    if (status == Status::error) {
      problem_ = "malformed: " + std::string{rest.substr(0, 200)};
    } else if (!read_more(patience_ms)) {
      break;
    }
  }
  return std::nullopt;
}

std::string Connection::receive_through(std::string_view end) {
  while (problem_.empty() && !std::string_view{input_}.substr(at_).ends_with(end)) {
    read_more(kPatienceMs);
  }
  std::string all = input_.substr(at_);
  input_.clear();
  at_ = 0;
  return all;
}

bool Connection::read_more(int patience_ms) {
  input_.erase(0, at_);
  at_ = 0;
  pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
  if (poll(&waiting, 1, patience_ms) <= 0) return false;
  char buffer[64 * 1024];
  const ssize_t received = recv(descriptor_, buffer, sizeof(buffer), 0);
  if (received <= 0) {
    problem_ = input_.empty() ? "closed" : "closed within a reply: " + input_.substr(0, 200);
    return false;
  }
  input_.append(buffer, static_cast<std::size_t>(received));
  return true;
}

}  // namespace fencepost::compat
