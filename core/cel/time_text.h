// Durations and timestamps as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/instant.h"

namespace stowage::cel {

// Nanoseconds of a text like "1h30m", "-1.5s" or "0", as Go's time.ParseDuration; nullopt if it is
// none, or out of range.
std::optional<int64_t> ParseDuration(std::string_view text);
// In seconds, like string(duration): "5400s", "-1.5s".
std::string DurationText(int64_t nanos);

enum class TimestampFault : uint8_t { kNone, kNoTimestamp, kOutOfRange };
// Whether the point in time is in the years 1 to 9999, CEL's range.
bool IsInTimestampRange(int64_t seconds);
// RFC 3339 with any fraction and offset. kNoTimestamp: cel-go reports the text as not convertible.
TimestampFault ParseTimestamp(std::string_view text, Instant* instant);
// RFC 3339 in UTC, the fraction without trailing zeros.
std::string TimestampText(Instant instant);

}  // namespace stowage::cel
