// Where the log goes: standard output, or the file that `logfile` names.
#include "server/logger.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace fencepost::server {

namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::trace;
    case LogLevel::verbose:
      return spdlog::level::debug;
    case LogLevel::notice:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
  }
  return spdlog::level::warn;
}

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::verbose:
      return "verbose";
    case LogLevel::notice:
      return "notice";
    case LogLevel::warning:
      return "warning";
  }
  return "warning";
}

void write_to(spdlog::logger& to, LogLevel level, std::string_view line) {
  to.log(level_of(level), "{:<7} {}", name_of(level), line);
}

}  // namespace

Result<Logger> Logger::open(const std::string& file) {
  std::shared_ptr<spdlog::sinks::sink> sink;
  try {
    if (file.empty()) {
      sink = std::make_shared<spdlog::sinks::stdout_sink_st>();
    } else {
      sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(file);
    }
  } catch (const spdlog::spdlog_ex& error) {
    return failure(fmt::format("the log file '{}' cannot be opened: {}", file, error.what()));
  }
  auto to = std::make_shared<spdlog::logger>("fencepost", std::move(sink));
  to->set_pattern("%Y-%m-%d %H:%M:%S.%e %v");
  to->flush_on(spdlog::level::trace);
  return Logger{std::move(to)};
}

void Logger::set_level(std::string_view name) {
  if (name == "debug") return to_->set_level(spdlog::level::trace);
  if (name == "verbose") return to_->set_level(spdlog::level::debug);
  if (name == "warning") return to_->set_level(spdlog::level::warn);
  if (name == "nothing") return to_->set_level(spdlog::level::off);
  to_->set_level(spdlog::level::info);
}

void Logger::write(LogLevel level, std::string_view line) const {
  write_to(*to_, level, line);
}

Log Logger::as_log() const {
  return [to = to_](LogLevel level, std::string_view line) { write_to(*to, level, line); };
}

}  // namespace fencepost::server
