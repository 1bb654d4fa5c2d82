// ReadJsonTokens cuts a JSON text (RFC 8259, UTF-8) into tokens for a TokenSink.
// core/api/decode/json_reader.h is what reads it.
#pragma once

#include <optional>
#include <string_view>

#include "core/api/decode/json_fault.h"
#include "core/api/decode/token_sink.h"

namespace stowage {

// nullopt when the text is one JSON value, or when the sink stopped the reading. The sink may have
// seen tokens before a fault. A byte order mark before the value is skipped, the number -0 arrives
// as "0", surrogate escapes must be pairs, and a number must fit a double.
std::optional<JsonFault> ReadJsonTokens(std::string_view text, TokenSink& sink);

// The fault alone; nullopt when `text` is one JSON value.
std::optional<JsonFault> FindJsonFault(std::string_view text);

}  // namespace stowage
