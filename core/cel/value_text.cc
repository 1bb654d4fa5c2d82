#include "core/cel/value_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "core/base/instant.h"
#include "core/cel/standard_functions.h"

namespace stowage::cel {
namespace {

// The shortest digits that read back as the same double, and the place of the decimal point: the
// number is 0.digits · 10^point.
struct Digits {
  std::string digits;
  int point = 0;
};

Digits ShortestDigits(double magnitude) {
  constexpr int kDigitsMax = 17;
  char text[40];
  for (int digits = 0; digits < kDigitsMax; ++digits) {
    std::snprintf(text, sizeof(text), "%.*e", digits, magnitude);
    if (std::strtod(text, nullptr) == magnitude) break;
  }
  Digits result;
  const char* at = text;
  for (; *at != 'e'; ++at) {
    if (*at != '.') result.digits += *at;
  }
  result.point = std::atoi(at + 1) + 1;
  while (result.digits.size() > 1 && result.digits.back() == '0') result.digits.pop_back();
  if (magnitude == 0) result.point = 1;
  return result;
}

std::string SpecialText(double value) {
  if (std::isnan(value)) return "NaN";
  return std::isinf(value) ? (value > 0 ? "+Inf" : "-Inf") : "";
}

std::string Fixed(const Digits& number) {
  std::string text = number.digits;
  auto size = static_cast<int>(text.size());
  if (number.point <= 0) return "0." + std::string(static_cast<size_t>(-number.point), '0') + text;
  if (number.point >= size) {
    return text + std::string(static_cast<size_t>(number.point - size), '0');
  }
  return text.insert(static_cast<size_t>(number.point), 1, '.');
}

std::string Scientific(const Digits& number) {
  int exponent = number.point - 1;
  std::string text = number.digits;
  if (text.size() > 1) text.insert(1, 1, '.');
  std::string digits = std::to_string(std::abs(exponent));
  return text + (exponent < 0 ? "e-" : "e+") + (digits.size() < 2 ? "0" : "") + digits;
}

}  // namespace

std::string DoubleText(double value) {
  std::string special = SpecialText(value);
  if (!special.empty()) return special;
  constexpr int kExponentMin = -4;
  constexpr int kExponentEnd = 6;
  Digits number = ShortestDigits(std::fabs(value));
  int exponent = number.point - 1;
  bool is_fixed = exponent >= kExponentMin && exponent < kExponentEnd;
  return (std::signbit(value) ? "-" : "") + (is_fixed ? Fixed(number) : Scientific(number));
}

std::string FixedDoubleText(double value) {
  std::string special = SpecialText(value);
  if (!special.empty()) return special;
  return (std::signbit(value) ? "-" : "") + Fixed(ShortestDigits(std::fabs(value)));
}

std::string PlainText(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return value.bool_value() ? "true" : "false";
    case Kind::kInt:
      return std::to_string(value.int_value());
    case Kind::kUint:
      return std::to_string(value.uint_value());
    case Kind::kDouble:
      return DoubleText(value.double_value());
    case Kind::kString:
      return std::string(value.text());
    default:
      return std::string(value.type_name());
  }
}

namespace {

constexpr struct {
  std::string_view name;
  int64_t nanos;
} kUnits[] = {
    {"ns", 1},
    {"us", 1000},
    {"\u00b5s", 1000},
    {"\u03bcs", 1000},
    {"ms", 1'000'000},
    {"s", kNanosPerSecond},
    {"m", 60 * kNanosPerSecond},
    {"h", 3600 * kNanosPerSecond},
};

// Takes one number with its unit from the front of `text` and adds it.
bool AddDurationPart(std::string_view* text, uint64_t* total) {
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  size_t end = text->find_first_not_of("0123456789.");
  std::string_view number = text->substr(0, end);
  if (end == std::string_view::npos || number.empty() || number == ".") return false;
  text->remove_prefix(end);
  std::string_view unit_name = text->substr(0, text->find_first_of("0123456789."));
  text->remove_prefix(unit_name.size());
  uint64_t unit = 0;
  for (const auto& row : kUnits) {
    if (row.name == unit_name) unit = static_cast<uint64_t>(row.nanos);
  }
  if (unit == 0) return false;
  uint64_t part = 0;
  size_t dot = number.find('.');
  for (char digit : number.substr(0, dot)) {
    if (part > kLimit / 10) return false;
    part = part * 10 + static_cast<uint64_t>(digit - '0');
  }
  if (part > kLimit / unit) return false;
  part *= unit;
  uint64_t scale = unit;
  uint64_t fraction = 0;
  // Digits behind the ninth are below a nanosecond for every unit up to the second.
  double fraction_scale = 1;
  for (char digit : dot == std::string_view::npos ? "" : number.substr(dot + 1)) {
    if (digit == '.') return false;
    if (fraction > (kLimit - 1) / 10) continue;
    fraction = fraction * 10 + static_cast<uint64_t>(digit - '0');
    fraction_scale *= 10;
  }
  part += static_cast<uint64_t>(static_cast<double>(fraction) *
                                (static_cast<double>(scale) / fraction_scale));
  *total += part;
  return *total <= kLimit;
}

}  // namespace

bool ParseDuration(std::string_view text, int64_t* nanos) {
  bool is_negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  *nanos = 0;
  if (text == "0") return true;
  if (text.empty()) return false;
  uint64_t total = 0;
  while (!text.empty()) {
    if (!AddDurationPart(&text, &total)) return false;
  }
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  if (total == kLimit && !is_negative) return false;
  *nanos = static_cast<int64_t>(is_negative ? 0 - total : total);
  return true;
}

std::string DurationText(int64_t nanos) {
  double seconds = static_cast<double>(nanos / kNanosPerSecond) +
                   static_cast<double>(nanos % kNanosPerSecond) / 1e9;
  return FixedDoubleText(seconds) + 's';
}

Value ParseTimestamp(std::string_view text) {
  std::optional<Instant> instant = Instant::Parse(text);
  if (!instant) return Value::Error("invalid timestamp");
  bool is_in_range =
      instant->seconds >= kTimestampSecondsMin && instant->seconds <= kTimestampSecondsMax;
  if (!is_in_range) return Value::Error("timestamp overflow");
  return Value::Timestamp(instant->seconds, static_cast<uint32_t>(instant->nanos));
}

std::string TimestampText(const Value& timestamp) {
  std::string text = Instant{timestamp.seconds(), 0}.ToRfc3339();
  if (timestamp.nanos() == 0) return text;
  std::string fraction = std::to_string(kNanosPerSecond + timestamp.nanos());
  while (fraction.back() == '0') fraction.pop_back();
  text.pop_back();
  return text + '.' + fraction.substr(1) + 'Z';
}

}  // namespace stowage::cel
