// PluginEvaluations counts how often a profile's plugins were asked, for the metric
// plugin_evaluation_total.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stowage {

// The extension points at which evaluations are counted.
enum class EvaluatedPoint : uint8_t { kPreFilter, kFilter, kPreScore, kScore };

class PluginEvaluations {
 public:
  static constexpr size_t kPoints = 4;
  static constexpr size_t kPlugins = 64;  // one bit of CycleState each

  // `plugin` by Framework's plugin index.
  void Add(EvaluatedPoint point, size_t plugin, size_t times) {
    counts_[static_cast<size_t>(point)][plugin] += times;
  }
  uint64_t Get(EvaluatedPoint point, size_t plugin) const {
    return counts_[static_cast<size_t>(point)][plugin];
  }

 private:
  std::array<std::array<uint64_t, kPlugins>, kPoints> counts_ = {};
};

}  // namespace stowage
