#include "core/api/quantity.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/api/big_decimal.h"
#include "core/api/quantity_text.h"
#include "core/base/cold.h"
#include "core/base/parse_double.h"

namespace stowage {
namespace {

__extension__ typedef __int128 Int128;

constexpr int32_t kNano = -9;
constexpr int32_t kMilli = -3;
constexpr size_t kSmallDigitsMax = 18;
constexpr int64_t kInt64Digits = 19;
// 10^19 is the first power of ten above int64; 2^63 · 10^19 still fits Int128.
constexpr int64_t kInt128PlacesMax = 19;

constexpr QuantityError kNumericError{"unable to parse numeric part of quantity"};

Int128 ScaleUp(int64_t value, int64_t places) {
  Int128 scaled = value;
  for (; places > 0; --places) scaled *= 10;
  return scaled;
}

bool FitsInt64(Int128 number) {
  return number >= std::numeric_limits<int64_t>::min() &&
         number <= std::numeric_limits<int64_t>::max();
}

// value / 10^places, away from zero.
int64_t ScaleDown(int64_t value, int64_t places) {
  int64_t rest = 0;
  int64_t sign = value < 0 ? -1 : 1;
  for (; places > 0 && value != 0; --places) {
    rest |= value % 10;
    value /= 10;
  }
  return rest == 0 ? value : value + sign;
}

// base · 10^scale, rounded like the reference's product with Go's math.Pow10.
double ScaledDouble(double base, int64_t scale) {
  constexpr int64_t kScaleMax = 308;
  constexpr int64_t kScaleMin = -323;
  constexpr int64_t kStep = 32;
  if (scale == 0) return base;
  if (scale > kScaleMax) return base * std::numeric_limits<double>::infinity();
  if (scale < kScaleMin) return base * 0;
  auto power = [](int64_t exponent) {
    return ParseDouble("1e" + std::to_string(exponent)).value_or(0);
  };
  int64_t places = std::abs(scale);
  double coarse = power(scale < 0 ? -(places / kStep * kStep) : places / kStep * kStep);
  double fine = power(places % kStep);
  return base * (scale < 0 ? coarse / fine : coarse * fine);
}

// The number of digits up to which a binary number counts as small: 2^20 takes six decimal places,
// and so on.
int64_t SmallBinaryDigitsMax(int32_t exponent) { return 15 - exponent * 3 / 10 - 1; }

// Parses the texts of nearly all objects: a positive integer of few digits with a plain suffix.
std::optional<Quantity> ParseUsual(std::string_view text) {
  size_t digits = 0;
  int64_t value = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    if (digits == kSmallDigitsMax) return std::nullopt;
    value = value * 10 + (text[digits++] - '0');
  }
  if (digits == 0 || (text[0] == '0' && text.size() > 1)) return std::nullopt;
  std::string_view suffix = text.substr(digits);
  if (suffix.empty()) return Quantity(value);
  std::optional<QuantitySuffix> known = FindQuantitySuffix(suffix);
  if (!known) return std::nullopt;
  if (known->format != Quantity::Format::kBinarySI) return Quantity(value, known->exponent);
  if (static_cast<int64_t>(digits) > SmallBinaryDigitsMax(known->exponent)) return std::nullopt;
  return Quantity(value << known->exponent, 0, known->format);
}

// Whether the reference prints a small number with its original text.
bool KeepsText(const QuantityText& parts, int64_t digits_value, int64_t scale) {
  if (parts.suffix.format == Quantity::Format::kBinarySI) return (digits_value & 7) != 0;
  std::string digits = std::string(parts.integer) + std::string(parts.fraction);
  return scale % 3 == 0 && digits.front() != '0' && !digits.ends_with("000");
}

}  // namespace

Quantity::Quantity(BigDecimal number, Format format)
    : format_(format), big_(std::make_shared<const BigDecimal>(std::move(number))) {}

