// The workloads and the ways to wait that are measured, by name.
#include "bench/load/catalogue.h"

#include <algorithm>
#include <string>
#include <vector>

namespace fencepost::load {

namespace {

// The release that Redis's own page on SET NX tells its users to write.
const std::string kRelease =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
// The same, and it tells a list, or a channel, that the key is free.
const std::string kReleaseAndPush =
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
    "redis.call('del', KEYS[1], KEYS[2]) redis.call('lpush', KEYS[2], '1') "
    "redis.call('pexpire', KEYS[2], 1000) return 1";
const std::string kReleaseAndPublish =
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
    "redis.call('del', KEYS[1]) redis.call('publish', ARGV[2], '1') return 1";
// A fence as Redis users make one: a counter beside the lock, in one script.
const std::string kAcquireFenced =
    "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then "
    "return redis.call('incr', KEYS[2]) end return false";
// A lock library that keeps a JSON record and an index by lock id besides, as SyncGuard does: the
// server's time, a look at the old record, a counter, two writes; then a look-up by id, a check,
// two deletes.
const std::string kAcquireRecord =
    "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000) "
    "local old = redis.call('GET', KEYS[1]) "
    "if old and cjson.decode(old).expires > now then return false end "
    "local fence = redis.call('INCR', KEYS[3]) "
    "local record = cjson.encode({id = ARGV[1], expires = now + ARGV[2], since = now, "
    "fence = string.format('%015d', fence)}) "
    "redis.call('SET', KEYS[1], record, 'PX', ARGV[2]) "
    "redis.call('SET', KEYS[2], KEYS[1], 'PX', ARGV[2]) return fence";
const std::string kReleaseRecord =
    "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000) "
    "local key = redis.call('GET', KEYS[1]) if not key then return 0 end "
    "local record = redis.call('GET', key) if not record then return 0 end "
    "local held = cjson.decode(record) "
    "if held.id ~= ARGV[1] or held.expires <= now then return 0 end "
    "return redis.call('DEL', key, KEYS[1])";

const std::string kSetNx = "SET {key} {owner} NX PX 30000";

const std::vector<Workload>& all_workloads() {
  static const std::vector<Workload> kAll = {
      {.name = "ping", .steps = {"PING"}, .scripts = {}},
      {.name = "set", .steps = {"SET key:{any} 0123456789abcdef"}, .scripts = {}},
      {.name = "get", .steps = {"GET key:{any}"}, .scripts = {}},
      {.name = "incr", .steps = {"INCR counter:{any}"}, .scripts = {}},
      {.name = "lock",
       .steps = {"LOCK {key} {owner} PX 30000", "UNLOCK {key} {owner}"},
       .scripts = {}},
      {.name = "setnx", .steps = {kSetNx, "EVALSHA {sha0} 1 {key} {owner}"}, .scripts = {kRelease}},
      {.name = "setnx-delifeq", .steps = {kSetNx, "DELIFEQ {key} {owner}"}, .scripts = {}},
      {.name = "fenced",
       .steps = {"EVALSHA {sha0} 2 {key} fence:{key} {owner} 30000",
                 "EVALSHA {sha1} 1 {key} {owner}"},
       .scripts = {kAcquireFenced, kRelease}},
      {.name = "record",
       .steps = {"EVALSHA {sha0} 3 {key} id:{owner} fence:{key} {owner} 30000",
                 "EVALSHA {sha1} 1 id:{owner} {owner}"},
       .scripts = {kAcquireRecord, kReleaseRecord}},
  };
  return kAll;
}

const std::vector<Strategy>& all_strategies() {
  using Waits = Strategy::Waits;
  static const std::vector<Strategy> kAll = {
      {.name = "lock",
       .waits = Waits::in_line,
       .lock = "LOCK {key} {owner} PX 30000 WAIT 60000",
       .release = "UNLOCK {key} {owner}",
       .wait = {},
       .scripts = {}},
      {.name = "polling",
       .waits = Waits::polling,
       .lock = kSetNx,
       .release = "EVALSHA {sha0} 1 {key} {owner}",
       .wait = {},
       .scripts = {kRelease}},
      {.name = "blpop",
       .waits = Waits::popping,
       .lock = kSetNx,
       .release = "EVALSHA {sha0} 2 {key} signal:{key} {owner}",
       .wait = "BLPOP signal:{key} 60",
       .scripts = {kReleaseAndPush}},
      {.name = "pubsub",
       .waits = Waits::listening,
       .lock = kSetNx,
       .release = "EVALSHA {sha0} 1 {key} {owner} channel:{key}",
       .wait = "SUBSCRIBE channel:{key}",
       .scripts = {kReleaseAndPublish}},
  };
  return kAll;
}

template <typename Named>
const Named& find(const std::vector<Named>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [name](const Named& each) { return each.name == name; });
  if (found == all.end()) throw Failed{"there is no " + std::string{name}};
  return *found;
}

}  // namespace

std::span<const Workload> workloads() {
  return all_workloads();
}
const Workload& workload(std::string_view name) {
  return find(all_workloads(), name);
}
std::span<const Strategy> strategies() {
  return all_strategies();
}
const Strategy& strategy(std::string_view name) {
  return find(all_strategies(), name);
}

}  // namespace fencepost::load
