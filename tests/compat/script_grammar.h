// Random scripts: every library of the sandbox, conversions both ways, and faults.
#pragma once

#include <string>
#include <string_view>

#include "base/random.h"

namespace fencepost::compat {

class ScriptGrammar {
 public:
  explicit ScriptGrammar(Random& random) : random_{random} {}

  // A script for one key and one argument. What it answers depends on no address, no order of a
  // hash table and no chance.
  std::string script();

 private:
  std::string expand(std::string_view form, int depth);
  std::string any_of_kind(std::string_view kind, int depth);
  std::string number();
  std::string json(int depth);
  std::string any_bytes(std::size_t most);
  std::string bytes(std::string_view of, std::size_t most);

  Random& random_;
};

}  // namespace fencepost::compat
