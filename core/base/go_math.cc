#include "core/base/go_math.h"

namespace stowage {

// Counterpart: src/math/log.go. The value is 2^k × (1 + f) with f near 0; a polynomial in s = f /
// (2 + f) gives log(1 + f). The order of operations is the reference's.
double GoLog(double value) {
  constexpr double kLn2Hi = 6.93147180369123816490e-01;
  constexpr double kLn2Lo = 1.90821492927058770002e-10;
  constexpr double kL1 = 6.666666666666735130e-01;
  constexpr double kL2 = 3.999999999940941908e-01;
  constexpr double kL3 = 2.857142874366239149e-01;
  constexpr double kL4 = 2.222219843214978396e-01;
  constexpr double kL5 = 1.818357216161805012e-01;
  constexpr double kL6 = 1.531383769920937332e-01;
  constexpr double kL7 = 1.479819860511658591e-01;
  constexpr double kHalfSqrt2 = 0.70710678118654752440;

  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  if (fraction < kHalfSqrt2) {
    fraction *= 2;
    --exponent;
  }
  double f = fraction - 1;
  double k = exponent;
  double s = f / (2 + f);
  double s2 = s * s;
  double s4 = s2 * s2;
  double t1 = s2 * (kL1 + s4 * (kL3 + s4 * (kL5 + s4 * kL7)));
  double t2 = s4 * (kL2 + s4 * (kL4 + s4 * kL6));
  double r = t1 + t2;
  double half_square = 0.5 * f * f;
  return k * kLn2Hi - ((half_square - (s * (half_square + r) + k * kLn2Lo)) - f);
}

}  // namespace stowage
