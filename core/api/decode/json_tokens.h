// ReadJsonTokens cuts a JSON text into tokens for a TokenSink. Whatever library reads JSON is
// hidden here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/decode/token_sink.h"

namespace stowage {

// Where and why a text is no JSON. The message is one line of valid UTF-8.
struct TokenFault {
  size_t offset = 0;  // in bytes, at most the size of the text
  bool is_invalid_utf8 = false;
  std::string message;
};

// nullopt when the text is one JSON value, or when the sink stopped the reading. The sink may have
// seen tokens before a fault. Integers arrive without leading "-0"; surrogate escapes must be
// pairs.
std::optional<TokenFault> ReadJsonTokens(std::string_view text, TokenSink& sink);

// The fault alone; nullopt when `text` is one JSON value.
std::optional<TokenFault> FindJsonFault(std::string_view text);

}  // namespace stowage
