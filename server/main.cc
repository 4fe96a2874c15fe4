// The process: command line, config file, log; then the engine and the loop around it until it is
// told to stop.
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string_view>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "base/text.h"
#include "commands/server/config_file.h"
#include "commands/versions.h"
#include "journal/real_disk.h"
#include "server/command_line.h"
#include "server/config_rewrite.h"
#include "server/descriptors.h"
#include "server/engine.h"
#include "server/floor_file.h"
#include "server/journal_check.h"
#include "server/journal_repair.h"
#include "server/logger.h"
#include "server/persistence.h"
#include "server/system_clock.h"
#include "server/usage.h"
#include "server/uv_server.h"

namespace fencepost::server {

namespace {

Result<std::string> read_text(const std::string& path) {
  const bool from_input = path == "-";
  std::FILE* file = from_input ? stdin : std::fopen(path.c_str(), "re");
  if (!file)
    return failure(
        fmt::format("the config file '{}' cannot be opened: {}", path, std::strerror(errno)));
  std::string text;
  std::array<char, 4096> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file)) {
    text.append(piece.data(), size);
  }
  const bool failed = std::ferror(file) != 0;
  if (!from_input) std::fclose(file);
  if (failed) return failure(fmt::format("the config file '{}' cannot be read", path));
  return text;
}

// The config file first, so that the command line wins.
Result<void> set_all(commands::Settings& settings, const CommandLine& line) {
  if (!line.config_file.empty()) {
    const Result<std::string> text = read_text(line.config_file);
    if (!text) return tl::unexpected{text.error()};
    if (const Result<void> set = commands::apply_config(*text, settings); !set) {
      return failure(fmt::format("{}: {}", line.config_file, set.error().what));
    }
  }
  for (const Parameter& parameter : line.parameters) {
    if (Result<void> set = settings.set_at_start(parameter.name, parameter.words); !set) return set;
  }
  return settings.check_together();
}

// As Redis tells it, and so that a config file that is written anew means the same from everywhere.
void make_folder_absolute(commands::SettingValues& values) {
  std::error_code error;
  const auto path = std::filesystem::absolute(values.directory, error).lexically_normal();
  if (error) return;
  values.directory = (path.has_filename() ? path : path.parent_path()).string();
}

std::uint64_t draw_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

commands::Identity identify(const CommandLine& line, const commands::SettingValues& values) {
  commands::Identity identity;
  for (int part = 0; part < 3; ++part) identity.run_id += fmt::format("{:016x}", draw_seed());
  identity.run_id.resize(40);
  identity.process_id = getpid();
  identity.tcp_port = static_cast<int>(values.port);
  std::array<char, 4096> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  if (size > 0) identity.executable.assign(path.data(), static_cast<std::size_t>(size));
  if (!line.config_file.empty() && line.config_file != "-") {
    identity.config_file = std::filesystem::absolute(line.config_file).string();
  }
  utsname system{};
  uname(&system);
  identity.operating_system =
      fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  return identity;
}

void adjust_client_limit(commands::SettingValues& values, const Logger& logger) {
  const std::int64_t possible = make_room_for_clients(values.max_clients);
  if (possible >= values.max_clients) return;
  logger.write(
      LogLevel::warning,
      fmt::format(
          "maxclients {} is more than the limit on open files allows: it is {} now. See ulimit -n.",
          values.max_clients, possible));
  values.max_clients = possible;
}

int fail(std::string_view why) {
  fmt::print(stderr, "fencepost: {}\n", why);
  return EXIT_FAILURE;
}

// What CONFIG SET changes here, besides what the engine sees to.
void follow_settings(commands::Settings& settings, Logger& logger) {
  settings.on_change = [&settings, &logger, engine_part = std::move(settings.on_change)] {
    engine_part();
    logger.set_level(settings.values.log_level);
    adjust_client_limit(settings.values, logger);
  };
}

// What commands ask of the process around them.
void furnish(commands::Process& process, Logger& logger) {
  process.sleep = [](Duration duration) { std::this_thread::sleep_for(duration); };
  process.log = [log = logger.as_log()](std::string_view text) { log(LogLevel::warning, text); };
  provide_usage(process);
  process.rewrite_config = [path = process.identity.config_file](const commands::Settings& now) {
    return rewrite_config_file(path, now);
  };
  follow_settings(process.settings, logger);
}

void announce(const commands::Process& process, const Logger& logger) {
  logger.write(LogLevel::notice, fmt::format("fencepost {} starts, process {}.", commands::kVersion,
                                             process.identity.process_id));
  if (!process.settings.values.append_only) {
    logger.write(LogLevel::warning,
                 "State is kept in memory only: a restart forgets every lock and key.");
  }
  for (const std::string_view name : process.settings.set_without_effect()) {
    logger.write(LogLevel::warning, fmt::format("The parameter {} has no effect here.", name));
  }
}

