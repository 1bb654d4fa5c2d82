// ParseDouble reads a decimal number as the double nearest to it, ties to even.
//
// It stands in place of the C library's strtod, which rounds by 128-bit arithmetic that WebAssembly
// lacks: the emulation takes 6 KB of the compressed module. A test compares the two.
#pragma once

#include <string_view>

namespace stowage {

// `text` is a number as in JSON, which may also begin with '+', '0' or '.': digits, then optionally
// a fraction and an exponent. The result is ±0 or ±infinity where the number is too small or too
// large. Anything else is a CHECK: the caller has checked the grammar.
double ParseDouble(std::string_view text);

}  // namespace stowage
