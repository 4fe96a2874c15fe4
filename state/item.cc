// One key of the keyspace.
#include "state/item.h"

namespace fencepost::state {

std::string_view type_name(Type type) {
  switch (type) {
    case Type::string:
      return "string";
    case Type::lock:
      return "lock";
    case Type::hash:
      return "hash";
    case Type::list:
      return "list";
    case Type::set:
      return "set";
    case Type::sorted_set:
      return "zset";
    case Type::stream:
      return "stream";
  }
  return "none";
}

}  // namespace fencepost::state
