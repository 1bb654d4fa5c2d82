// ResourceUse is one resource of a node, as input of a score. cpu is in milli units, everything
// else in units.
#pragma once

#include <cstdint>

namespace stowage {

struct ResourceUse {
  int64_t allocatable = 0;  // never 0
  int64_t allocated = 0;
  int64_t requested = 0;  // allocated plus the pod's own request
  int64_t weight = 1;

  // `amount` divided by the allocatable amount, at most 1.
  double Fraction(int64_t amount) const {
    double fraction = static_cast<double>(amount) / static_cast<double>(allocatable);
    return fraction > 1 ? 1 : fraction;
  }
};

}  // namespace stowage
