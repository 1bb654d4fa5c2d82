#include "core/config/field_error_list.h"

#include <algorithm>
#include <cstdint>

#include "core/base/format.h"

namespace stowage {
namespace {

constexpr uint64_t kNanosPerSecond = 1'000'000'000;

// Formats `value` in units of `unit`, with as many decimals as needed.
std::string WithFraction(uint64_t value, uint64_t unit) {
  std::string text = Format("{}", value / unit);
  uint64_t rest = value % unit;
  if (rest == 0) return text;
  text += '.';
  for (uint64_t digit = unit / 10; rest != 0; digit /= 10) {
    text += static_cast<char>('0' + rest / digit);
    rest %= digit;
  }
  return text;
}

std::string SubSecondText(uint64_t nanos) {
  if (nanos < 1000) return Format("{}ns", nanos);
  if (nanos < 1'000'000) return WithFraction(nanos, 1000) + "µs";
  return WithFraction(nanos, 1'000'000) + "ms";
}

}  // namespace

ConfigurationError ConfigurationError::Aggregate(std::vector<Entry> entries) {
  ConfigurationError error;
  for (Entry& entry : entries) {
    bool is_known = std::any_of(error.errors.begin(), error.errors.end(),
                                [&](const Entry& other) { return other.detail == entry.detail; });
    if (is_known) continue;
    if (!error.errors.empty()) error.message += ", ";
    error.message += entry.detail;
    error.errors.push_back(std::move(entry));
  }
  if (error.errors.size() > 1) error.message = "[" + error.message + "]";
  return error;
}

void FieldErrorList::Invalid(const FieldPath& path, std::string_view value,
                             std::string_view detail) {
  Add(path.text(), Format("{}: Invalid value: {}: {}", path.text(), value, detail));
}

void FieldErrorList::Required(const FieldPath& path, std::string_view detail) {
  std::string text = path.text() + ": Required value";
  if (!detail.empty()) text += Format(": {}", detail);
  Add(path.text(), std::move(text));
}

void FieldErrorList::Duplicate(const FieldPath& path, std::string_view value) {
  Add(path.text(), Format("{}: Duplicate value: {}", path.text(), value));
}

void FieldErrorList::Forbidden(const FieldPath& path, std::string_view detail) {
  Add(path.text(), Format("{}: Forbidden: {}", path.text(), detail));
}

void FieldErrorList::NotSupported(const FieldPath& path, std::string_view value,
                                  std::initializer_list<std::string_view> supported) {
  Add(path.text(), UnsupportedValue(path.text(), value, supported));
}

std::string DurationText(Duration duration) {
  if (duration.nanos == 0) return "0s";
  std::string sign = duration.nanos < 0 ? "-" : "";
  uint64_t nanos = static_cast<uint64_t>(duration.nanos);
  if (duration.nanos < 0) nanos = -nanos;
  if (nanos < kNanosPerSecond) return sign + SubSecondText(nanos);

  uint64_t minutes = nanos / (60 * kNanosPerSecond);
  std::string text = WithFraction(nanos % (60 * kNanosPerSecond), kNanosPerSecond) + "s";
  if (minutes > 0) text = Format("{}m{}", minutes % 60, text);
  if (minutes >= 60) text = Format("{}h{}", minutes / 60, text);
  return sign + text;
}

}  // namespace stowage
