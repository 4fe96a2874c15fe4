// Result<T>: a value, or why the world did not give one.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace fencepost {

// What failed, in words for the log or for the one who asked.
struct Failure {
  std::string what;
};

template <typename T>
using Result = tl::expected<T, Failure>;

inline tl::unexpected<Failure> failure(std::string what) {
  return tl::unexpected<Failure>(Failure{std::move(what)});
}

}  // namespace fencepost
