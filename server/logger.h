// Where the log goes: standard output, or the file that `logfile` names.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "server/log.h"

namespace spdlog {
class logger;
}

namespace fencepost::server {

class Logger {
 public:
  // `file` empty: standard output.
  static Result<Logger> open(const std::string& file);

  // By Redis's names: debug, verbose, notice, warning, nothing.
  void set_level(std::string_view name);
  void write(LogLevel level, std::string_view line) const;
  // Shares the logger, so that it may outlive this object.
  Log as_log() const;

 private:
  explicit Logger(std::shared_ptr<spdlog::logger> to) : to_{std::move(to)} {}

  std::shared_ptr<spdlog::logger> to_;
};

}  // namespace fencepost::server
