// One key of the keyspace.
#include "state/item.h"

namespace fencepost::state {

std::string_view type_name(Type type) {
  switch (type) {
    case Type::string:
      return "string";
    case Type::lock:
      return "lock";
  }
  return "none";
}

}  // namespace fencepost::state
