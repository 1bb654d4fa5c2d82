// ReadJsonTokens splits a JSON text (RFC 8259, UTF-8) into tokens for a TokenSink. It uses
// core/api/decode/json_reader.h.
#pragma once

#include <optional>
#include <string_view>

#include "core/api/decode/json_fault.h"
#include "core/api/decode/token_sink.h"

namespace stowage {

// nullopt if the text is one JSON value, or if the sink stopped the reading. The sink may receive
// tokens before an error. A byte order mark before the value is skipped, the number -0 arrives as
// "0", surrogate escapes must come in pairs, and a number must fit into a double.
std::optional<JsonFault> ReadJsonTokens(std::string_view text, TokenSink& sink);

// Only checks; nullopt if `text` is one JSON value.
std::optional<JsonFault> FindJsonFault(std::string_view text);

}  // namespace stowage
