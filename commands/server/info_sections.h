// The sections of INFO, in the order in which they are printed.
#pragma once

#include <span>
#include <string_view>

#include "commands/context.h"
#include "commands/server/info_text.h"

namespace fencepost::commands {

struct InfoSection {
  std::string_view name;  // as INFO is asked for it
  std::string_view heading;
  bool by_default = true;  // INFO without arguments prints it; else only INFO ALL and by name
  void (*write)(Context&, InfoText&) = nullptr;
};

std::span<const InfoSection> info_sections();

}  // namespace fencepost::commands
