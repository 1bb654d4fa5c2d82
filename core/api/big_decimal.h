// BigDecimal is an exact decimal number of any length, ± magnitude · 10^scale.
//
// Quantity uses it for numbers that do not fit into int64. Values are small in practice, so every
// operation uses the schoolbook algorithm. Scales may be huge ("1e2000000000"), so no operation
// writes out more than kDigitsMax digits because of a scale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

class BigDecimal {
 public:
  static constexpr int64_t kDigitsMax = 2000;

  BigDecimal() = default;  // 0
  BigDecimal(int64_t value, int64_t scale);
  // `digits` are ASCII digits, none meaning 0.
  static BigDecimal FromDigits(std::string_view digits, int64_t scale);

  int Sign() const { return limbs_.empty() ? 0 : is_negative_ ? -1 : 1; }
  int64_t scale() const { return scale_; }
  void Negate() { is_negative_ = !limbs_.empty() && !is_negative_; }

  void Multiply(const BigDecimal& other);  // exact
  // Multiplies by 2^bits.
  void ShiftLeft(uint32_t bits);
  // Rounds up, away from zero, to a multiple of 10^scale. Returns true if it was one already.
  bool RoundUp(int64_t scale);
  // Rewrites the number with a smaller scale; the value stays the same. The result must not have
  // more than 2 · kDigitsMax digits.
  void Rescale(int64_t scale);
  // Divides by `divisor` and returns true if there is no remainder; otherwise changes nothing.
  bool DivideExactly(uint32_t divisor);

  // Exact, unless the sum might have more than kDigitsMax digits: then the result is the larger
  // summand.
  void Add(const BigDecimal& other);
  int Compare(const BigDecimal& other) const;  // exact: -1, 0, 1

  // This / 10^scale, rounded up away from zero, modulo 2^64.
  int64_t ToInt64(int64_t scale) const;
  // The digits of the magnitude, without sign and leading zeros ("" for 0).
  std::string Digits() const;
  // Bounds on the position of the first digit (1 for 1 … 9, 0 for 0.1 … 0.9, and so on), at most
  // one apart; 0 for zero.
  int64_t PlaceMin() const;
  int64_t PlaceMax() const;

 private:
  using Limbs = std::vector<uint32_t>;  // base 2^32, least significant first, no leading zero limb

  size_t BitLength() const;
  int CompareMagnitude(const BigDecimal& other) const;
  static void MultiplyAdd(Limbs& limbs, uint32_t factor, uint32_t summand);
  static uint32_t Divide(Limbs& limbs, uint32_t divisor);  // returns the remainder
  static int CompareLimbs(const Limbs& a, const Limbs& b);
  static Limbs AddLimbs(const Limbs& a, const Limbs& b);
  static Limbs SubtractLimbs(const Limbs& a, const Limbs& b);  // a ≥ b
  // Divides by 10^places and returns whether any digit other than 0 was cut off.
  static bool CutPlaces(Limbs& limbs, int64_t places);

  bool is_negative_ = false;
  int64_t scale_ = 0;
  Limbs limbs_;
};

}  // namespace stowage