// What is kept on disk: the state, or only the floor of fences. The folder is ours as long as this
// is.
struct Kept {
  std::unique_ptr<journal::Disk> disk;
  std::unique_ptr<Persistence> persistence;
  std::unique_ptr<FloorFile> floor;

  void close() const {
    if (persistence) persistence->close();
    if (floor) floor->close();
  }
};

// Without a folder that can be written to, it goes on all the same.
Result<Kept> open_floor(const CommandLine& line, Engine& engine, const Logger& logger) {
  const std::string& folder = engine.process().settings.values.directory;
  Result<std::unique_ptr<journal::Disk>> disk = journal::open_real_disk(folder);
  if (!disk) {
    logger.write(LogLevel::warning,
                 fmt::format("The floor of fences cannot be kept, so a restart repeats numbers: {}",
                             disk.error().what));
  }
  Kept kept{.disk = disk ? std::move(*disk) : nullptr, .persistence = nullptr, .floor = nullptr};
  Result<std::unique_ptr<FloorFile>> floor =
      FloorFile::open(kept.disk.get(), line.raise_floor, engine, logger.as_log());
  if (!floor) return tl::unexpected{floor.error()};
  kept.floor = std::move(*floor);
  return kept;
}

// It is loaded once the server runs.
Result<Kept> open_state(const CommandLine& line, Engine& engine, SystemClock& clock,
                        const Logger& logger) {
  const std::string& folder = engine.process().settings.values.directory;
  Result<std::unique_ptr<journal::Disk>> disk = journal::open_real_disk(folder);
  if (!disk) return tl::unexpected{disk.error()};
  Result<std::unique_ptr<Persistence>> persistence =
      Persistence::begin(**disk, {.log = {.boot_id = boot_id()}, .raise_floor = line.raise_floor},
                         engine, clock, logger.as_log());
  if (!persistence) return tl::unexpected{persistence.error()};
  return Kept{.disk = std::move(*disk), .persistence = std::move(*persistence), .floor = nullptr};
}

int serve(const CommandLine& line) {
  commands::Settings settings;
  const Result<void> set = set_all(settings, line);
  if (!set) return fail(set.error().what);
  make_folder_absolute(settings.values);
  if (settings.values.daemonize && daemon(1, 0) != 0) return fail("it cannot become a daemon");
  Result<Logger> logger = Logger::open(settings.values.log_file);
  if (!logger) return fail(logger.error().what);
  logger->set_level(settings.values.log_level);
  adjust_client_limit(settings.values, *logger);

  SystemClock clock;
  Engine engine{{.settings = settings,
                 .identity = identify(line, settings.values),
                 .hash_seed = draw_seed(),
                 .chance_seed = draw_seed(),
                 .log = logger->as_log()},
                clock};
  commands::Process& process = engine.process();
  furnish(process, *logger);
  announce(process, *logger);

  const auto give_up = [&settings, &logger](const Failure& why) {
    if (!settings.values.log_file.empty()) logger->write(LogLevel::warning, why.what);
    return fail(why.what);
  };
  const Result<Kept> kept = settings.values.append_only ? open_state(line, engine, clock, *logger)
                                                        : open_floor(line, engine, *logger);
  if (!kept) return give_up(kept.error());
  UvServer server{engine, clock, logger->as_log()};
  if (kept->persistence) server.use(*kept->persistence);
  if (kept->floor) server.use(*kept->floor);
  if (const Result<void> listening = server.listen(); !listening) return give_up(listening.error());
  process.settings.listen_at = [&server](std::int64_t port) { return server.listen_at(port); };
  if (const Result<void> ran = server.run(); !ran) return give_up(ran.error());
  kept->close();
  logger->write(LogLevel::warning, "Stopped.");
  return EXIT_SUCCESS;
}

int check(const std::string& folder) {
  const CheckReport report = check_journal(folder);
  fmt::print("{}", report.text);
  return static_cast<int>(report.verdict);
}

int repair(const std::string& folder) {
  const Result<std::string> done = repair_journal(folder);
  if (!done) return fail(done.error().what);
  fmt::print("{}", *done);
  return EXIT_SUCCESS;
}

}  // namespace

int run(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file as large as ulimit -f allows is a full disk
  const std::vector<std::string_view> arguments{words + 1, words + count};
  const Result<CommandLine> line = read_command_line(arguments);
  if (!line) return fail(line.error().what + "; see --help");
  switch (line->wish) {
    case CommandLine::Wish::help:
      fmt::print("{}", help_text());
      return EXIT_SUCCESS;
    case CommandLine::Wish::version:
      fmt::print("fencepost {}\n", commands::kVersion);
      return EXIT_SUCCESS;
    case CommandLine::Wish::check:
      return check(line->folder);
    case CommandLine::Wish::repair:
      return repair(line->folder);
    case CommandLine::Wish::serve:
      return serve(*line);
  }
  return EXIT_FAILURE;
}

}  // namespace fencepost::server

int main(int count, char** words) {
  return fencepost::server::run(count, words);
}
