// Arithmetic on the values of several neighbouring rows at once. Each operation gives every row
// exactly what the same operation gives one row. Functions that use it are marked STOWAGE_SIMD
// (base/simd.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/simd.h"

namespace stowage {

using TwoInts = int64_t __attribute__((vector_size(16)));
using FourInts = int32_t __attribute__((vector_size(16)));
using FourFloats = float __attribute__((vector_size(16)));

template <typename Lanes, typename T>
Lanes LoadLanes(const T* values) {
  Lanes lanes;
  std::memcpy(&lanes, values, sizeof(lanes));
  return lanes;
}

template <typename Lanes, typename T>
void StoreLanes(const Lanes& lanes, T* values) {
  std::memcpy(values, &lanes, sizeof(lanes));
}

inline TwoInts Both(int64_t value) { return TwoInts{value, value}; }
inline FourInts Four(int32_t value) { return FourInts{value, value, value, value}; }
inline FourFloats Four(float value) { return FourFloats{value, value, value, value}; }

// Halves of whole numbers, truncated: the compiler's own division is not by lanes.
inline FourInts Halved(FourInts four) { return (four - (four >> 31)) >> 1; }

// Adds to four stored numbers.
inline void AddLanes(FourInts four, int32_t* values) {
  StoreLanes(LoadLanes<FourInts>(values) + four, values);
}

inline FourInts BitsOf(FourFloats four) { return LoadLanes<FourInts>(&four); }
inline FourFloats FloatsOf(FourInts bits) { return LoadLanes<FourFloats>(&bits); }

inline FourFloats Absolute(FourFloats four) { return FloatsOf(BitsOf(four) & Four(0x7fffffff)); }
// The larger and the smaller value of each pair; that of `b` if one of them is no number.
inline FourFloats Larger(FourFloats a, FourFloats b) { return a > b ? a : b; }
inline FourFloats Smaller(FourFloats a, FourFloats b) { return a < b ? a : b; }

// Up to 2^22 from here, floats have no fraction: adding it rounds to the nearest number.
constexpr float kNoFraction = 12582912;

// Values below 2^22, rounded to the nearest number.
inline FourInts Nearest(FourFloats four) {
  return BitsOf(four + Four(kNoFraction)) - BitsOf(Four(kNoFraction));
}

// The bits of the rows `offset` to `offset` + 3 as the results of comparisons: -1 or 0.
inline FourInts LanesOf(uint64_t bits, size_t offset) {
  return (Four(static_cast<int32_t>(bits >> offset)) & FourInts{1, 2, 4, 8}) != 0;
}

// The results of four comparisons as bits.
STOWAGE_SIMD inline uint64_t MaskOf(FourInts results) {
#ifdef __wasm__
  return __builtin_wasm_bitmask_i32x4(results);
#else
  FourInts bits = results & FourInts{1, 2, 4, 8};
  return static_cast<uint64_t>((bits[0] | bits[1]) | (bits[2] | bits[3]));
#endif
}

// Collects the results of comparisons as one bit for each of 64 rows.
class LaneBits {
 public:
  STOWAGE_SIMD void Add(size_t offset, FourInts results) { bits_ |= MaskOf(results) << offset; }
  uint64_t bits() const { return bits_; }

 private:
  uint64_t bits_ = 0;
};

}  // namespace stowage
