// CONFIG REWRITE on disk: the config file, with the settings of now in it.
#pragma once

#include <string>

#include "base/result.h"
#include "commands/server/settings.h"

namespace fencepost::server {

// Reads the file, and puts the rewritten text (commands/server/config_file.h) in its place in one
// step: whoever reads it, even after a power failure, finds the old one or the new one, whole. A
// file that is not there yet is made; a symbolic link stays one. The failure is the system's own
// sentence.
Result<void> rewrite_config_file(const std::string& path, const commands::Settings& settings);

}  // namespace fencepost::server
