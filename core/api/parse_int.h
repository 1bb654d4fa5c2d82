// ParseInt64 parses an integer like Go's strconv.ParseInt(text, 10, 64).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage {

// Accepts one optional sign, then digits only, with leading zeros; nullopt for anything else and
// for values out of range.
inline std::optional<int64_t> ParseInt64(std::string_view text) {
  bool is_negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    int64_t digit = is_negative ? '0' - c : c - '0';
    if (__builtin_mul_overflow(value, int64_t{10}, &value)) return std::nullopt;
    if (__builtin_add_overflow(value, digit, &value)) return std::nullopt;
  }
  return value;
}

}  // namespace stowage
