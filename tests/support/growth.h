// GrowsWithTheSquare times work on inputs of doubling size. A client chooses how many of something
// there are, and must not be able to choose a time that grows faster than n log n.
//
// Noise cannot decide: for each size the fastest of several runs counts (for the large one, a run
// that is fast enough ends the measurement), two doublings are compared at once, and a suspicion
// must be confirmed by new measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <functional>
#include <limits>

namespace stowage {

// Makes the input of this size and returns the work on it that is timed.
using MakeWork = std::function<std::function<void()>(size_t size)>;

// Processor time: other programs may use the processor meanwhile.
inline double FastestSeconds(const std::function<void()>& work, int runs) {
  double fastest = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    std::clock_t start = std::clock();
    work();
    fastest = std::min(fastest, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return fastest;
}

// Whether work on `size` inputs takes more time than n log n explains, compared with a quarter of
// them. Four times the input takes 4 times as long if linear, 5 times with n log n, 16 times with
// the square; values between are due to the machine's caches.
inline bool GrowsWithTheSquare(const MakeWork& make_work, size_t size) {
  constexpr double kMostFactor = 9;
  constexpr double kTooLittleToTell = 0.01;
  constexpr int kAttempts = 8;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::function<void()> large = make_work(size);
    double of_large = FastestSeconds(large, 1);
    if (of_large < kTooLittleToTell) return false;
    double of_small = FastestSeconds(make_work(size / 4), 5);
    if (of_large <= kMostFactor * of_small) return false;
    // More runs can only find a faster one.
    of_large = std::min(of_large, FastestSeconds(large, 2));
    if (of_large <= kMostFactor * of_small) return false;
  }
  return true;
}

}  // namespace stowage
