// How long it takes from one holder's release to the next one's grant, by the way the waiters wait.
#include "bench/load/hand_over.h"

#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "base/random.h"
#include "bench/load/client.h"
#include "bench/load/run.h"
#include "bench/load/workload.h"

namespace fencepost::load {

namespace {

using Waits = Strategy::Waits;
constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint64_t kStuck = 30'000 * kMs;

// One who wants the key: its place in the round, and its connections.
struct Contender {
  enum class Place : std::uint8_t { asking, popping, listening, pausing, holding, releasing, done };

  explicit Contender(int port) : client{port} {}

  Client client;
  std::optional<Client> subscription;
  std::string lock;
  std::string release;
  std::string wait;
  Place place = Place::done;
  bool heard_meanwhile = false;  // a message came while the lock command was on its way
  std::uint64_t released_ns = 0;
};
using Place = Contender::Place;

class Contest {
 public:
  Contest(const ServerProcess& server, const Strategy& strategy, std::size_t waiters,
          std::uint64_t hold_ns)
      : strategy_{strategy}, hold_ns_{hold_ns} {
    const auto shas = load_scripts(server.port(), strategy.scripts);
    contenders_.reserve(waiters);
    for (std::size_t at = 0; at < waiters; ++at) add(server.port(), at, shas);
  }

  void run(std::uint64_t end_ns) {
    begin_round();
    while (!over_) {
      wake_due();
      for (const std::uint32_t id : poller_.wait(until_due())) read(id, end_ns);
      if (now_ns() > end_ns + kStuck) throw Failed{"a hand-over is stuck: " + strategy_.name};
    }
  }

  HandOvers& result() { return result_; }

 private:
  // Sockets are known to the poller by 2 x contender, and one more for its subscription.
  void add(int port, std::size_t at, const std::vector<std::string>& shas) {
    // All want the key of the first; each is an owner of its own.
    const auto filled = [at, &shas](std::string text) {
      for (std::size_t key = text.find("{key}"); key != std::string::npos; key = text.find("{key}"))
        text.replace(key, 5, key_of(0));
      return text.empty() ? text : request_of(split(fill_in(text, at, shas)));
    };
    Contender& contender = contenders_.emplace_back(port);
    contender.lock = filled(strategy_.lock);
    contender.release = filled(strategy_.release);
    contender.wait = filled(strategy_.wait);
    const auto id = static_cast<std::uint32_t>(2 * at);
    poller_.add(contender.client.socket(), id);
    if (strategy_.waits != Waits::listening) return;
    contender.subscription.emplace(port);
    contender.subscription->send(contender.wait);
    contender.subscription->receive([](const Glance&) {});
    poller_.add(contender.subscription->socket(), id + 1);
  }

  void send(Contender& contender, const std::string& bytes, Place place) {
    contender.place = place;
    contender.client.send(bytes);
    ++result_.commands;
  }

  void begin_round() {
    left_ = contenders_.size();
    for (Contender& contender : contenders_) ask(contender);
  }

  void ask(Contender& contender) {
    contender.heard_meanwhile = false;
    send(contender, contender.lock, Place::asking);
  }

  void wake_due() {
    for (const std::uint64_t now = now_ns(); !due_.empty() && due_.top().first <= now;) {
      Contender& contender = contenders_[due_.top().second];
      due_.pop();
      if (contender.place == Place::holding)
        release(contender);
      else
        ask(contender);
    }
  }

  std::uint64_t until_due() const {
    if (due_.empty()) return 1000 * kMs;
    const std::uint64_t now = now_ns();
    return due_.top().first > now ? due_.top().first - now : 0;
  }

  void release(Contender& contender) {
    contender.released_ns = now_ns();
    if (left_ > 1) last_release_ns_ = contender.released_ns;
    send(contender, contender.release, Place::releasing);
  }

  void read(std::uint32_t id, std::uint64_t end_ns) {
    Contender& contender = contenders_[id / 2];
    if (id % 2 == 1) {
      contender.subscription->receive([this, &contender](const Glance&) { heard(contender); });
      return;
    }
    contender.client.receive([this, &contender, id, end_ns](const Glance& reply) {
      if (reply.type == '-') ++result_.errors;
      answered(contender, id / 2, reply, end_ns);
    });
  }

  void heard(Contender& contender) {
    if (contender.place == Place::listening)
      ask(contender);
    else
      contender.heard_meanwhile = true;
  }

  void answered(Contender& contender, std::size_t at, const Glance& reply, std::uint64_t end_ns) {
    if (contender.place == Place::asking && !reply.is_nil) {
      granted(contender, at);
    } else if (contender.place == Place::asking) {
      refused(contender, at);
    } else if (contender.place == Place::popping) {
      ask(contender);
    } else if (contender.place == Place::releasing) {
      result_.round_trip_ns.add(now_ns() - contender.released_ns);
      contender.place = Place::done;
      if (--left_ > 0) return;
      over_ = now_ns() >= end_ns;
      if (!over_) begin_round();
    }
  }

  void granted(Contender& contender, std::size_t at) {
    const std::uint64_t now = now_ns();
    ++result_.acquisitions;
    if (last_release_ns_ > 0) result_.gap_ns.add(now - last_release_ns_);
    last_release_ns_ = 0;
    contender.place = Place::holding;
    due_.emplace(now + hold_ns_, at);
  }

  void refused(Contender& contender, std::size_t at) {
    switch (strategy_.waits) {
      case Waits::in_line:
        throw Failed{"a waiter was refused"};
      case Waits::polling:
        contender.place = Place::pausing;
        due_.emplace(now_ns() + (50 + chance_.below(150)) * kMs, at);
        return;
      case Waits::popping:
        return send(contender, contender.wait, Place::popping);
      case Waits::listening:
        if (contender.heard_meanwhile) return ask(contender);
        contender.place = Place::listening;
    }
  }

  using Due = std::pair<std::uint64_t, std::size_t>;  // when, who

  const Strategy& strategy_;
  const std::uint64_t hold_ns_;
  std::vector<Contender> contenders_;
  Poller poller_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  Random chance_{1};
  std::size_t left_ = 0;               // who did not have the key yet in this round
  std::uint64_t last_release_ns_ = 0;  // 0: nobody waits for its effect
  bool over_ = false;
  HandOvers result_;
};

}  // namespace

HandOvers run_hand_overs(const ServerProcess& server, const Strategy& strategy, std::size_t waiters,
                         double seconds, double hold_us) {
  Contest contest{server, strategy, waiters, static_cast<std::uint64_t>(hold_us * 1000)};
  const double cpu_before = server.cpu_seconds();
  contest.run(now_ns() + static_cast<std::uint64_t>(seconds * 1e9));
  contest.result().server_cpu_seconds = server.cpu_seconds() - cpu_before;
  return std::move(contest.result());
}

}  // namespace fencepost::load
