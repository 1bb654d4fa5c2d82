// Duration is a time span like metav1.Duration: nanoseconds, with Go's text form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stowage {

struct Duration {
  int64_t nanos = 0;

  // Parses like Go's time.ParseDuration: "10s", "1h15m", "-1.5ms", "0". nullopt for anything else
  // and for spans beyond int64 nanoseconds.
  static std::optional<Duration> Parse(std::string_view text);
  static Duration FromMicros(int64_t micros) { return {micros * 1000}; }
  // Formats like Go's time.Duration.String: "10s", "1m0s", "1.5ms", "0s".
  std::string ToText() const;

  friend auto operator<=>(const Duration&, const Duration&) = default;
};

}  // namespace stowage
