// ParseDouble reads a decimal number as the double nearest to it, ties to even.
//
// It stands in place of the C library's strtod, which rounds by 128-bit arithmetic that WebAssembly
// lacks: the emulation takes 6 KB of the compressed module. A test compares the two.
#pragma once

#include <optional>
#include <string_view>

namespace stowage {

// `text` is a number as in JSON, which may also begin with '+', '0' or '.' and end with '.':
// digits, then optionally a fraction and an exponent. The result is ±0 or ±infinity where the
// number is too small or too large. Null if the text is anything else, in whole or in part.
std::optional<double> ParseDouble(std::string_view text);

}  // namespace stowage
