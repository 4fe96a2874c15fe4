// What goes on beside the requests, as the loop does it.
#include "server/uv_background.h"

#include <utility>

#include "base/check.h"

namespace fencepost::server {

void UvWorker::run(std::function<void()> work, std::function<void()> done) {
  check(!done_, "one piece of work at a time");
  work_ = std::move(work);
  done_ = std::move(done);
  request_.data = this;
  const int queued = uv_queue_work(
      loop_, &request_, [](uv_work_t* request) { static_cast<UvWorker*>(request->data)->work_(); },
      [](uv_work_t* request, int /*status*/) {
        auto& self = *static_cast<UvWorker*>(request->data);
        std::exchange(self.done_, nullptr)();
      });
  check(queued == 0, "work can be queued");
}

UvBeat::UvBeat(uv_loop_t* loop) {
  uv_timer_init(loop, &timer_);
}

// What a turn is for is done by whoever hooks into each of them.
void UvBeat::every(std::uint64_t ms) {
  if (uv_is_closing(reinterpret_cast<uv_handle_t*>(&timer_))) return;
  uv_timer_start(
      &timer_, [](uv_timer_t*) {}, ms, ms);
}

void UvBeat::close() {
  auto* handle = reinterpret_cast<uv_handle_t*>(&timer_);
  if (!uv_is_closing(handle)) uv_close(handle, nullptr);
}

}  // namespace fencepost::server
