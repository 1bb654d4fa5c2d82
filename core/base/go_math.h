// go_math gives Go's results for the math functions whose C counterparts may differ by platform.
#pragma once

#include <cmath>
#include <cstdint>

namespace stowage {

// Go's math.Round: to the nearest integer, half away from zero, as int64.
inline int64_t GoRoundToInt64(double value) {
  double whole = std::trunc(value);
  if (std::fabs(value - whole) >= 0.5) whole += std::copysign(1.0, value);
  return static_cast<int64_t>(whole);
}

// Go's math.Log for a positive, finite value: the reference's own polynomial, not the C library's.
double GoLog(double value);

}  // namespace stowage
