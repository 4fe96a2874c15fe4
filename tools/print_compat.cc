// Prints the tables of redis-compat.md anew from the command rows, or checks that they are up to
// date.
//
//   print_compat FILE           rewrites the file where it is out of date
//   print_compat --check FILE   changes nothing; ends with 1 when it is out of date
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "commands/server/compat_document.h"

namespace {

using fencepost::failure;
using fencepost::Result;

Result<std::string> contents_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return failure("cannot read " + path);
  return text.str();
}

Result<void> write(const std::string& path, std::string_view text) {
  std::ofstream file{path, std::ios::binary};
  file << text << std::flush;
  if (!file) return failure("cannot write " + path);
  return {};
}

enum class Mode { rewrite, check };

Result<void> run(Mode mode, const std::string& path) {
  const auto document = contents_of(path);
  if (!document) return failure(document.error().what);
  const auto printed = fencepost::commands::printed_anew(*document);
  if (!printed) return failure(path + ": " + printed.error().what);
  if (*printed == *document) return {};
  if (mode == Mode::check)
    return failure(path + " is not what the command rows say: run ./dev docs");
  return write(path, *printed);
}

}  // namespace

int main(int count, char** words) {
  const bool checks = count == 3 && std::string_view{words[1]} == "--check";
  if (count != 2 && !checks) {
    std::cerr << "usage: print_compat [--check] FILE\n";
    return 2;
  }
  const auto done = run(checks ? Mode::check : Mode::rewrite, words[count - 1]);
  if (done) return 0;
  std::cerr << done.error().what << "\n";
  return 1;
}
