// Timestamps and durations of the standard library.
//
// DIVERGENCE(time-zones): time zones are "UTC" and offsets ("+05:30"). The names of the IANA
// database are unknown, because the database is larger than the engine.
#include <optional>

#include "core/cel/literals.h"
#include "core/cel/standard_functions.h"
#include "core/cel/time_text.h"

namespace stowage::cel {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

struct Date {
  int64_t year;
  int64_t month;        // from 0
  int64_t day;          // of the month, from 1
  int64_t day_of_year;  // from 0
};

bool IsLeap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// Days before the first of January of a year, counted from the year 1.
int64_t DaysBefore(int64_t year) {
  int64_t past = year - 1;
  return past * 365 + FloorDivide(past, 4) - FloorDivide(past, 100) + FloorDivide(past, 400);
}

Date DateOf(int64_t days_since_epoch) {
  constexpr int64_t kDaysBeforeEpoch = 719'162;
  constexpr int64_t kDaysPer400Years = 146'097;
  constexpr int8_t kDaysOfMonth[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int64_t days = days_since_epoch + kDaysBeforeEpoch;
  int64_t year = FloorDivide(days * 400, kDaysPer400Years) + 1;
  while (DaysBefore(year) > days) --year;
  while (DaysBefore(year + 1) <= days) ++year;
  Date date = {year, 0, 0, days - DaysBefore(year)};
  int64_t left = date.day_of_year;
  for (; date.month < 11; ++date.month) {
    int64_t length = kDaysOfMonth[date.month] + (date.month == 1 && IsLeap(year) ? 1 : 0);
    if (left < length) break;
    left -= length;
  }
  date.day = left + 1;
  return date;
}

// The offset of a time zone in seconds; nullopt if it is unknown.
std::optional<int64_t> OffsetOf(std::string_view zone) {
  if (zone.empty() || zone == "UTC" || zone == "Local") return 0;
  size_t colon = zone.find(':');
  int64_t hours = 0;
  int64_t minutes = 0;
  if (colon == std::string_view::npos || !ParseInt(zone.substr(0, colon), &hours) ||
      !ParseInt(zone.substr(colon + 1), &minutes)) {
    return std::nullopt;
  }
  constexpr int64_t kHoursMax = 24 * 366;
  if (hours < -kHoursMax || hours > kHoursMax || minutes < -60 || minutes > 60) {
    return std::nullopt;
  }
  return (hours * 60 + (zone.front() == '-' ? -minutes : minutes)) * 60;
}

Value PartOfDuration(int64_t nanos, TimePart part) {
  constexpr int64_t kNanosPerMilli = 1'000'000;
  switch (part) {
    case TimePart::kHours:
      return Value::Int(nanos / (3600 * kNanosPerSecond));
    case TimePart::kMinutes:
      return Value::Int(nanos / (60 * kNanosPerSecond));
    case TimePart::kSeconds:
      return Value::Int(nanos / kNanosPerSecond);
    default:
      return Value::Int(nanos / kNanosPerMilli);
  }
}

Value InRange(int64_t seconds, int64_t nanos) {
  if (!IsInTimestampRange(seconds)) return Value::Error("timestamp overflow");
  return Value::Timestamp(seconds, static_cast<uint32_t>(nanos));
}

}  // namespace

Value GetTimePart(const Call& call, TimePart part) {
  const Value& time = call[0];
  if (time.kind() == Kind::kDuration) return PartOfDuration(time.int_value(), part);
  std::string_view zone = call.arguments.size() > 1 ? call[1].text() : "UTC";
  std::optional<int64_t> offset = OffsetOf(zone);
  if (!offset) return ValueBuilder::Error(call.arena, {"unknown time zone ", zone});
  int64_t seconds = time.seconds() + *offset;
  int64_t days = FloorDivide(seconds, kSecondsPerDay);
  int64_t second_of_day = seconds - days * kSecondsPerDay;
  constexpr int64_t kEpochWeekday = 4;  // a Thursday
  Date date = DateOf(days);
  switch (part) {
    case TimePart::kFullYear:
      return Value::Int(date.year);
    case TimePart::kMonth:
      return Value::Int(date.month);
    case TimePart::kDayOfYear:
      return Value::Int(date.day_of_year);
    case TimePart::kDayOfMonth:
      return Value::Int(date.day - 1);
    case TimePart::kDate:
      return Value::Int(date.day);
    case TimePart::kDayOfWeek:
      return Value::Int(days + kEpochWeekday - FloorDivide(days + kEpochWeekday, 7) * 7);
    case TimePart::kHours:
      return Value::Int(second_of_day / 3600);
    case TimePart::kMinutes:
      return Value::Int(second_of_day / 60 % 60);
    case TimePart::kSeconds:
      return Value::Int(second_of_day % 60);
    default:
      return Value::Int(time.nanos() / 1'000'000);
  }
}

Value TimestampPlus(const Value& timestamp, int64_t nanos) {
  int64_t total = static_cast<int64_t>(timestamp.nanos()) + nanos % kNanosPerSecond;
  int64_t carry = FloorDivide(total, kNanosPerSecond);
  return InRange(timestamp.seconds() + nanos / kNanosPerSecond + carry,
                 total - carry * kNanosPerSecond);
}

Value TimestampMinus(const Value& a, const Value& b) {
  int64_t nanos = 0;
  bool overflows =
      __builtin_mul_overflow(a.seconds() - b.seconds(), kNanosPerSecond, &nanos) ||
      __builtin_add_overflow(nanos, static_cast<int64_t>(a.nanos()) - b.nanos(), &nanos);
  return overflows ? Value::Error("duration overflow") : Value::Duration(nanos);
}

}  // namespace stowage::cel
