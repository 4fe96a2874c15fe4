// The two servers that are compared, started for the purpose and talked to over Unix sockets.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "resp/reply_parser.h"

namespace fencepost::compat {

// A folder that is removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A child process that listens at a socket; ended with its owner.
class ServerProcess {
 public:
  // `arguments` begin with the program. Returns once the socket answers; throws std::runtime_error
  // otherwise.
  ServerProcess(std::vector<std::string> arguments, std::string socket, std::string log);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  const std::string& socket() const { return socket_; }
  // It is still there.
  bool alive();

 private:
  pid_t pid_ = -1;
  std::string socket_;
};

// One reply, as bytes and taken apart.
struct Answer {
  std::string bytes;
  resp::Reply reply;
};

// A blocking connection. Replies are waited for a while, then given up.
class Connection {
 public:
  explicit Connection(const std::string& socket);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::string_view bytes);
  // Null when the connection was closed, nothing came for long, or what came is no reply: problem()
  // says which.
  std::optional<Answer> receive();
  // All bytes up to and with the first `end` behind which nothing has come yet; what there is when
  // it does not come: problem() says why.
  std::string receive_through(std::string_view end);
  // What is there already; null, and no problem, when that is no whole reply.
  std::optional<Answer> receive_now();
  // "closed", "silent", "malformed: ..."; empty while all is well.
  const std::string& problem() const { return problem_; }

 private:
  std::optional<Answer> receive(int patience_ms);
  bool read_more(int patience_ms);

  int descriptor_;
  std::string input_;
  std::size_t at_ = 0;
  std::string problem_;
  resp::ReplyParser parser_;
};

}  // namespace fencepost::compat
