// The place where scripts run: one Lua state that no script can change.
//
// A script reaches its libraries, its KEYS and ARGV, and what its Host lets it do; no file, no
// loader, no compiled code, no other script. Memory, the size of the reply and time are limited
// (time by Host::interrupted). What a script makes is gone when it has ended. Nothing in a result
// depends on addresses, clocks or chance that were not passed in.
//
//   script::Sandbox sandbox{{.version = "7.2.4"}};
//   const auto compiled = sandbox.compile("return redis.call('GET', KEYS[1])");
//   sandbox.run(*compiled, {.name = sha, .keys = keys, .arguments = arguments, .chance = seed},
//   host, reply);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "resp/writer.h"
#include "script/host.h"

struct lua_State;

namespace fencepost::script {

struct Machine;

// A compiled script of one sandbox, good until it is forgotten.
enum class Compiled : int {};

class Sandbox {
 public:
  struct Limits {
    // What one script may take on top of what is there, and what its reply may have; bytes.
    std::size_t memory = std::size_t{64} * 1024 * 1024;
    // Instructions, and what libraries do counted as such. The same script with the same arguments
    // takes the same number.
    std::uint64_t steps = 5'000'000'000;
  };
  struct Options {
    std::string_view version;  // redis.REDIS_VERSION, "7.2.4"
    Limits limits{};
  };
  struct Call {
    std::string_view name;  // named in errors: the script's SHA-1
    std::span<const std::string_view> keys;
    std::span<const std::string_view> arguments;
    std::uint64_t chance = 0;  // seeds math.random
  };

  explicit Sandbox(Options options);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // For scripts that are compiled or run from now on.
  void set_limits(Limits limits) { limits_ = limits; }

  // The failure is what the compiler says.
  Result<Compiled> compile(std::string_view text);
  void forget(Compiled script);

  // Runs it and writes one reply: its result, or an error that says why it ended. Not while another
  // one runs.
  void run(Compiled script, const Call& call, Host& host, resp::ReplyWriter& reply);

  // What the state takes, in bytes.
  std::size_t used_bytes() const;

 private:
  Limits limits_;
  std::size_t largest_text_ =
      0;  // of all scripts that were compiled: their strings may be met again
  std::unique_ptr<Machine> machine_;
  lua_State* lua_;
};

}  // namespace fencepost::script
