// Arithmetic on the values of several neighbouring rows at once. Each operation gives every row
// exactly what the same operation gives one row. Functions that use it are marked STOWAGE_SIMD
// (base/simd.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

// Four numbers that fit into 32 bits.
inline FourInts Narrowed(TwoInts first, TwoInts second) {
  return __builtin_shufflevector(LoadLanes<FourInts>(&first), LoadLanes<FourInts>(&second), 0, 2, 4,
                                 6);
}

// Stores four numbers that are not negative.
inline void StoreWidened(FourInts four, int64_t* values) {
  StoreLanes(__builtin_shufflevector(four, FourInts{}, 0, 4, 1, 5), values);
  StoreLanes(__builtin_shufflevector(four, FourInts{}, 2, 6, 3, 7), values + 2);
}

// The bits of the rows `offset` to `offset` + 3 as the results of comparisons: -1 or 0.
inline FourInts LanesOf(uint64_t bits, size_t offset) {
  return (Four(static_cast<int32_t>(bits >> offset)) & FourInts{1, 2, 4, 8}) != 0;
}

// Collects the results of comparisons as one bit for each of 64 rows.
class LaneBits {
 public:
  void Add(size_t offset, FourInts result) {
    halves_[offset / kHalf] |= result & (FourInts{1, 2, 4, 8} << static_cast<int>(offset % kHalf));
  }
  uint64_t bits() const { return Joined(halves_[1]) << kHalf | Joined(halves_[0]); }

 private:
  static constexpr size_t kHalf = 32;

  static uint64_t Joined(FourInts half) {
    return static_cast<uint32_t>(half[0] | half[1] | half[2] | half[3]);
  }

  std::array<FourInts, 2> halves_ = {};
};

}  // namespace stowage
