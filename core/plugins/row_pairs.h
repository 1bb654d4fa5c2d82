// Arithmetic on the values of two neighbouring rows at once. Each operation gives both rows exactly
// what the same operation gives one row, so column forms of scores that keep the order of
// operations are exact.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stowage {

using TwoInts = int64_t __attribute__((vector_size(16)));
using TwoDoubles = double __attribute__((vector_size(16)));

inline constexpr size_t kPair = 2;

template <typename Two, typename T>
Two LoadTwo(const T* values) {
  Two two;
  std::memcpy(&two, values, sizeof(two));
  return two;
}

template <typename Two, typename T>
void StoreTwo(const Two& two, T* values) {
  std::memcpy(values, &two, sizeof(two));
}

inline TwoDoubles Both(double value) { return TwoDoubles{value, value}; }
inline TwoInts Both(int64_t value) { return TwoInts{value, value}; }

// The bits of 2^52: as a double, its lowest bits are the integers that are added to it.
inline constexpr int64_t kBitsOfTwoTo52 = 0x4330'0000'0000'0000;
inline constexpr double kTwoTo52 = 4503599627370496.0;

// For integers from 0 to 2^52 - 1, and whole numbers in the same range.
inline TwoDoubles ToDoubles(TwoInts two) {
  two |= Both(kBitsOfTwoTo52);
  return LoadTwo<TwoDoubles>(&two) - Both(kTwoTo52);
}
inline TwoInts ToInts(TwoDoubles two) {
  two += Both(kTwoTo52);
  return LoadTwo<TwoInts>(&two) ^ Both(kBitsOfTwoTo52);
}

inline TwoDoubles Truncated(TwoDoubles two) {
#ifdef __clang__
  return __builtin_elementwise_trunc(two);
#else
  return TwoDoubles{std::trunc(two[0]), std::trunc(two[1])};
#endif
}

inline TwoDoubles Absolute(TwoDoubles two) {
  TwoInts bits = LoadTwo<TwoInts>(&two) & Both(int64_t{0x7fff'ffff'ffff'ffff});
  return LoadTwo<TwoDoubles>(&bits);
}

inline TwoDoubles AtMost(TwoDoubles two, double most) {
  return Both(most) < two ? Both(most) : two;
}

inline TwoDoubles AtLeast(TwoDoubles two, double least) {
  return two < Both(least) ? Both(least) : two;
}

}  // namespace stowage