Result<Quantity, QuantityError> Quantity::Parse(std::string_view text) {
  if (std::optional<Quantity> usual = ParseUsual(text)) return *std::move(usual);
  return ParseAny(text);
}

STOWAGE_COLD Result<Quantity, QuantityError> Quantity::ParseAny(std::string_view text) {
  Result<QuantityText, QuantityError> split = SplitQuantityText(text);
  if (!split.ok()) return split.fault();
  const QuantityText& parts = *split;
  bool is_binary = parts.suffix.format == Format::kBinarySI;
  int64_t digits = static_cast<int64_t>(parts.integer.size() + parts.fraction.size());
  int64_t scale = is_binary ? 0 : parts.suffix.exponent;
  scale -= static_cast<int64_t>(parts.fraction.size());
  bool is_small =
      is_binary ? parts.fraction.empty() && digits <= SmallBinaryDigitsMax(parts.suffix.exponent)
                : digits <= static_cast<int64_t>(kSmallDigitsMax) && scale >= kNano;
  if (!is_small) return ParseBig(parts);

  int64_t value = 0;
  for (char digit : parts.integer) value = value * 10 + (digit - '0');
  for (char digit : parts.fraction) value = value * 10 + (digit - '0');
  bool keeps_text = KeepsText(parts, value, scale);
  if (is_binary) value <<= parts.suffix.exponent;
  Quantity quantity(parts.is_negative ? -value : value, static_cast<int32_t>(scale),
                    parts.suffix.format);
  if (keeps_text && quantity.ToString() != text) quantity.text_ = Symbol(text);
  return quantity;
}

STOWAGE_COLD Result<Quantity, QuantityError> Quantity::ParseBig(const QuantityText& parts) {
  if (!parts.has_digits) return kNumericError;
  bool is_binary = parts.suffix.format == Format::kBinarySI;
  std::string digits = std::string(parts.integer) + std::string(parts.fraction);
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return Quantity(0, 0, parts.suffix.format);
  int64_t scale = is_binary ? 0 : parts.suffix.exponent;
  scale -= static_cast<int64_t>(parts.fraction.size());

  // Decimal places below nano only determine whether the last kept one is rounded up.
  int64_t kept = static_cast<int64_t>(digits.size()) + scale - kNano;
  bool is_cut = false;
  if (!is_binary && kept < static_cast<int64_t>(digits.size())) {
    size_t length = static_cast<size_t>(std::max<int64_t>(kept, 0));
    is_cut = digits.find_first_not_of('0', length) != std::string::npos;
    digits.resize(length);
    scale = kNano;
  }
  if (static_cast<int64_t>(digits.size()) > BigDecimal::kDigitsMax) return kNumericError;
  BigDecimal number = BigDecimal::FromDigits(digits, scale);
  if (is_cut) number.Add(BigDecimal(1, kNano));
  Format format = parts.suffix.format;
  if (is_binary) {
    number.ShiftLeft(static_cast<uint32_t>(parts.suffix.exponent));
    number.RoundUp(kNano);
    if (number.PlaceMax() >= kInt64Digits) {
      BigDecimal most(std::numeric_limits<int64_t>::max(), 0);
      if (number.Compare(most) > 0) number = most;
    }
    if (number.PlaceMin() <= 1 && number.Compare(BigDecimal(1, 0)) < 0) format = Format::kDecimalSI;
  }
  if (parts.is_negative) number.Negate();
  return Quantity(std::move(number), format);
}

int64_t Quantity::Value() const { return Scaled(0); }

int64_t Quantity::MilliValue() const { return Scaled(kMilli); }

std::optional<int64_t> Quantity::AsInt64() const {
  if (big_ != nullptr) return std::nullopt;
  if (value_ == 0) return 0;
  if (scale_ < 0 || scale_ > kInt128PlacesMax) return std::nullopt;
  Int128 scaled = ScaleUp(value_, scale_);
  return FitsInt64(scaled) ? std::optional<int64_t>(static_cast<int64_t>(scaled)) : std::nullopt;
}

