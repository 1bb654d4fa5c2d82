// Quantity is an exact Kubernetes quantity ("100m", "1.5Gi", "1e3"), spec 01 §5.
//
// Two representations, as in the reference: small numbers are int64 · 10^scale, everything else is
// an arbitrary-precision decimal. They differ only when converted to int64 with overflow: the first
// yields 0, the second wraps modulo 2^64.
//
// Bounds, where the reference would run out of time or memory: a text whose number needs more than
// BigDecimal::kDigitsMax digits is refused, and a sum that would need more is the larger summand.
// Exponents are read as int64 and cut to 32 bits, as in the reference.
// Counterpart: apimachinery/pkg/api/resource/quantity.go, v1.36.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/symbol.h"

namespace stowage {

class BigDecimal;
struct QuantityText;

// Why a text is no quantity; the exact texts are those of spec 01 §5.1.
struct QuantityError {
  std::string_view message;
};

class Quantity {
 public:
  enum class Format : uint8_t { kDecimalSI, kBinarySI, kDecimalExponent };

  Quantity() = default;  // 0, DecimalSI
  // value · 10^scale.
  explicit Quantity(int64_t value, int32_t scale = 0, Format format = Format::kDecimalSI)
      : value_(value), scale_(scale), format_(format) {}

  static Result<Quantity, QuantityError> Parse(std::string_view text);

  int64_t Value() const;       // ceiling, away from zero
  int64_t MilliValue() const;  // ceiling of 1000·q, away from zero
  // The same where it is exact; nullopt where it is not, or very large.
  std::optional<int64_t> WholeMilliValue() const {
    constexpr int64_t kLarge = std::numeric_limits<int64_t>::max() / 1000;
    if (big_ != nullptr || value_ > kLarge || value_ < -kLarge) return std::nullopt;
    if (scale_ == 0) return value_ * 1000;
    return scale_ == -3 ? std::optional<int64_t>(value_) : std::nullopt;
  }
  int Sign() const;  // -1, 0, 1
  bool IsZero() const { return Sign() == 0; }

  void Add(const Quantity& other);  // exact; a zero takes over the other's format
  // Negative, 0 or positive as this is smaller than, equal to or greater than `other`; exact.
  int Compare(const Quantity& other) const;
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.Compare(b) == 0; }

  // Equal, and written in the same way. False is said of some that are.
  bool IsIdentical(const Quantity& other) const {
    return value_ == other.value_ && scale_ == other.scale_ && format_ == other.format_ &&
           big_ == other.big_ && text_ == other.text_;
  }

  Format format() const { return format_; }
  // Canonical text, or the parsed text where the reference keeps it (spec 01 §5.3). It parses back
  // to an equal quantity.
  std::string ToString() const;

 private:
  Quantity(BigDecimal number, Format format);
  static Result<Quantity, QuantityError> ParseAny(std::string_view text);
  static Result<Quantity, QuantityError> ParseBig(const QuantityText& parts);
  int64_t Scaled(int32_t scale) const;
  BigDecimal ToBigDecimal() const;

  int64_t value_ = 0;
  int32_t scale_ = 0;
  Format format_ = Format::kDecimalSI;
  std::shared_ptr<const BigDecimal> big_;  // set: holds the number instead of value_ and scale_
  Symbol text_;  // set: the parsed text, where it is not the canonical one
};

}  // namespace stowage
