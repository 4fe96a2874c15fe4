// The two versions that replies name: our own, and the Redis version whose behaviour clients may
// expect.
#pragma once

#include <string_view>

namespace fencepost::commands {

constexpr std::string_view kVersion = FENCEPOST_VERSION;
// Libraries gate on it: Sidekiq wants 6.2, BullMQ 7.0.8; from 8.4 on StackExchange.Redis sends
// DELEX and SET IFEQ.
constexpr std::string_view kRedisVersion = "7.2.4";

}  // namespace fencepost::commands
