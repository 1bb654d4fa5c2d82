// PluginEvaluations counts the calls of a profile's plugins for the metric plugin_evaluation_total.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stowage {

// The extension points whose calls are counted.
enum class EvaluatedPoint : uint8_t { kPreFilter, kFilter, kPreScore, kScore };

class PluginEvaluations {
 public:
  static constexpr size_t kPoints = 4;
  static constexpr size_t kPlugins = 64;  // as many as CycleState has plugin bits

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
