// What goes on beside the requests, as the loop does it.
#pragma once

#include <cstdint>
#include <functional>

#include <uv.h>

#include "server/background.h"

namespace fencepost::server {

// On libuv's own threads. What runs when it goes is to be waited for by running the loop on.
class UvWorker final : public Worker {
 public:
  explicit UvWorker(uv_loop_t* loop) : loop_{loop} {}
  void run(std::function<void()> work, std::function<void()> done) override;

 private:
  uv_loop_t* loop_;
  uv_work_t request_{};
  std::function<void()> work_;
  std::function<void()> done_;
};

// To be closed before the loop is.
class UvBeat final : public Beat {
 public:
  explicit UvBeat(uv_loop_t* loop);
  void every(std::uint64_t ms) override;  // nothing, once it is closed
  void close();

 private:
  uv_timer_t timer_{};
};

}  // namespace fencepost::server
