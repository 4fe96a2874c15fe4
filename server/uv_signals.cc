// SIGTERM and SIGINT: they wait in a descriptor, so that they are seen by the loop, and by a script
// that keeps the loop from running.
#include <csignal>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/check.h"
#include "server/uv_server.h"

namespace fencepost::server {

void UvServer::listen_for_signals() {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGTERM);
  sigaddset(&wanted, SIGINT);
  pthread_sigmask(SIG_BLOCK, &wanted, nullptr);
  signal_descriptor_ = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
  check(signal_descriptor_ >= 0, "signals can be waited for");
  check(uv_poll_init(&loop_, &signals_, signal_descriptor_) == 0, "and by the loop");
  signals_.data = this;
}

// The next one that came; 0 for none.
int UvServer::take_signal() const {
  signalfd_siginfo told{};
  if (::read(signal_descriptor_, &told, sizeof told) != sizeof told) return 0;
  return static_cast<int>(told.ssi_signo);
}

void UvServer::obey_signal(int number) {
  if (number == 0) return;
  begin_shutdown(number == SIGTERM ? "SIGTERM was received" : "SIGINT was received");
}

}  // namespace fencepost::server
