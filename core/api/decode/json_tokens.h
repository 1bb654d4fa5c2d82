// ReadJsonTokens cuts a JSON text (RFC 8259, UTF-8) into tokens for a TokenSink.
//
// The reader is our own because ingest bounds how many pods a second the engine can take: it hands
// out views into the text where a general lexer copies. It knows only whether a text is JSON; what
// is wrong with one that is not is for core/api/decode/json_fault.h to say.
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
