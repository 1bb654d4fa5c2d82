// The values of literal tokens.
#pragma once

#include <string>
#include <string_view>

#include "core/cel/arena.h"
#include "core/cel/lexer.h"
#include "core/cel/value.h"

namespace stowage::cel {

// The value of an int, uint, double, string or bytes token. An error value names the fault
// ("invalid int literal", "invalid unicode code point").
Value LiteralValue(Arena& arena, const Token& token, bool is_negative);

// Parses as Go's strconv does with base 10: digits with an optional sign. Nothing else may be in
// the text; false if it is no number or out of range.
bool ParseInt(std::string_view text, int64_t* value);
bool ParseUint(std::string_view text, uint64_t* value);
// Decimal or with an exponent, "inf", "infinity" or "nan" in any case; a number out of range is an
// error. DIVERGENCE(hexadecimal-doubles): Go also reads hexadecimal ones.
bool ParseDouble(std::string_view text, double* value);

}  // namespace stowage::cel
