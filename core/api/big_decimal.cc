#include "core/api/big_decimal.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"

namespace stowage {
namespace {

constexpr uint32_t kChunk = 1'000'000'000;  // nine decimal places at a time
constexpr int64_t kChunkPlaces = 9;

constexpr uint32_t kPowersOf10[] = {1,       10,        100,        1'000,      10'000,
                                    100'000, 1'000'000, 10'000'000, 100'000'000};

}  // namespace

BigDecimal::BigDecimal(int64_t value, int64_t scale) : is_negative_(value < 0), scale_(scale) {
  uint64_t magnitude = static_cast<uint64_t>(value);
  if (is_negative_) magnitude = 0 - magnitude;
  for (; magnitude != 0; magnitude >>= 32) limbs_.push_back(static_cast<uint32_t>(magnitude));
}

BigDecimal BigDecimal::FromDigits(std::string_view digits, int64_t scale) {
  BigDecimal number;
  number.scale_ = scale;
  while (!digits.empty()) {
    size_t places = std::min<size_t>(digits.size(), kChunkPlaces);
    uint32_t chunk = 0;
    for (char digit : digits.substr(0, places)) {
      CHECK(digit >= '0' && digit <= '9');
      chunk = chunk * 10 + static_cast<uint32_t>(digit - '0');
    }
    MultiplyAdd(number.limbs_, places == kChunkPlaces ? kChunk : kPowersOf10[places], chunk);
    digits.remove_prefix(places);
  }
  return number;
}

void BigDecimal::ShiftLeft(uint32_t bits) {
  constexpr uint32_t kStep = 31;
  for (; bits > kStep; bits -= kStep) MultiplyAdd(limbs_, uint32_t{1} << kStep, 0);
  MultiplyAdd(limbs_, uint32_t{1} << bits, 0);
}

void BigDecimal::Multiply(const BigDecimal& other) {
  Limbs product;
  for (size_t index = other.limbs_.size(); index > 0; --index) {
    if (!product.empty()) product.insert(product.begin(), 0);
    Limbs summand = limbs_;
    MultiplyAdd(summand, other.limbs_[index - 1], 0);
    product = AddLimbs(product, summand);
  }
  while (!product.empty() && product.back() == 0) product.pop_back();
  limbs_ = std::move(product);
  scale_ += other.scale_;
  is_negative_ = !limbs_.empty() && is_negative_ != other.is_negative_;
}

bool BigDecimal::RoundUp(int64_t scale) {
  if (scale_ >= scale) return true;
  bool is_cut = CutPlaces(limbs_, scale - scale_);
  scale_ = scale;
  if (is_cut) MultiplyAdd(limbs_, 1, 1);
  return !is_cut;
}

void BigDecimal::Rescale(int64_t scale) {
  CHECK(scale <= scale_);
  CHECK(limbs_.empty() || PlaceMax() - scale <= 2 * kDigitsMax);
  int64_t places = limbs_.empty() ? 0 : scale_ - scale;
  for (; places >= kChunkPlaces; places -= kChunkPlaces) MultiplyAdd(limbs_, kChunk, 0);
  MultiplyAdd(limbs_, kPowersOf10[places], 0);
  scale_ = scale;
}

bool BigDecimal::DivideExactly(uint32_t divisor) {
  Limbs quotient = limbs_;
  if (Divide(quotient, divisor) != 0) return false;
  limbs_ = std::move(quotient);
  return true;
}

void BigDecimal::Add(const BigDecimal& other) {
  if (other.limbs_.empty()) return;
  int64_t scale = std::min(scale_, other.scale_);
  bool is_too_long = std::max(PlaceMax(), other.PlaceMax()) - scale > kDigitsMax;
  if (limbs_.empty() || (is_too_long && CompareMagnitude(other) < 0)) {
    *this = other;
    return;
  }
  if (is_too_long) return;
  BigDecimal summand = other;
  Rescale(scale);
  summand.Rescale(scale);
  if (is_negative_ == summand.is_negative_) {
    limbs_ = AddLimbs(limbs_, summand.limbs_);
  } else if (CompareLimbs(limbs_, summand.limbs_) >= 0) {
    limbs_ = SubtractLimbs(limbs_, summand.limbs_);
  } else {
    limbs_ = SubtractLimbs(summand.limbs_, limbs_);
    is_negative_ = summand.is_negative_;
  }
  if (limbs_.empty()) is_negative_ = false;
}

int BigDecimal::Compare(const BigDecimal& other) const {
  if (Sign() != other.Sign()) return Sign() < other.Sign() ? -1 : 1;
  return CompareMagnitude(other) * Sign();
}

int BigDecimal::CompareMagnitude(const BigDecimal& other) const {
  if (scale_ == other.scale_) return CompareLimbs(limbs_, other.limbs_);
  if (limbs_.empty() || other.limbs_.empty()) return other.limbs_.empty() ? 1 : -1;
  if (PlaceMin() > other.PlaceMax()) return 1;
  if (PlaceMax() < other.PlaceMin()) return -1;
  // Both first digits are at about the same place here, so the scales differ by little more than
  // the number of digits, and Rescale stays within its bound.
  BigDecimal a = *this;
  BigDecimal b = other;
  int64_t scale = std::min(scale_, other.scale_);
  a.Rescale(scale);
  b.Rescale(scale);
  return CompareLimbs(a.limbs_, b.limbs_);
}

int64_t BigDecimal::ToInt64(int64_t scale) const {
  Limbs limbs = limbs_;
  int64_t places = scale_ - scale;
  bool is_cut = places < 0 && CutPlaces(limbs, -places);
  uint64_t bits = limbs.empty() ? 0 : limbs[0];
  if (limbs.size() > 1) bits |= uint64_t{limbs[1]} << 32;
  // 10^64 is a multiple of 2^64.
  if (places >= 64) bits = 0;
  for (; bits != 0 && places > 0; --places) bits *= 10;
  if (is_cut) ++bits;
  return static_cast<int64_t>(is_negative_ ? 0 - bits : bits);
}

std::string BigDecimal::Digits() const {
  std::string reversed;
  Limbs rest = limbs_;
  while (!rest.empty()) {
    uint32_t chunk = Divide(rest, kChunk);
    for (int64_t place = 0; place < kChunkPlaces; ++place, chunk /= 10) {
      reversed.push_back(static_cast<char>('0' + chunk % 10));
    }
  }
  while (!reversed.empty() && reversed.back() == '0') reversed.pop_back();
  return {reversed.rbegin(), reversed.rend()};
}

// log10(2) lies between 0.30102 and 0.30103.
int64_t BigDecimal::PlaceMin() const {
  if (limbs_.empty()) return 0;
  return static_cast<int64_t>((BitLength() - 1) * 30102 / 100'000) + 1 + scale_;
}

int64_t BigDecimal::PlaceMax() const {
  if (limbs_.empty()) return 0;
  return static_cast<int64_t>(BitLength() * 30103 / 100'000) + 1 + scale_;
}

size_t BigDecimal::BitLength() const {
  return 32 * (limbs_.size() - 1) + static_cast<size_t>(std::bit_width(limbs_.back()));
}

void BigDecimal::MultiplyAdd(Limbs& limbs, uint32_t factor, uint32_t summand) {
  uint64_t carry = summand;
  for (uint32_t& limb : limbs) {
    carry += uint64_t{limb} * factor;
    limb = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) limbs.push_back(static_cast<uint32_t>(carry));
}

uint32_t BigDecimal::Divide(Limbs& limbs, uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t index = limbs.size(); index > 0; --index) {
    rest = rest << 32 | limbs[index - 1];
    limbs[index - 1] = static_cast<uint32_t>(rest / divisor);
    rest %= divisor;
  }
  while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
  return static_cast<uint32_t>(rest);
}

int BigDecimal::CompareLimbs(const Limbs& a, const Limbs& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (size_t index = a.size(); index > 0; --index) {
    if (a[index - 1] != b[index - 1]) return a[index - 1] < b[index - 1] ? -1 : 1;
  }
  return 0;
}

BigDecimal::Limbs BigDecimal::AddLimbs(const Limbs& a, const Limbs& b) {
  Limbs sum;
  uint64_t carry = 0;
  for (size_t index = 0; index < std::max(a.size(), b.size()); ++index) {
    if (index < a.size()) carry += a[index];
    if (index < b.size()) carry += b[index];
    sum.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  if (carry != 0) sum.push_back(static_cast<uint32_t>(carry));
  return sum;
}

BigDecimal::Limbs BigDecimal::SubtractLimbs(const Limbs& a, const Limbs& b) {
  Limbs difference;
  uint64_t borrow = 0;
  for (size_t index = 0; index < a.size(); ++index) {
    uint64_t taken = (index < b.size() ? b[index] : 0) + borrow;
    borrow = a[index] < taken ? 1 : 0;
    difference.push_back(static_cast<uint32_t>((borrow << 32) + a[index] - taken));
  }
  CHECK(borrow == 0);
  while (!difference.empty() && difference.back() == 0) difference.pop_back();
  return difference;
}

bool BigDecimal::CutPlaces(Limbs& limbs, int64_t places) {
  bool is_cut = false;
  for (; places >= kChunkPlaces && !limbs.empty(); places -= kChunkPlaces) {
    if (Divide(limbs, kChunk) != 0) is_cut = true;
  }
  if (!limbs.empty() && Divide(limbs, kPowersOf10[places]) != 0) is_cut = true;
  return is_cut;
}

}  // namespace stowage
