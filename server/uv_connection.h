// One socket: bytes from it to the engine, the engine's output to it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <uv.h>

#include "base/ids.h"
#include "server/connection.h"

namespace fencepost::server {

class UvServer;

// Made by UvServer when a listener has somebody; deletes itself once its handle is closed.
class UvConnection {
 public:
  enum class Kind : std::uint8_t { tcp, pipe };

  UvConnection(UvServer& server, Kind kind);
  ~UvConnection();
  UvConnection(const UvConnection&) = delete;
  UvConnection& operator=(const UvConnection&) = delete;

  uv_stream_t* stream() { return &handle_.stream; }
  ClientId client() const { return client_; }

  // Takes the one that waits at the listener. False: it has gone already, and so will this object.
  bool accept(uv_stream_t* listener);
  // The same for one that was taken by hand; its socket is owned from now on.
  bool adopt(int socket);
  // From now on its bytes are `client`'s.
  void start(ClientId client);
  Peer peer() const;
  // Sends what there is to send, as far as the kernel takes it, and closes if that is wanted.
  void flush();
  // Reads again if it had stopped to and the engine takes more. True when it reads.
  bool read_on();
  // Its bytes are wanted now.
  bool is_heard() const;
  int descriptor() const;
  // Reads once without the loop, into a room that nobody else uses.
  void read_now(std::string& room);
  void close();

 private:
  // What the kernel did not take at once; one at a time.
  struct Rest {
    uv_write_t request{};
    std::vector<std::string> blocks;
    std::size_t block = 0;    // the first that was not written wholly
    std::size_t offset = 0;   // how far it was
    std::size_t in_work = 0;  // bytes handed to libuv
  };

  static void on_room(uv_handle_t* handle, std::size_t suggested, uv_buf_t* room);
  static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* bytes);
  static void on_written(uv_write_t* request, int status);

  void hear(std::string_view bytes);
  bool send(std::vector<std::string>& blocks);
  bool continue_rest();
  void advance_rest(std::size_t written);

  union Handle {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
  };

  UvServer& server_;
  Handle handle_{};
  std::unique_ptr<Rest> rest_;
  ClientId client_ = ClientId::nobody;
  Kind kind_;
  bool reading_ = false;
  bool closing_ = false;
};

}  // namespace fencepost::server
