// go_math gives Go's results for the math functions whose C counterparts may differ by platform.
#pragma once

#include <cmath>
#include <cstdint>

namespace stowage {

// Like Go's math.Round: to the nearest integer, half away from zero, as int64.
inline int64_t GoRoundToInt64(double value) {
  auto whole = static_cast<int64_t>(value);
  double fraction = value - static_cast<double>(whole);
  if (std::fabs(fraction) < 0.5) return whole;
  return fraction > 0 ? whole + 1 : whole - 1;
}

// Like Go's math.Log, for a positive, finite value: the reference's own polynomial, not the C
// library's.
double GoLog(double value);

}  // namespace stowage
