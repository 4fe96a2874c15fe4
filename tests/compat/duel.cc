// A round of requests, sent to both servers: the first difference between what they answer.
#include "tests/compat/duel.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <stdexcept>
#include <thread>

#include "base/check.h"
#include "base/text.h"
#include "commands/table.h"

namespace fencepost::compat {

namespace {

void send_in_pieces(Connection& connection, std::string_view bytes, Random random) {
  while (!bytes.empty()) {
    const bool whole = random.below(4) != 0;
    const std::size_t size = whole ? bytes.size() : 1 + random.below(bytes.size());
    connection.send(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
}

std::string shown(const std::optional<Answer>& answer, const Connection& connection) {
  return answer ? quoted(answer->bytes) : "(" + connection.problem() + ")";
}

// A reply as RESP2 writes it, about; enough for the globs of differences.md.
std::string bytes_of(const resp::Reply& reply) {
  using Type = resp::Reply::Type;
  if (reply.type == Type::integer) return ":" + std::to_string(reply.integer) + "\r\n";
  if (reply.type == Type::bulk)
    return "$" + std::to_string(reply.text.size()) + "\r\n" + reply.text + "\r\n";
  if (reply.type == Type::error) return "-" + reply.text + "\r\n";
  std::string bytes;
  for (const resp::Reply& item : reply.items) bytes += bytes_of(item);
  return bytes;
}

// EXEC's members as answers of their own, for the rules that a command has. Only likeness tells
// whether two of them are equal, for their bytes are not all there is to them.
Answer to_answer(const resp::Reply& reply) {
  return {.bytes = bytes_of(reply), .reply = reply};
}

// By what OBJECT ENCODING told of all that a command reads, just before.
Order order_of(std::span<const resp::Reply> told) {
  const bool listed = std::none_of(told.begin(), told.end(), [](const resp::Reply& encoding) {
    return encoding.text == "hashtable" || encoding.text == "skiplist";
  });
  return listed && !told.empty() ? Order::listed : Order::open;
}

}  // namespace

std::string name_of(const Words& words) {
  if (words.empty()) return "";
  const std::vector<std::string_view> views{words.begin(), words.end()};
  const commands::Resolved resolved = commands::resolve(commands::Arguments{views});
  if (resolved.command == nullptr) return "";
  return to_upper(commands::full_name(resolved.container, *resolved.command));
}

void empty(Connection& connection) {
  connection.send("*1\r\n$8\r\nFLUSHALL\r\n");
  const auto answer = connection.receive();
  if (answer && answer->bytes == "+OK\r\n") return;
  throw std::runtime_error("FLUSHALL: " + shown(answer, connection));
}

Duel::Duel(std::string redis_socket, std::string our_socket, const Differences& differences)
    : redis_socket_{std::move(redis_socket)},
      our_socket_{std::move(our_socket)},
      differences_{differences} {}

Duel::Pair Duel::connect() const {
  Pair pair;
  pair.redis = std::make_unique<Connection>(redis_socket_);
  pair.ours = std::make_unique<Connection>(our_socket_);
  return pair;
}

std::optional<Difference> Duel::fight(const std::vector<Step>& steps, std::uint64_t seed) {
  const Pair fresh = connect();
  empty(*fresh.redis);
  empty(*fresh.ours);
  pairs_.clear();
  for (int i = 0; i < Grammar::kConnections; ++i) pairs_.push_back(connect());
  Random random{seed};
  for (std::size_t first = 0; first < steps.size();) {
    std::size_t end = first + 1;
    while (end < steps.size() && !steps[end].new_turn &&
           steps[end].connection == steps[first].connection) {
      ++end;
    }
    if (auto difference = take_turn(steps, first, end, random)) return difference;
    first = end;
  }
  return std::nullopt;
}

// The steps first..end go to one connection in one go; then all answers are read.
std::optional<Difference> Duel::take_turn(const std::vector<Step>& steps, std::size_t first,
                                          std::size_t end, Random& random) {
  Pair& pair = pairs_[static_cast<std::size_t>(steps[first].connection)];
  if (steps[first].wait_ms > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds{steps[first].wait_ms});
  }
  std::string bytes;
  std::string our_bytes;
  for (std::size_t i = first; i < end; ++i) {
    bytes += to_bytes(steps[i]);
    our_bytes += to_our_bytes(steps[i]);
  }
  const Random cuts{random.next()};
  send_in_pieces(*pair.redis, bytes, cuts);
  send_in_pieces(*pair.ours, our_bytes, cuts);
  for (std::size_t i = first; i < end; ++i) {
    if (auto difference = compare_answers(pair, steps[i], i)) return difference;
    if (!pair.redis->problem().empty()) break;
  }
  // A closed connection is replaced, for the steps to come.
  if (!pair.redis->problem().empty()) pair = connect();
  return std::nullopt;
}

std::optional<Difference> Duel::compare_answers(Pair& pair, const Step& step, std::size_t index) {
  told_.clear();
  for (const Words& words : step.before) {
    auto difference = compare_next(pair, {.name = name_of(words)}, index);
    if (difference || !pair.redis->problem().empty()) return difference;
  }
  const Asked asked{.name = name_of(step.words),
                    .questions = step.before.size(),
                    .compares = step.our_words.empty()};
  for (int i = 0; i < step.replies; ++i) {
    auto difference = compare_next(pair, asked, index);
    if (difference || !pair.redis->problem().empty()) return difference;
  }
  return std::nullopt;
}

std::optional<Difference> Duel::compare_next(Pair& pair, const Asked& asked, std::size_t index) {
  const auto redis = pair.redis->receive();
  const auto ours = pair.ours->receive();
  const bool both_closed =
      !redis && !ours && pair.redis->problem() == "closed" && pair.ours->problem() == "closed";
  if (both_closed) return std::nullopt;
  const bool well = redis && ours && (!asked.compares || allowed(pair, asked, *redis, *ours));
  if (!well) return Difference{index, shown(redis, *pair.redis), shown(ours, *pair.ours)};
  told_.push_back(redis->reply);
  return std::nullopt;
}

bool Duel::allowed(Pair& pair, const Asked& asked, const Answer& redis, const Answer& ours) const {
  if (asked.name == "EXEC") {
    const bool well = allowed_transaction(pair, redis, ours);
    pair.queued.clear();
    return well;
  }
  const bool queued = redis.bytes == "+QUEUED\r\n";
  if (queued) pair.queued.push_back(asked);
  if (!queued && (asked.name == "MULTI" || asked.name == "DISCARD" || asked.name == "RESET") &&
      !redis.reply.is_error()) {
    pair.queued.clear();
  }
  return differences_.allow(asked.name, redis, ours, order_of(told_));
}

bool Duel::allowed_transaction(const Pair& pair, const Answer& redis, const Answer& ours) const {
  if (redis.bytes == ours.bytes) return true;
  const auto& theirs = redis.reply.items;
  const auto& mine = ours.reply.items;
  if (redis.reply.type != ours.reply.type || theirs.size() != mine.size() ||
      theirs.size() != pair.queued.size() || theirs.empty()) {
    return false;
  }
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const Asked& asked = pair.queued[i];
    check(asked.questions <= i, "what is asked in front of a request is queued in front of it");
    const std::span<const resp::Reply> told{&theirs[i] - asked.questions, asked.questions};
    if (!differences_.allow(asked.name, to_answer(theirs[i]), to_answer(mine[i]), order_of(told))) {
      return false;
    }
  }
  return true;
}

std::vector<Step> shrink(const Fight& fight, std::vector<Step> steps) {
  if (const auto difference = fight(steps)) steps.resize(difference->step + 1);
  for (std::size_t size = std::max<std::size_t>(steps.size() / 2, 1); size > 0;) {
    bool shorter = false;
    for (std::size_t at = 0; at < steps.size();) {
      std::vector<Step> fewer = steps;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, fewer.size() - at)));
      if (!fewer.empty() && fight(fewer)) {
        steps = std::move(fewer);
        shorter = true;
      } else {
        at += size;
      }
    }
    if (!shorter) size /= 2;
  }
  return steps;
}

}  // namespace fencepost::compat
