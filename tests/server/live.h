// A real fencepost process, and blocking clients of it over real sockets.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "resp/reply_parser.h"

namespace fencepost::server {

// A blocking client that reads RESP2 and RESP3 and shows replies as text: [1, "a", (nil)].
class LiveClient {
 public:
  static LiveClient tcp(int port, const std::string& host = "127.0.0.1");
  static LiveClient unix_socket(const std::string& path);
  LiveClient(LiveClient&& other) noexcept;
  LiveClient& operator=(LiveClient&& other) noexcept;
  ~LiveClient();

  bool is_connected() const { return socket_ >= 0; }
  void send(std::string_view bytes);
  // The same as far as the socket takes it without waiting; how many bytes it took.
  std::size_t send_some(std::string_view bytes);
  // The next reply; "(closed)" when the server has closed, "(silence)" when none came within the
  // time.
  std::string reply(std::chrono::milliseconds within = std::chrono::seconds{10});
  std::string ask(std::string_view line);
  // Says that no more requests will come, and still reads.
  void finish_sending();
  void close();

 private:
  explicit LiveClient(int socket) : socket_{socket} {}

  int socket_ = -1;
  std::string input_;
  resp::ReplyParser parser_;
};

// A directory of this test's own, removed at its end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& directory() const { return directory_; }
  std::string path(std::string_view name) const { return directory_ + "/" + std::string{name}; }

 private:
  std::string directory_;
};

class LiveServer {
 public:
  // Starts the binary at a free port, in a folder of its own, and waits until it is ready. `before`
  // runs in the new process first (limits).
  explicit LiveServer(std::vector<std::string> flags = {}, const std::string& config_file = "",
                      void (*before)() = nullptr);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  int port() const { return port_; }
  LiveClient client() const { return LiveClient::tcp(port_); }
  void signal(int number) const;
  // Its exit code, or 128 + the signal that ended it; -1 when it is still there after that time.
  int wait(std::chrono::milliseconds within = std::chrono::seconds{10});
  std::size_t resident_bytes() const;
  // Time on the processor so far.
  std::chrono::milliseconds processor_time() const;

 private:
  Scratch folder_;
  pid_t process_ = -1;
  int port_ = 0;
};

// What a start ends with that is not to succeed.
struct Outcome {
  int exit_code = -1;
  std::string output;  // standard output and error
};
Outcome run_to_end(const std::vector<std::string>& words);

int free_port();
// Memory figures mean nothing under a sanitizer.
constexpr bool kSanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

}  // namespace fencepost::server
