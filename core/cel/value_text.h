// Texts of values, as conversions and messages have them.
#pragma once

#include <string>

#include "core/cel/value.h"

namespace stowage::cel {

// As Go's %v prints a key: texts without quotes, numbers, bools; the type's name for any other.
std::string PlainText(const Value& value);
// The shortest decimal that reads back as the same double, like Go's format 'g': "0.1", "1e+06",
// "+Inf".
std::string DoubleText(double value);
// Without an exponent, like Go's format 'f'.
std::string FixedDoubleText(double value);

// Go's time.ParseDuration ("1h30m", "-1.5s", "2us") in nanoseconds; false if it is none or out of
// range.
bool ParseDuration(std::string_view text, int64_t* nanos);
// In seconds: "5400s", "0.002s".
std::string DurationText(int64_t nanos);
// RFC 3339; the error value if it is none, or not in the years 1 to 9999.
Value ParseTimestamp(std::string_view text);
// RFC 3339 in UTC, with as many digits of the fraction as needed.
std::string TimestampText(const Value& timestamp);

}  // namespace stowage::cel
