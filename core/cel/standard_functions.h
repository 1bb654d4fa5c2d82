// The functions behind the rows of standard_functions.cc. Each takes all types of its rows.
#pragma once

#include "core/cel/functions.h"

namespace stowage::cel {

// standard_arithmetic.cc
Value Add(const Call& call);
Value Subtract(const Call& call);
Value Multiply(const Call& call);
Value Divide(const Call& call);
Value Modulo(const Call& call);
Value Negate(const Call& call);
Value Not(const Call& call);
Value Less(const Call& call);
Value LessOrEqual(const Call& call);
Value Greater(const Call& call);
Value GreaterOrEqual(const Call& call);

// standard_conversions.cc
Value ToBool(const Call& call);
Value ToBytes(const Call& call);
Value ToDouble(const Call& call);
Value ToDuration(const Call& call);
Value ToInt(const Call& call);
Value ToString(const Call& call);
Value ToTimestamp(const Call& call);
Value ToUint(const Call& call);

// standard_times.cc
enum class TimePart : uint8_t {
  kFullYear,
  kMonth,
  kDayOfYear,
  kDayOfMonth,
  kDate,
  kDayOfWeek,
  kHours,
  kMinutes,
  kSeconds,
  kMilliseconds,
};
// A part of a timestamp, in UTC or in the time zone of the second argument; or of a duration.
Value GetTimePart(const Call& call, TimePart part);
template <TimePart kPart>
Value Get(const Call& call) {
  return GetTimePart(call, kPart);
}
// The results must be in the years 1 to 9999, and durations in the range of int64 nanoseconds.
Value TimestampPlus(const Value& timestamp, int64_t nanos);
Value TimestampMinus(const Value& a, const Value& b);

}  // namespace stowage::cel
