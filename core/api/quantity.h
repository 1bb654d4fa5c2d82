// Quantity is an exact Kubernetes quantity ("100m", "1.5Gi", "1e3"), spec 01 §5.
//
// It has two representations, as in the reference: small numbers are int64 · 10^scale, all others
// are arbitrary-precision decimals. They differ only in conversions to int64 that overflow: the
// first yields 0, the second wraps modulo 2^64.
//
// Two bounds apply where the reference would run out of time or memory: a text whose number needs
// more than BigDecimal::kDigitsMax digits is rejected, and a sum that would need more is the larger
// summand. Exponents are parsed as int64 and cut to 32 bits, as in the reference.
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

// Why a text is not a quantity; the texts are exactly those of spec 01 §5.1.
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

  int64_t Value() const;       // rounded up, away from zero
  int64_t MilliValue() const;  // 1000·q, rounded up, away from zero
  // The exact value in thousandths; nullopt if it is not a whole number of them, or very large.
  std::optional<int64_t> WholeMilliValue() const {
    constexpr int64_t kLarge = std::numeric_limits<int64_t>::max() / 1000;
    if (big_ != nullptr || value_ > kLarge || value_ < -kLarge) return std::nullopt;
    if (scale_ == 0) return value_ * 1000;
    return scale_ == -3 ? std::optional<int64_t>(value_) : std::nullopt;
  }
  // The value if it is an integer that fits; nullopt also if it is written with a fraction or a
  // suffix below one ("1000m"), or with more digits than a small number has.
  std::optional<int64_t> AsInt64() const;
  double AsApproximateFloat64() const;
  int Sign() const;  // -1, 0, 1
  bool IsZero() const { return Sign() == 0; }

  void Add(const Quantity& other);       // exact; 0 takes over the other's format
  void Sub(const Quantity& other);       // likewise
  void Multiply(const Quantity& other);  // exact; keeps the format
  // Exact: negative if this is less than `other`, 0 if equal, positive if greater.
  int Compare(const Quantity& other) const;
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.Compare(b) == 0; }

  // Whether both are equal and written in the same way. May return false for some that are.
  bool IsIdentical(const Quantity& other) const {
    return value_ == other.value_ && scale_ == other.scale_ && format_ == other.format_ &&
           big_ == other.big_ && text_ == other.text_;
  }

  Format format() const { return format_; }
  // The canonical text, or the parsed text where the reference keeps it (spec 01 §5.3). It parses
  // back to an equal quantity.
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
  std::shared_ptr<const BigDecimal> big_;  // if set, holds the number instead of value_ and scale_
  Symbol text_;                            // the parsed text, if it is not the canonical one
};

}  // namespace stowage
