// Clients as CLIENT LIST shows them: one line each, and which of them a filter means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "commands/arguments.h"
#include "commands/context.h"

namespace fencepost::commands {

// The kinds that CLIENT LIST and CLIENT KILL ask for by name.
enum class ClientType : std::uint8_t { normal, replica, master, pubsub };
std::optional<ClientType> client_type(std::string_view word);
ClientType type_of(const Session& session);
// Reads the word, answering the error itself.
std::optional<ClientType> client_type_or_reply(Context& context, std::string_view word);

// What a client takes of memory, about: what it sent, has announced and is to be sent, what it
// queued, and what it watches, listens to and tracks.
std::size_t client_memory(state::State& state, const Process& process, const Session& session);

// id=7 addr=127.0.0.1:40112 ... resp=2 lib-name= lib-ver= : the fields of Redis 7.2 in their order,
// without a line end. Fields about buffers that do not exist here are 0. The request in work
// counts into qbuf of the client that asks.
std::string client_line(Context& context, const Session& session, Arguments request);

}  // namespace fencepost::commands