double Quantity::AsApproximateFloat64() const {
  if (big_ == nullptr) return ScaledDouble(static_cast<double>(value_), scale_);
  double base = ParseDouble(big_->Digits()).value_or(0);
  return ScaledDouble(big_->Sign() < 0 ? -base : base, big_->scale());
}

int64_t Quantity::Scaled(int32_t scale) const {
  if (big_ != nullptr) return big_->ToInt64(scale);
  int64_t places = int64_t{scale_} - scale;
  if (places == 0 || value_ == 0) return value_;
  if (places < 0) return ScaleDown(value_, -places);
  if (places > kInt128PlacesMax) return 0;
  Int128 scaled = ScaleUp(value_, places);
  return FitsInt64(scaled) ? static_cast<int64_t>(scaled) : 0;
}

int Quantity::Sign() const {
  if (big_ != nullptr) return big_->Sign();
  return value_ < 0 ? -1 : value_ > 0 ? 1 : 0;
}

void Quantity::Add(const Quantity& other) {
  text_ = Symbol();
  if (IsZero()) format_ = other.format_;
  bool is_small = big_ == nullptr && other.big_ == nullptr;
  if (is_small && other.value_ == 0) return;
  if (is_small && value_ == 0) {
    value_ = other.value_;
    scale_ = other.scale_;
    return;
  }
  int32_t scale = std::min(scale_, other.scale_);
  int64_t places = int64_t{scale_} - scale;
  int64_t other_places = int64_t{other.scale_} - scale;
  if (is_small && std::max(places, other_places) <= kInt128PlacesMax - 1) {
    Int128 sum = ScaleUp(value_, places) + ScaleUp(other.value_, other_places);
    if (FitsInt64(sum)) {
      value_ = static_cast<int64_t>(sum);
      scale_ = scale;
      return;
    }
  }
  BigDecimal sum = ToBigDecimal();
  sum.Add(other.ToBigDecimal());
  big_ = std::make_shared<const BigDecimal>(std::move(sum));
  value_ = 0;
  scale_ = 0;
}

void Quantity::Sub(const Quantity& other) {
  Quantity negated = other;
  negated.text_ = Symbol();
  if (negated.big_ != nullptr || negated.value_ == std::numeric_limits<int64_t>::min()) {
    BigDecimal number = other.ToBigDecimal();
    number.Negate();
    negated.big_ = std::make_shared<const BigDecimal>(std::move(number));
  } else {
    negated.value_ = -negated.value_;
  }
  Add(negated);
}

void Quantity::Multiply(const Quantity& other) {
  BigDecimal product = ToBigDecimal();
  product.Multiply(other.ToBigDecimal());
  *this = Quantity(std::move(product), format_);
}

int Quantity::Compare(const Quantity& other) const {
  if (big_ != nullptr || other.big_ != nullptr) {
    return ToBigDecimal().Compare(other.ToBigDecimal());
  }
  if (Sign() != other.Sign()) return Sign() < other.Sign() ? -1 : 1;
  int64_t places = int64_t{scale_} - other.scale_;
  // With scales this far apart, the one with the larger scale has the larger magnitude.
  if (places > kInt128PlacesMax) return Sign();
  if (places < -kInt128PlacesMax) return -Sign();
  Int128 a = ScaleUp(value_, places);
  Int128 b = ScaleUp(other.value_, -places);
  return a < b ? -1 : a > b ? 1 : 0;
}

std::string Quantity::ToString() const {
  if (!text_.empty()) return text_.str();
  return CanonicalQuantityText(ToBigDecimal(), format_);
}

BigDecimal Quantity::ToBigDecimal() const {
  return big_ != nullptr ? *big_ : BigDecimal(value_, scale_);
}

}  // namespace stowage
