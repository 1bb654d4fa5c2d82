#include "core/cel/time_text.h"

#include "core/cel/double_text.h"

namespace stowage::cel {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr uint64_t kDurationEnd = uint64_t{1} << 63;
constexpr int64_t kTimestampMin = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr int64_t kTimestampMax = 253'402'300'799;  // 9999-12-31T23:59:59Z

struct Unit {
  std::string_view name;
  uint64_t nanos;
};
constexpr Unit kUnits[] = {
    {"ns", 1},         {"us", 1'000},        {"\u00B5s", 1'000},    {"\u03BCs", 1'000},
    {"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

uint64_t UnitNanos(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit.nanos;
  }
  return 0;
}

// Digits; false if they exceed 2^63.
bool TakeWhole(std::string_view* text, uint64_t* value) {
  for (*value = 0; !text->empty() && IsDigit(text->front()); text->remove_prefix(1)) {
    if (*value > kDurationEnd / 10) return false;
    *value = *value * 10 + static_cast<uint64_t>(text->front() - '0');
    if (*value > kDurationEnd) return false;
  }
  return true;
}

// Digits behind the point, as value / scale; those that do not fit are cut.
void TakeFraction(std::string_view* text, uint64_t* value, double* scale) {
  bool is_full = false;
  for (; !text->empty() && IsDigit(text->front()); text->remove_prefix(1)) {
    is_full = is_full || *value > (kDurationEnd - 1) / 10;
    if (is_full) continue;
    uint64_t next = *value * 10 + static_cast<uint64_t>(text->front() - '0');
    is_full = next > kDurationEnd;
    if (is_full) continue;
    *value = next;
    *scale *= 10;
  }
}

// One part, such as "1.5h"; false if it is none, or out of range.
bool TakePart(std::string_view* text, uint64_t* nanos) {
  uint64_t whole = 0;
  uint64_t fraction = 0;
  double scale = 1;
  size_t length = text->size();
  if (!TakeWhole(text, &whole)) return false;
  bool has_digits = text->size() != length;
  if (!text->empty() && text->front() == '.') {
    text->remove_prefix(1);
    length = text->size();
    TakeFraction(text, &fraction, &scale);
    has_digits = has_digits || text->size() != length;
  }
  size_t name_end = 0;
  while (name_end < text->size() && (*text)[name_end] != '.' && !IsDigit((*text)[name_end])) {
    ++name_end;
  }
  uint64_t unit = UnitNanos(text->substr(0, name_end));
  text->remove_prefix(name_end);
  if (!has_digits || unit == 0 || whole > kDurationEnd / unit) return false;
  *nanos = whole * unit;
  if (fraction > 0) {
    *nanos +=
        static_cast<uint64_t>(static_cast<double>(fraction) * (static_cast<double>(unit) / scale));
  }
  return *nanos <= kDurationEnd;
}

}  // namespace

std::optional<int64_t> ParseDuration(std::string_view text) {
  bool is_negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  uint64_t sum = 0;
  while (!text.empty()) {
    uint64_t part = 0;
    if (!TakePart(&text, &part)) return std::nullopt;
    sum += part;
    if (sum > kDurationEnd) return std::nullopt;
  }
  if (is_negative) return static_cast<int64_t>(0 - sum);
  if (sum == kDurationEnd) return std::nullopt;
  return static_cast<int64_t>(sum);
}

std::string DurationText(int64_t nanos) {
  double seconds = static_cast<double>(nanos / kNanosPerSecond) +
                   static_cast<double>(nanos % kNanosPerSecond) / 1e9;
  return PlainDoubleText(seconds) + "s";
}

bool IsInTimestampRange(int64_t seconds) {
  return seconds >= kTimestampMin && seconds <= kTimestampMax;
}

TimestampFault ParseTimestamp(std::string_view text, Instant* instant) {
  std::optional<Instant> parsed = Instant::Parse(text);
  if (!parsed) return TimestampFault::kNoTimestamp;
  *instant = *parsed;
  return IsInTimestampRange(parsed->seconds) ? TimestampFault::kNone : TimestampFault::kOutOfRange;
}

std::string TimestampText(Instant instant) {
  std::string text = instant.ToRfc3339();
  if (instant.nanos == 0) return text;
  std::string fraction = std::to_string(kNanosPerSecond + instant.nanos);
  fraction[0] = '.';
  fraction.resize(fraction.find_last_not_of('0') + 1);
  text.insert(text.size() - 1, fraction);
  return text;
}

}  // namespace stowage::cel
