// What is sent: named sequences of commands, by template.
#include "bench/load/workload.h"

#include <fmt/format.h>

#include "base/random.h"

namespace fencepost::load {

namespace {

constexpr std::size_t kRandomDigits = 12;
constexpr std::uint64_t kKeys = 1'000'000;
// No command of ours holds this byte: it marks the digits until they are found.
constexpr char kMark = '\1';

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), with);
}

Message message_of(const std::string& step, std::size_t connection,
                   const std::vector<std::string>& shas) {
  Message message;
  std::string text = fill_in(step, connection, shas);
  replace_all(text, "{any}", std::string(kRandomDigits, kMark));
  message.bytes = request_of(split(text));
  for (std::size_t at = message.bytes.find(kMark); at != std::string::npos;
       at = message.bytes.find(kMark, at + kRandomDigits))
    message.random_at.push_back(at);
  return message;
}

void append(Message& into, const Message& message) {
  for (const std::size_t at : message.random_at) into.random_at.push_back(into.bytes.size() + at);
  into.bytes += message.bytes;
  into.replies += message.replies;
}

}  // namespace

std::string key_of(std::size_t connection) {
  return fmt::format("lock:res:{:015}", connection);
}

std::string owner_of(std::size_t connection) {
  Random random{connection};
  const std::uint64_t high = random.next();
  return fmt::format("{:016x}{:016x}", high, random.next());
}

std::vector<std::string> load_scripts(int port, const std::vector<std::string>& scripts) {
  std::vector<std::string> shas;
  Client client{port};
  for (const std::string& script : scripts)
    shas.push_back(client.call({"SCRIPT", "LOAD", script}).text);
  return shas;
}

std::string fill_in(std::string text, std::size_t connection,
                    const std::vector<std::string>& shas) {
  replace_all(text, "{key}", key_of(connection));
  replace_all(text, "{owner}", owner_of(connection));
  for (std::size_t at = 0; at < shas.size(); ++at)
    replace_all(text, fmt::format("{{sha{}}}", at), shas[at]);
  return text;
}

std::vector<Message> messages_of(const Workload& workload, std::size_t connection,
                                 std::size_t pipeline, const std::vector<std::string>& shas) {
  std::vector<Message> steps;
  steps.reserve(workload.steps.size());
  for (const std::string& step : workload.steps)
    steps.push_back(message_of(step, connection, shas));
  if (pipeline <= 1) return steps;
  Message all{.bytes = {}, .random_at = {}, .replies = 0};
  for (std::size_t copy = 0; copy < pipeline; ++copy)
    for (const Message& step : steps) append(all, step);
  return {all};
}

void vary(Message& message, std::uint64_t seed) {
  Random random{seed};
  for (const std::size_t at : message.random_at) {
    std::uint64_t number = random.below(kKeys);
    for (std::size_t digit = kRandomDigits; digit-- > 0; number /= 10)
      message.bytes[at + digit] = static_cast<char>('0' + number % 10);
  }
}

}  // namespace fencepost::load
