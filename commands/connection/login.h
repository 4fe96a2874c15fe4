// Who may log in. There is one user, "default", and one password, requirepass.
#pragma once

#include <string_view>

#include "commands/context.h"

namespace fencepost::commands {

constexpr std::string_view kDefaultUser = "default";
constexpr std::string_view kWrongPass =
    "WRONGPASS invalid username-password pair or user is disabled.";

// Without requirepass the default user gets in with any password, as in Redis.
bool may_log_in(const SettingValues& values, std::string_view user, std::string_view password);

// A request of this session would be answered NOAUTH: a password is set and was not given yet. A
// session that was there before the password was set stays logged in.
bool login_is_due(const SettingValues& values, const Session& session);

// What a new connection, and one that was RESET, starts with.
void start_login(const SettingValues& values, Session& session);

// Logs the session in, or answers WRONGPASS, counts it and returns false.
bool log_in_or_reply(Context& context, std::string_view user, std::string_view password);

// Compares in a time that depends on the length of `given` alone.
bool same_secret(std::string_view secret, std::string_view given);

}  // namespace fencepost::commands
