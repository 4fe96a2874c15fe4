// One run of a workload against one server.
#include "bench/load/run.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

namespace fencepost::load {

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::uint64_t ns_of(double seconds) {
  return static_cast<std::uint64_t>(seconds * 1e9);
}

// What both loops have: the connections, what each sends next, and the count.
class Loop {
 public:
  Loop(const ServerProcess& server, const Workload& workload, const Load& load)
      : server_{server}, load_{load} {
    const auto shas = load_scripts(server.port(), workload.scripts);
    clients_.reserve(load.connections);
    for (std::size_t at = 0; at < load.connections; ++at) {
      clients_.emplace_back(server.port());
      messages_.push_back(messages_of(workload, at, load.pipeline, shas));
      poller_.add(clients_.back().socket(), static_cast<std::uint32_t>(at));
    }
    steps_ = workload.steps.size();
    start_ns_ = now_ns();
    measure_at_ns_ = start_ns_ + ns_of(load.warm_up_seconds);
    end_at_ns_ = measure_at_ns_ + ns_of(load.seconds);
  }

 protected:
  void send(std::size_t client, std::size_t step) {
    Message& message = messages_[client][step];
    if (!message.random_at.empty()) vary(message, ++sent_);
    clients_[client].send(message.bytes);
  }

  void count(const Glance& reply) {
    if (reply.type == '-') ++measured_.errors;
    if (reply.is_nil) ++measured_.nils;
  }

  // Starts measuring when the warm-up is over; true when the time is up.
  bool is_over(std::uint64_t now) {
    if (!meter_ && now >= measure_at_ns_) {
      measured_ = Measured{};
      meter_.emplace(server_);
    }
    if (now < end_at_ns_) return false;
    if (!stopped_ && meter_) meter_->stop(measured_);
    stopped_ = true;
    return true;
  }

  const ServerProcess& server_;
  const Load load_;
  std::vector<Client> clients_;
  std::vector<std::vector<Message>> messages_;  // of each client
  Poller poller_;
  std::size_t steps_ = 1;
  std::uint64_t start_ns_ = 0;
  std::uint64_t measure_at_ns_ = 0;
  std::uint64_t end_at_ns_ = 0;
  std::uint64_t sent_ = 0;
  bool stopped_ = false;
  std::optional<Meter> meter_;
  Measured measured_;
};

class ClosedLoop : public Loop {
 public:
  using Loop::Loop;

  Measured run() {
    turns_.resize(clients_.size());
    for (std::size_t at = 0; at < clients_.size(); ++at) begin(at);
    while (active_ > 0) {
      const auto& readable = poller_.wait(kSecond);
      const bool over = is_over(now_ns());
      for (const std::uint32_t at : readable) read(at, over);
    }
    return measured_;
  }

 private:
  struct Turn {
    std::size_t step = 0;
    std::size_t awaited = 0;  // replies
    std::uint64_t began_ns = 0;
  };

  void begin(std::size_t at) {
    turns_[at].began_ns = now_ns();
    ++active_;
    send_step(at);
  }

  void send_step(std::size_t at) {
    turns_[at].awaited = messages_[at][turns_[at].step].replies;
    send(at, turns_[at].step);
  }

  void read(std::size_t at, bool over) {
    Turn& turn = turns_[at];
    clients_[at].receive([this, &turn](const Glance& reply) {
      count(reply);
      --turn.awaited;
    });
    if (turn.awaited > 0) return;
    if (++turn.step < messages_[at].size()) return send_step(at);
    turn.step = 0;
    const std::uint64_t now = now_ns();
    if (!stopped_) {
      measured_.latency_ns.add(now - turn.began_ns);
      measured_.operations += load_.pipeline;
    }
    if (over) {
      --active_;
      return;
    }
    turn.began_ns = now;
    send_step(at);
  }

  std::vector<Turn> turns_;
  std::size_t active_ = 0;
};

// Operations of one step only: what is due is sent, on the connections in turn.
class OpenLoop : public Loop {
 public:
  using Loop::Loop;

  Measured run() {
    if (steps_ != 1) throw Failed{"a fixed rate is for workloads of one step"};
    due_.resize(clients_.size());
    const double gap_ns = 1e9 * static_cast<double>(load_.pipeline) / load_.rate;
    std::uint64_t scheduled = 0;
    const auto due_at = [this, gap_ns](std::uint64_t n) {
      return start_ns_ + static_cast<std::uint64_t>(gap_ns * static_cast<double>(n));
    };
    for (std::uint64_t now = now_ns(); !is_over(now); now = now_ns()) {
      for (; due_at(scheduled) <= now; ++scheduled) {
        const std::size_t at = scheduled % clients_.size();
        due_[at].push_back({.at_ns = due_at(scheduled), .awaited = messages_[at][0].replies});
        send(at, 0);
      }
      const std::uint64_t next = due_at(scheduled);
      now = now_ns();
      for (const std::uint32_t at : poller_.wait(next > now ? next - now : 0)) read(at);
    }
    count_unanswered();
    return measured_;
  }

 private:
  struct Due {
    std::uint64_t at_ns;
    std::size_t awaited;
  };

  // What was due and is still not answered took at least so long.
  void count_unanswered() {
    const std::uint64_t now = now_ns();
    for (const auto& dues : due_)
      for (const Due& due : dues) measured_.latency_ns.add(now - due.at_ns);
  }

  void read(std::size_t at) {
    clients_[at].receive([this, at](const Glance& reply) {
      count(reply);
      Due& due = due_[at].front();
      if (--due.awaited > 0) return;
      measured_.latency_ns.add(now_ns() - due.at_ns);
      measured_.operations += load_.pipeline;
      due_[at].pop_front();
    });
  }

  std::vector<std::deque<Due>> due_;
};

}  // namespace

Meter::Meter(const ServerProcess& server)
    : server_{server},
      begin_ns_{now_ns()},
      server_cpu_{server.cpu_seconds()},
      machine_cpu_{machine_cpu_seconds()},
      own_cpu_{own_cpu_seconds()} {}

void Meter::stop(Measured& into) const {
  into.seconds = static_cast<double>(now_ns() - begin_ns_) / 1e9;
  into.server_cpu_seconds = server_.cpu_seconds() - server_cpu_;
  const double own = own_cpu_seconds() - own_cpu_;
  const double all = machine_cpu_seconds() - machine_cpu_;
  into.foreign_cpu_seconds = std::max(0.0, all - own - into.server_cpu_seconds);
}

Measured run(const ServerProcess& server, const Workload& workload, const Load& load) {
  return load.rate > 0 ? OpenLoop{server, workload, load}.run()
                       : ClosedLoop{server, workload, load}.run();
}

}  // namespace fencepost::load
