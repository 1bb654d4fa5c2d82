#include "core/api/decode/duration.h"

#include <limits>

#include "core/base/format.h"

namespace stowage {
namespace {

// Go adds up magnitudes as unsigned numbers, so the smallest int64 has a text too.
constexpr uint64_t kMagnitudeMax = uint64_t{1} << 63;

struct Unit {
  std::string_view name;
  uint64_t nanos;
};

constexpr uint64_t kMicro = 1'000;
constexpr uint64_t kMilli = 1'000'000;
constexpr uint64_t kSecond = 1'000'000'000;

constexpr Unit kUnits[] = {
    {"ns", 1},
    {"us", 1'000},
    {"\xc2\xb5s", 1'000},  // U+00B5 micro sign
    {"\xce\xbcs", 1'000},  // U+03BC Greek letter mu
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A leading decimal number: whole part, and the fraction as numerator over a power of ten.
struct Decimal {
  uint64_t whole = 0;
  uint64_t fraction = 0;
  double scale = 1;
};

std::optional<uint64_t> TakeWhole(std::string_view* text) {
  uint64_t whole = 0;
  while (!text->empty() && IsDigit(text->front())) {
    if (whole > kMagnitudeMax / 10) return std::nullopt;
    whole = whole * 10 + static_cast<uint64_t>(text->front() - '0');
    if (whole > kMagnitudeMax) return std::nullopt;
    text->remove_prefix(1);
  }
  return whole;
}

// Digits beyond the range of int64 are ignored.
void TakeFraction(std::string_view* text, Decimal* decimal) {
  constexpr auto kFractionMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  bool is_full = false;
  for (; !text->empty() && IsDigit(text->front()); text->remove_prefix(1)) {
    auto digit = static_cast<uint64_t>(text->front() - '0');
    is_full = is_full || decimal->fraction > kFractionMax / 10 ||
              decimal->fraction * 10 + digit > kFractionMax;
    if (is_full) continue;
    decimal->fraction = decimal->fraction * 10 + digit;
    decimal->scale *= 10;
  }
}

std::optional<Decimal> TakeDecimal(std::string_view* text) {
  size_t size = text->size();
  std::optional<uint64_t> whole = TakeWhole(text);
  if (!whole.has_value()) return std::nullopt;
  Decimal decimal;
  decimal.whole = *whole;
  size_t digits = size - text->size();
  if (!text->empty() && text->front() == '.') {
    text->remove_prefix(1);
    size_t before = text->size();
    TakeFraction(text, &decimal);
    digits += before - text->size();
  }
  if (digits == 0) return std::nullopt;
  return decimal;
}

const Unit* TakeUnit(std::string_view* text) {
  size_t size = 0;
  while (size < text->size() && (*text)[size] != '.' && !IsDigit((*text)[size])) ++size;
  for (const Unit& unit : kUnits) {
    if (text->substr(0, size) == unit.name) {
      text->remove_prefix(size);
      return &unit;
    }
  }
  return nullptr;
}

// One number with its unit in nanoseconds, as the magnitude.
std::optional<uint64_t> TakePart(std::string_view* text) {
  std::optional<Decimal> decimal = TakeDecimal(text);
  if (!decimal.has_value()) return std::nullopt;
  const Unit* unit = TakeUnit(text);
  if (unit == nullptr || decimal->whole > kMagnitudeMax / unit->nanos) return std::nullopt;
  uint64_t nanos = decimal->whole * unit->nanos;
  if (decimal->fraction > 0) {
    nanos += static_cast<uint64_t>(static_cast<double>(decimal->fraction) *
                                   (static_cast<double>(unit->nanos) / decimal->scale));
  }
  if (nanos > kMagnitudeMax) return std::nullopt;
  return nanos;
}

}  // namespace

std::optional<Duration> Duration::Parse(std::string_view text) {
  bool is_negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    is_negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text == "0") return Duration();
  if (text.empty()) return std::nullopt;
  uint64_t total = 0;
  while (!text.empty()) {
    std::optional<uint64_t> part = TakePart(&text);
    if (!part.has_value()) return std::nullopt;
    total += *part;
    if (total > kMagnitudeMax) return std::nullopt;
  }
  if (is_negative) return Duration{static_cast<int64_t>(0 - total)};
  if (total == kMagnitudeMax) return std::nullopt;
  return Duration{static_cast<int64_t>(total)};
}

std::string Duration::ToText() const {
  if (nanos == 0) return "0s";
  // Also correct for the smallest duration: its magnitude fits into uint64.
  uint64_t magnitude = nanos < 0 ? 0 - static_cast<uint64_t>(nanos) : static_cast<uint64_t>(nanos);
  std::string sign = nanos < 0 ? "-" : "";
  auto in = [](uint64_t amount, uint64_t unit) {
    std::string text = Format("{}", amount / unit);
    if (amount % unit == 0) return text;
    size_t digits = unit == kSecond ? 9 : unit == kMilli ? 6 : 3;
    std::string fraction = Format("{:09}", amount % unit).substr(9 - digits);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return text + "." + fraction;
  };
  if (magnitude < kMicro) return Format("{}{}ns", sign, magnitude);
  if (magnitude < kMilli) return Format("{}{}µs", sign, in(magnitude, kMicro));
  if (magnitude < kSecond) return Format("{}{}ms", sign, in(magnitude, kMilli));
  uint64_t minutes = magnitude / (60 * kSecond);
  std::string seconds = in(magnitude % (60 * kSecond), kSecond) + "s";
  if (minutes == 0) return sign + seconds;
  if (minutes < 60) return Format("{}{}m{}", sign, minutes, seconds);
  return Format("{}{}h{}m{}", sign, minutes / 60, minutes % 60, seconds);
}

}  // namespace stowage
