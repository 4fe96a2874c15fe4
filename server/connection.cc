// One client as the engine keeps it.
#include "server/connection.h"

#include <utility>

#include <fmt/format.h>

namespace fencepost::server {

// What was consumed is cut off only once it is the greater part, so that a long pipeline which
// stops at every request is not moved again at each of them.
void Unfinished::append(std::string_view more) {
  if (at > bytes.size() / 2) {
    bytes.erase(0, at);
    at = 0;
  }
  bytes.append(more);
}

std::string Connection::label() const {
  return fmt::format("id={} addr={}", static_cast<std::uint64_t>(session.id), session.address);
}

void Connection::keep(std::string_view rest, resp::RequestParser parser) {
  if (rest.empty()) return;
  unfinished = std::make_unique<Unfinished>(
      Unfinished{.bytes = std::string{rest}, .at = 0, .parser = std::move(parser)});
}

void Connection::release_if_done() {
  if (unfinished && unfinished->at == unfinished->bytes.size()) unfinished.reset();
}

}  // namespace fencepost::server
