// The tokens of an expression, CEL's lexical grammar.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/cel/issues.h"

namespace stowage::cel {

enum class TokenKind : uint8_t {
  kEnd,
  kIdent,
  kEscapedIdent,  // `a-b`, with the quotes
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kSymbol,  // operators and brackets, and the words in, true, false, null
};

struct Token {
  TokenKind kind;
  uint32_t position;      // byte of the source
  std::string_view text;  // as in the source; "<EOF>" at the end

  bool Is(std::string_view symbol) const { return kind == TokenKind::kSymbol && text == symbol; }
};

// All tokens of the source and kEnd. Reports what is no token, and goes on behind it.
std::vector<Token> Tokenize(Issues* issues);

}  // namespace stowage::cel
