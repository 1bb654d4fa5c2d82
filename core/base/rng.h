// Rng is a named, seeded stream of random draws (SplitMix64). The engine has no other source of
// randomness.
#pragma once

#include <cstdint>

#include "core/base/check.h"

namespace stowage {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound), without modulo bias.
  uint64_t Below(uint64_t bound) {
    CHECK(bound > 0);
    uint64_t limit = ~uint64_t{0} - ~uint64_t{0} % bound;
    uint64_t draw = Next();
    while (draw >= limit) draw = Next();
    return draw % bound;
  }

 private:
  uint64_t state_;
};

}  // namespace stowage
