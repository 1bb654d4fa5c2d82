// Instant is a point in time as data: seconds since the epoch and nanoseconds.
//
// The engine never reads a clock; instants come with objects (RFC 3339 texts, metav1.Time) or with
// a call (`now`, integer microseconds).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stowage {

struct Instant {
  int64_t seconds = 0;
  int32_t nanos = 0;

  static Instant FromMicros(int64_t micros);
  // Parses RFC 3339 with any fraction and offset, like Go's time.RFC3339; nullopt if invalid.
  static std::optional<Instant> Parse(std::string_view text);

  int64_t ToMicros() const { return seconds * 1'000'000 + nanos / 1000; }
  // "2026-03-01T12:00:00Z", the text of metav1.Time (whole seconds).
  std::string ToRfc3339() const;
  // "2026-03-01T12:00:00.250000Z", the text of metav1.MicroTime.
  std::string ToMicroTime() const;
  void AppendMicroTime(std::string* out) const;

  friend auto operator<=>(const Instant&, const Instant&) = default;
};

}  // namespace stowage
