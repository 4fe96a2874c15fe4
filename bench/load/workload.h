// What is sent: named sequences of commands, by template.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/load/client.h"

namespace fencepost::load {

// The steps are done one after the other, each when the one before it was answered; together they
// are one operation. In a step {key} and {owner} stand for the connection's own, {any} for a random
// one of a million numbers of 12 digits, {sha0} {sha1} for the scripts.
struct Workload {
  std::string name;
  std::vector<std::string> steps;
  std::vector<std::string> scripts;  // loaded before
};

// Ready to be sent, but for the random digits.
struct Message {
  std::string bytes;
  std::vector<std::size_t> random_at;  // where {any} stands
  std::size_t replies = 1;
};

std::string key_of(std::size_t connection);    // 24 bytes
std::string owner_of(std::size_t connection);  // 32 bytes

// Loads the scripts; their names in order.
std::vector<std::string> load_scripts(int port, const std::vector<std::string>& scripts);
std::string fill_in(std::string text, std::size_t connection, const std::vector<std::string>& shas);

// The messages of one connection: a step each, or all steps `pipeline` times in one.
std::vector<Message> messages_of(const Workload& workload, std::size_t connection,
                                 std::size_t pipeline, const std::vector<std::string>& shas);

// Writes new random digits.
void vary(Message& message, std::uint64_t random);

}  // namespace fencepost::load
