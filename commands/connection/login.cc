// Who may log in, and AUTH.
#include "commands/connection/login.h"

#include "commands/connection/rows.h"
#include "commands/errors.h"
#include "commands/rows.h"

namespace fencepost::commands {

bool may_log_in(const SettingValues& values, std::string_view user, std::string_view password) {
  if (user != kDefaultUser) return false;
  return values.password.empty() || same_secret(values.password, password);
}

bool login_is_due(const SettingValues& values, const Session& session) {
  return !session.logged_in && !values.password.empty();
}

void start_login(const SettingValues& values, Session& session) {
  session.user = kDefaultUser;
  session.logged_in = values.password.empty();
}

bool log_in_or_reply(Context& context, std::string_view user, std::string_view password) {
  if (!may_log_in(context.process.settings.values, user, password)) {
    ++context.process.statistics.acl_denied_auth;
    context.reply.error(kWrongPass);
    return false;
  }
  context.session.user = user;
  context.session.logged_in = true;
  return true;
}

bool same_secret(std::string_view secret, std::string_view given) {
  // volatile, so that the loop cannot be left early at the first difference.
  volatile unsigned char difference = secret.size() == given.size() ? 0 : 1;
  for (std::size_t at = 0; at < given.size(); ++at) {
    const char expected = secret.empty() ? '\0' : secret[at % secret.size()];
    difference = static_cast<unsigned char>(difference | (given[at] ^ expected));
  }
  return difference == 0;
}

namespace {

// AUTH [username] password
void auth(Context& context, Arguments& args) {
  if (args.size() > 3) return context.reply.error(kSyntaxError);
  const bool named = args.size() == 3;
  if (!named && context.process.settings.values.password.empty()) {
    return context.reply.error(
        "ERR AUTH <password> called without any password configured for the default user. "
        "Are you sure your configuration is correct?");
  }
  const std::string_view user = named ? args[1] : kDefaultUser;
  if (log_in_or_reply(context, user, args[args.size() - 1])) context.reply.simple("OK");
}

}  // namespace

Command auth_command() {
  return {.name = "AUTH",
          .group = "connection",
          .since = "1.0.0",
          .summary = "Logs the connection in.",
          .syntax = "[username] password",
          .complexity = "O(n) for n bytes of the password",
          .arity = at_least(2),
          .effect = Effect::session,
          .flags = Flag::no_script | Flag::loading | Flag::stale | Flag::fast | Flag::no_auth |
                   Flag::allow_busy,
          .categories = Category::fast | Category::connection,
          .compat = kSame,
          .run = auth};
}

}  // namespace fencepost::commands
