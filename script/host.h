// What a script may ask of the world around it. The sandbox knows no command, no clock and no log.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "resp/protocol.h"

namespace fencepost::script {

enum class LogLevel : std::uint8_t { debug = 0, verbose = 1, notice = 2, warning = 3 };

class Host {
 public:
  virtual ~Host() = default;
  // Runs one request and appends its one reply to `reply`, in `protocol`.
  virtual void call(std::span<const std::string_view> words, resp::Protocol protocol,
                    std::string& reply) = 0;
  // Whether the caller may run that request; nothing for a command that there is not.
  virtual std::optional<bool> allows(std::span<const std::string_view> words) = 0;
  virtual void log(LogLevel level, std::string_view text) = 0;
  // An error is part of what the script is answered with. `known`: a command gave it.
  virtual void note_error(std::string_view /*text*/, bool /*known*/) {}
  // Asked again and again while the script runs. An error text ends the script, whatever it does.
  virtual std::optional<std::string> interrupted() = 0;
};

}  // namespace fencepost::script
