// The scripts that the server knows by name, compiled, and the sandbox they run in.
#include "commands/script/scripts.h"

#include "base/sha1.h"
#include "base/text.h"
#include "commands/script/shebang.h"
#include "commands/versions.h"

namespace fencepost::commands {

namespace {

constexpr std::size_t kMostEvaluated = 1000;
constexpr std::size_t kMostLoaded = 10'000;
constexpr std::size_t kMostTextBytes = std::size_t{32} * 1024 * 1024;

}  // namespace

Result<const Script*> Scripts::load(std::string_view text, Came how) {
  std::string name = sha1_hex(text);
  if (const auto known = by_name_.find(name); known != by_name_.end()) {
    use(known->second, how);
    return &*known->second.at;
  }
  const auto shebang = read_shebang(text);
  if (!shebang) return failure(shebang.error().what);
  const auto compiled = sandbox().compile(shebang->code);
  if (!compiled) {
    return failure("ERR Error compiling script (new function): " + compiled.error().what);
  }
  Line& into = line(how);
  into.push_front({.name = std::move(name),
                   .compiled = *compiled,
                   .bytes = text.size(),
                   .declares = shebang->present,
                   .writes_nothing = shebang->writes_nothing,
                   .may_exceed_memory = shebang->may_exceed_memory});
  by_name_.emplace(into.front().name, Place{how, into.begin()});
  text_bytes_ += text.size();
  make_room();
  return &into.front();
}

const Script* Scripts::find(std::string_view name) {
  const auto known = by_name_.find(to_lower(name));
  if (known == by_name_.end()) return nullptr;
  use(known->second, Came::with_eval);
  return &*known->second.at;
}

bool Scripts::knows(std::string_view name) const {
  return by_name_.contains(to_lower(name));
}

void Scripts::flush() {
  by_name_.clear();
  evaluated_.clear();
  loaded_.clear();
  text_bytes_ = 0;
  sandbox_.reset();
}

script::Sandbox& Scripts::sandbox() {
  if (!sandbox_) {
    sandbox_ =
        std::make_unique<script::Sandbox>(script::Sandbox::Options{.version = kRedisVersion});
  }
  return *sandbox_;
}

// Once loaded, it stays one that was loaded.
void Scripts::use(Place& place, Came how) {
  const Came from = place.how;
  if (how == Came::with_load) place.how = Came::with_load;
  Line& to = line(place.how);
  to.splice(to.begin(), line(from), place.at);
}

void Scripts::make_room() {
  if (evaluated_.size() > kMostEvaluated) forget_last(evaluated_);
  if (loaded_.size() > kMostLoaded) forget_last(loaded_);
  while (text_bytes_ > kMostTextBytes && by_name_.size() > 1) {
    // Not the newest, which is about to run.
    forget_last(evaluated_.size() > 1 || loaded_.empty() ? evaluated_ : loaded_);
  }
}

void Scripts::forget_last(Line& line) {
  const Script& last = line.back();
  sandbox().forget(last.compiled);
  text_bytes_ -= last.bytes;
  by_name_.erase(last.name);
  line.pop_back();
}

}  // namespace fencepost::commands
