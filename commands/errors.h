// Error texts that more than one family answers with. Redis's own words: clients match on them.
#pragma once

#include <string_view>

namespace fencepost::commands {

constexpr std::string_view kSyntaxError = "ERR syntax error";
constexpr std::string_view kWrongType =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
constexpr std::string_view kNotAnInteger = "ERR value is not an integer or out of range";
constexpr std::string_view kNotAFloat = "ERR value is not a valid float";
constexpr std::string_view kNoSuchKey = "ERR no such key";
constexpr std::string_view kOutOfRange = "ERR value is out of range, must be positive";
constexpr std::string_view kUnblocked = "UNBLOCKED client unblocked via CLIENT UNBLOCK";
constexpr std::string_view kBusy =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
constexpr std::string_view kOutOfMemory = "OOM command not allowed when used memory > 'maxmemory'.";
constexpr std::string_view kLoading = "LOADING Redis is loading the dataset in memory";
constexpr std::string_view kNoAuth = "NOAUTH Authentication required.";

}  // namespace fencepost::commands
