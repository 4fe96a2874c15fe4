// The scripts that the server knows by name, compiled, and the sandbox they run in.
#include "commands/script/scripts.h"

#include <algorithm>

#include "base/sha1.h"
#include "base/text.h"
#include "commands/script/shebang.h"
#include "commands/versions.h"

namespace fencepost::commands {

namespace {

constexpr std::size_t kMostEvaluated = 1'000;
constexpr std::size_t kMostEvaluatedBytes = std::size_t{16} * 1024 * 1024;
constexpr std::size_t kMostLoaded = 100'000;
constexpr std::size_t kMostLoadedBytes = std::size_t{128} * 1024 * 1024;
constexpr std::string_view kTooManyLoaded =
    "ERR too many scripts are loaded (at most 100000, and 128 MiB): SCRIPT FLUSH makes room";

}  // namespace

Result<const Script*> Scripts::load(std::string_view text, Came how) {
  std::string name = sha1_hex(text);
  const auto known = by_name_.find(name);
  if (known == by_name_.end()) return compile(std::move(name), text, how);
  Place& place = known->second;
  use(place);
  if (how == Came::with_load && place.how == Came::with_eval) {
    if (!has_room(place.at->bytes, how)) return failure(std::string{kTooManyLoaded});
    keep(place);
  }
  return &*place.at;
}

Result<const Script*> Scripts::compile(std::string name, std::string_view text, Came how) {
  if (!has_room(text.size(), how)) return failure(std::string{kTooManyLoaded});
  const auto shebang = read_shebang(text);
  if (!shebang) return failure(shebang.error().what);
  const std::size_t before = sandbox().used_bytes();
  const auto compiled = sandbox().compile(shebang->code);
  if (!compiled) {
    return failure("ERR Error compiling script (new function): " + compiled.error().what);
  }
  // Less than before when the collector came by.
  const std::size_t taken = std::max(sandbox().used_bytes(), before) - before;
  Line& into = line(how);
  into.scripts.push_front({.name = std::move(name),
                           .text = std::string{text},
                           .compiled = *compiled,
                           .bytes = text.size() + taken,
                           .declares = shebang->present,
                           .writes_nothing = shebang->writes_nothing,
                           .may_exceed_memory = shebang->may_exceed_memory});
  const auto at = into.scripts.begin();
  into.bytes += at->bytes;
  by_name_.emplace(at->name, Place{how, at});
  forget_unused();
  return &*at;
}

const Script* Scripts::find(std::string_view name) {
  const auto known = look_up(name);
  if (known == by_name_.end()) return nullptr;
  use(known->second);
  return &*known->second.at;
}

// Nearly always the letters are small already.
Scripts::Index::iterator Scripts::look_up(std::string_view name) {
  const auto known = by_name_.find(name);
  return known == by_name_.end() ? by_name_.find(to_lower(name)) : known;
}

bool Scripts::knows(std::string_view name) const {
  return by_name_.contains(to_lower(name));
}

void Scripts::flush() {
  by_name_.clear();
  evaluated_ = {};
  loaded_ = {};
  sandbox_.reset();
}

script::Sandbox& Scripts::sandbox() {
  if (!sandbox_) {
    sandbox_ =
        std::make_unique<script::Sandbox>(script::Sandbox::Options{.version = kRedisVersion});
  }
  return *sandbox_;
}

bool Scripts::has_room(std::size_t bytes, Came how) const {
  if (how == Came::with_eval) return true;
  return loaded_.scripts.size() < kMostLoaded && loaded_.bytes + bytes <= kMostLoadedBytes;
}

void Scripts::use(Place& place) {
  std::list<Script>& scripts = line(place.how).scripts;
  scripts.splice(scripts.begin(), scripts, place.at);
}

// It came with EVAL and is loaded now.
void Scripts::keep(Place& place) {
  loaded_.scripts.splice(loaded_.scripts.begin(), evaluated_.scripts, place.at);
  loaded_.bytes += place.at->bytes;
  evaluated_.bytes -= place.at->bytes;
  place.how = Came::with_load;
}

// Never the newest, which is about to run.
void Scripts::forget_unused() {
  std::list<Script>& scripts = evaluated_.scripts;
  while (scripts.size() > 1 &&
         (scripts.size() > kMostEvaluated || evaluated_.bytes > kMostEvaluatedBytes)) {
    const Script& last = scripts.back();
    sandbox().forget(last.compiled);
    evaluated_.bytes -= last.bytes;
    by_name_.erase(last.name);
    scripts.pop_back();
  }
}

}  // namespace fencepost::commands
