#include "core/base/parse_double.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace stowage {
namespace {

// No two doubles have a midpoint of more digits, so all further digits matter only as "some".
constexpr size_t kDigitsMax = 770;
// Beyond these, a number of up to kDigitsMax digits rounds to infinity and to 0.
constexpr int64_t kPlaceMax = 310;
constexpr int64_t kPlaceMin = -325;

// digits · 10^exponent, without leading zeros.
struct Decimal {
  std::string digits;
  int64_t exponent = 0;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Moves past the digits at the beginning of `rest`. Returns false if there are none.
bool TakeDigits(std::string_view* rest, bool is_fraction, Decimal* number) {
  const size_t size = rest->size();
  for (; !rest->empty() && IsDigit(rest->front()); rest->remove_prefix(1)) {
    char digit = rest->front();
    bool is_kept = number->digits.size() < kDigitsMax;
    if (is_kept && (digit != '0' || !number->digits.empty())) number->digits += digit;
    if (!is_kept && digit != '0') number->digits.back() |= 1;
    if (is_kept == is_fraction) number->exponent += is_fraction ? -1 : 1;
  }
  return rest->size() < size;
}

// Adds the exponent, at most a billion: no text is long enough to make up for more. Returns false
// if there is none.
bool TakeExponent(std::string_view* rest, Decimal* number) {
  constexpr int64_t kExponentMax = 1'000'000'000;
  bool is_negative = rest->starts_with('-');
  if (is_negative || rest->starts_with('+')) rest->remove_prefix(1);
  const size_t size = rest->size();
  int64_t exponent = 0;
  for (; !rest->empty() && IsDigit(rest->front()); rest->remove_prefix(1)) {
    exponent = std::min(exponent * 10 + (rest->front() - '0'), kExponentMax);
  }
  number->exponent += is_negative ? -exponent : exponent;
  return rest->size() < size;
}

// A natural number in base 2^32, least significant limb first, without leading zeros.
class Natural {
 public:
  void MultiplyAdd(uint32_t factor, uint32_t summand) {
    uint64_t carry = summand;
    for (uint32_t& limb : limbs_) {
      carry += uint64_t{limb} * factor;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<uint32_t>(carry));
  }

  void MultiplyByPowerOf10(int64_t exponent) {
    for (; exponent > 0; --exponent) MultiplyAdd(10, 0);
  }

  void ShiftLeft(int64_t bits) {
    for (; bits >= 31; bits -= 31) MultiplyAdd(uint32_t{1} << 31, 0);
    MultiplyAdd(uint32_t{1} << bits, 0);
  }

  int64_t BitLength() const {
    if (limbs_.empty()) return 0;
    return static_cast<int64_t>(limbs_.size()) * 32 - std::countl_zero(limbs_.back());
  }

  bool IsZero() const { return limbs_.empty(); }

  // Subtracts and returns true, if this is not less than `other`.
  bool TrySubtract(const Natural& other) {
    if (limbs_.size() < other.limbs_.size()) return false;
    if (limbs_.size() == other.limbs_.size() &&
        std::lexicographical_compare(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(),
                                     other.limbs_.rend())) {
      return false;
    }
    uint64_t borrow = 0;
    for (size_t at = 0; at < limbs_.size(); ++at) {
      uint64_t subtrahend = borrow + (at < other.limbs_.size() ? other.limbs_[at] : 0);
      borrow = limbs_[at] < subtrahend ? 1 : 0;
      limbs_[at] = static_cast<uint32_t>(limbs_[at] - subtrahend);
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    return true;
  }

 private:
  std::vector<uint32_t> limbs_;
};

// (quotient + a fraction, if is_inexact) · 2^exponent; the quotient has 63 or 64 bits.
struct Binary {
  uint64_t quotient = 0;
  bool is_inexact = false;
  int64_t exponent = 0;
};

Binary ToBinary(const Decimal& number) {
  Natural numerator;
  for (char digit : number.digits) numerator.MultiplyAdd(10, static_cast<uint32_t>(digit - '0'));
  numerator.MultiplyByPowerOf10(number.exponent);
  Natural denominator;
  denominator.MultiplyAdd(1, 1);
  denominator.MultiplyByPowerOf10(-number.exponent);

  int64_t shift = 63 - (numerator.BitLength() - denominator.BitLength());
  numerator.ShiftLeft(std::max<int64_t>(shift, 0));
  denominator.ShiftLeft(std::max<int64_t>(-shift, 0) + 63);
  Binary result{.exponent = -shift};
  for (int bit = 63; bit >= 0; --bit) {
    result.quotient = result.quotient << 1 | (numerator.TrySubtract(denominator) ? 1 : 0);
    numerator.ShiftLeft(1);
  }
  result.is_inexact = !numerator.IsZero();
  return result;
}

double Round(const Binary& number) {
  constexpr int64_t kExponentMin = std::numeric_limits<double>::min_exponent - 1;
  int64_t length = std::bit_width(number.quotient);
  int64_t first_bit = length - 1 + number.exponent;
  int64_t kept = std::min<int64_t>(53, 53 - (kExponentMin - first_bit));  // subnormal: fewer
  if (kept < 0) return 0;
  int64_t cut = length - kept;
  uint64_t half = uint64_t{1} << (cut - 1);
  uint64_t mantissa = cut < 64 ? number.quotient >> cut : 0;
  uint64_t rest = number.quotient & (half | (half - 1));
  bool is_tie = rest == half && !number.is_inexact;
  if (is_tie ? (mantissa & 1) != 0 : rest >= half) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), static_cast<int>(number.exponent + cut));
}

double Magnitude(const Decimal& number) {
  if (number.digits.empty()) return 0;
  int64_t place = static_cast<int64_t>(number.digits.size()) + number.exponent;
  if (place > kPlaceMax) return std::numeric_limits<double>::infinity();
  if (place < kPlaceMin) return 0;
  return Round(ToBinary(number));
}

}  // namespace

std::optional<double> ParseDouble(std::string_view text) {
  bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  Decimal number;
  bool has_digits = TakeDigits(&text, false, &number);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    has_digits |= TakeDigits(&text, true, &number);
  }
  if (!has_digits) return std::nullopt;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (!TakeExponent(&text, &number)) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  double magnitude = Magnitude(number);
  return is_negative ? -magnitude : magnitude;
}

}  // namespace stowage
