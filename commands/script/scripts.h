// The scripts that the server knows by name, compiled, and the sandbox they run in.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "script/sandbox.h"

namespace fencepost::commands {

struct Script {
  std::string name;  // the SHA-1 of its text, 40 lower-case hex digits
  std::string text;
  script::Compiled compiled{};
  std::size_t bytes = 0;           // of the text, and what the sandbox took for it
  bool declares = false;           // its first line is "#!lua ...": the flags are told
  bool writes_nothing = false;     // flag no-writes
  bool may_exceed_memory = false;  // flag allow-oom, or it writes nothing
};

// Those that clients loaded (SCRIPT LOAD) stay until flush(); when there are too many of them no
// more are taken. Of those that came with EVAL, the ones that were not used for longest are
// forgotten when there are too many. A client that sends EVALSHA for one of them is told NOSCRIPT,
// as after a restart.
class Scripts {
 public:
  enum class Came { with_eval, with_load };

  // Compiles a text, or finds it again. The failure is the whole error text. Good until the next
  // load().
  Result<const Script*> load(std::string_view text, Came how);
  // By name in any letter case; null when it is not known. Good until the next load().
  const Script* find(std::string_view name);
  bool knows(std::string_view name) const;
  // Forgets them all, and with them whatever the sandbox holds.
  void flush();

  script::Sandbox& sandbox();
  std::size_t count() const { return by_name_.size(); }
  std::size_t bytes() const { return evaluated_.bytes + loaded_.bytes; }
  std::size_t sandbox_bytes() const { return sandbox_ ? sandbox_->used_bytes() : 0; }

 private:
  struct Line {
    std::list<Script> scripts;  // the one that was used last stands first
    std::size_t bytes = 0;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };
  struct Place {
    Came how;
    std::list<Script>::iterator at;
  };
  using Index = std::unordered_map<std::string, Place, Hash, std::equal_to<>>;

  Line& line(Came how) { return how == Came::with_eval ? evaluated_ : loaded_; }
  Index::iterator look_up(std::string_view name);
  Result<const Script*> compile(std::string name, std::string_view text, Came how);
  bool has_room(std::size_t bytes, Came how) const;
  void use(Place& place);
  void keep(Place& place);
  void forget_unused();

  std::unique_ptr<script::Sandbox> sandbox_;  // made when the first script comes
  Line evaluated_;
  Line loaded_;
  Index by_name_;
};

}  // namespace fencepost::commands
