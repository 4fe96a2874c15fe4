// What a simulated client asks.
#include "request.h"

#include <fmt/format.h>

namespace fencepost::sim {

namespace {

using Kind = Request::Kind;

constexpr const char* kCompareAndDelete =
    "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 "
    "end";

class Draw {
 public:
  Draw(int number, Random& random)
      : random_{random}, owner_{fmt::format("o{}", number)}, many_{fmt::format("m{}", number)} {}

  std::vector<Request> turn() {
    switch (random_.below(12)) {
      case 0:
        return {count(), lock(false), unlock()};
      case 1:
        return {unlock(), lock(true)};
      case 2:
        return transaction();
      default:
        return {one()};
    }
  }

 private:
  bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  std::string exclusive_key() { return kLockKeys[random_.below(3)].name; }
  const LockKey& any_key() { return kLockKeys[random_.below(std::size(kLockKeys))]; }
  std::int64_t lease() {
    return chance(20) ? 20 + static_cast<std::int64_t>(random_.below(100))
                      : 100 + static_cast<std::int64_t>(random_.below(6000));
  }

  Request one() {
    switch (random_.below(24)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
        return lock(chance(70));
      case 7:
      case 8:
      case 9:
      case 10:
        return unlock();
      case 11:
        return extend();
      case 12:
      case 13:
        return set_if_absent();
      case 14:
        return compare_and_delete();
      case 15:
      case 16:
        return many();
      case 17:
        return unlock_many();
      case 18:
        return count();
      case 19:
        return bystander();
      case 20:
        return look();
      case 21:
        return chance(40) ? take_away() : look();
      case 22:
        return chance(15) ? maintain() : look();
      default:
        return lock(true);
    }
  }

  Request lock(bool waits) {
    const LockKey& key = any_key();
    Request made{.kind = Kind::lock, .keys = {key.name}, .owner = owner_, .lease_ms = lease()};
    made.words = {"LOCK", key.name, owner_, "PX", std::to_string(made.lease_ms)};
    if (key.mode == KeyMode::shared && !is_writer(owner_)) made.words.push_back("SHARED");
    if (key.mode == KeyMode::limit) {
      made.words.insert(made.words.end(), {"LIMIT", std::to_string(kLimit)});
    }
    finish(made, waits);
    return made;
  }

  void finish(Request& made, bool waits) {
    if (waits) {
      made.waits = true;
      made.words.insert(made.words.end(), {"WAIT", std::to_string(1 + random_.below(4000))});
    }
    if (chance(8)) {
      made.grace = true;
      made.words.insert(made.words.end(), {"GRACE", std::to_string(kGraceMs)});
    }
    if (chance(15)) {
      made.bind = true;
      made.words.push_back("BIND");
    }
  }

  Request many() {
    Request made{.kind = Kind::many, .keys = {"x0", "x1"}, .owner = many_, .lease_ms = lease()};
    made.words = {"LOCKMANY", "2", "x0", "x1", many_, "PX", std::to_string(made.lease_ms)};
    finish(made, chance(60));
    return made;
  }

  Request unlock() {
    const std::string key = any_key().name;
    return {.kind = Kind::unlock, .words = {"UNLOCK", key, owner_}, .keys = {key}, .owner = owner_};
  }
  Request unlock_many() {
    return {.kind = Kind::unlock,
            .words = {"UNLOCK", "x0", "x1", many_},
            .keys = {"x0", "x1"},
            .owner = many_};
  }
  Request extend() {
    const std::string key = any_key().name;
    const std::int64_t ms = lease();
    return {.kind = Kind::extend,
            .words = {"EXTEND", key, owner_, "PX", std::to_string(ms)},
            .keys = {key},
            .owner = owner_,
            .lease_ms = ms};
  }
  Request set_if_absent() {
    const std::string key = exclusive_key();
    const std::int64_t ms = lease();
    return {.kind = Kind::lock,
            .words = {"SET", key, owner_, "NX", "PX", std::to_string(ms)},
            .keys = {key},
            .owner = owner_,
            .lease_ms = ms,
            .by_set = true};
  }
  Request compare_and_delete() {
    const std::string key = exclusive_key();
    return {.kind = Kind::unlock,
            .words = {"EVAL", kCompareAndDelete, "1", key, owner_},
            .keys = {key},
            .owner = owner_};
  }
  Request take_away() {
    const std::string key = any_key().name;
    return {
        .kind = Kind::free_all, .words = {chance(50) ? "DEL" : "LOCKBREAK", key}, .keys = {key}};
  }
  Request look() {
    const std::string key = any_key().name;
    if (chance(60)) return {.kind = Kind::fence, .words = {"FENCE", key}, .keys = {key}};
    return {.words = {chance(50) ? "PTTL" : "LOCKINFO", key}};
  }
  Request count() {
    const std::string key = fmt::format("n{}", random_.below(2));
    return {.kind = Kind::count, .words = {"INCR", key}, .keys = {key}};
  }
  Request bystander() {
    const std::string text(random_.below(700), static_cast<char>('a' + random_.below(26)));
    switch (random_.below(5)) {
      case 0:
        return {.words = {"HSET", "h0", std::to_string(random_.below(5)), text}};
      case 1:
        return {.words = {"RPUSH", "q0", text}};
      case 2:
        return {.words = {"LTRIM", "q0", "-3", "-1"}};
      case 3:
        return {.words = {"SET", fmt::format("once{}", random_.below(30)), text, "PX", "400"}};
      default:
        return {.words = {"HDEL", "h0", std::to_string(random_.below(5))}};
    }
  }
  Request maintain() {
    switch (random_.below(4)) {
      case 0:
        return {.words = {"SAVE"}};
      case 1:
        return {.words = {"CONFIG", "SET", "appendfsync", chance(50) ? "always" : "everysec"}};
      default:
        return {.words = {"BGREWRITEAOF"}};
    }
  }

  std::vector<Request> transaction() {
    const std::vector<Request> inner = {count(), lock(false), unlock()};
    std::vector<Request> made = {{.words = {"MULTI"}}};
    for (const Request& request : inner) made.push_back({.words = request.words});
    made.push_back({.kind = Kind::exec, .words = {"EXEC"}, .inner = inner});
    return made;
  }

  Random& random_;
  std::string owner_;
  std::string many_;
};

}  // namespace

bool is_writer(const std::string& owner) {
  return owner.back() % 3 == 0;
}

std::vector<Request> draw_requests(int number, Random& random) {
  return Draw{number, random}.turn();
}

std::string bytes_of(const std::vector<Request>& requests) {
  std::string bytes;
  for (const Request& request : requests) {
    bytes += fmt::format("*{}\r\n", request.words.size());
    for (const std::string& word : request.words) {
      bytes += fmt::format("${}\r\n{}\r\n", word.size(), word);
    }
  }
  return bytes;
}

}  // namespace fencepost::sim
