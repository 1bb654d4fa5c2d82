// Metrics are kube-scheduler's counters and gauges, and its histograms of amounts and of times that
// the engine itself decides about (spec 08). What a clock would have to measure inside a turn is
// not among them.
//
// They are counted where upstream counts them, and read all at once. Nothing depends on them.
// Counterpart: pkg/scheduler/metrics/metrics.go, v1.36.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/encode/json_writer.h"

namespace stowage {

// In order of their names.
enum class Metric : uint8_t {
  kBatchAttempts,
  kBatchCacheFlushed,
  kCacheSize,
  kInFlightEvents,
  kPendingPods,
  kPermitWaitDuration,
  kPluginEvaluation,
  kPodScheduledAfterFlush,
  kPodSchedulingAttempts,
  kPodSchedulingSliDuration,
  kPreemptionAttempts,
  kPreemptionGoroutinesExecution,
  kPreemptionVictims,
  kQueueIncomingPods,
  kScheduleAttempts,
  kUnschedulablePods,
  kVolumeSchedulingStageError,
};
inline constexpr size_t kNumMetrics = static_cast<size_t>(Metric::kVolumeSchedulingStageError) + 1;

class Metrics {
 public:
  // Label values in the order of the metric's labels.
  using Labels = std::initializer_list<std::string_view>;

  // Without `is_enabled` nothing is counted.
  explicit Metrics(bool is_enabled);

  bool is_enabled() const { return is_enabled_; }
  bool is_counting() const { return is_enabled_ && pauses_ == 0; }
  // Of a counter or a gauge.
  void Add(Metric metric, Labels labels, int64_t amount = 1) {
    if (is_counting()) AddTo(metric, labels, amount);
  }
  void Set(Metric metric, Labels labels, int64_t value) {
    if (is_counting()) SetTo(metric, labels, value);
  }
  // Of a histogram: an amount, or microseconds where the metric is in seconds.
  void Observe(Metric metric, Labels labels, int64_t value) {
    if (is_counting()) ObserveIn(metric, labels, value);
  }
  // Every value of a gauge becomes 0; its labels stay.
  void Clear(Metric metric);

  // The value of a counter or gauge, the sum of a histogram; 0 where there is none.
  int64_t Value(Metric metric, Labels labels) const;

  // Appends the families as an array: {"name","type","help","stability","labels":[names],"samples":
  // [{"labels":[values],"value"}]}, of a histogram with "bounds", and samples
  // {"labels","buckets","sum","count"}, each bucket for itself.
  void Write(JsonWriter* json) const;

  // While it lives nothing is counted: what happens is a question, or the same thing once more.
  class Pause {
   public:
    explicit Pause(Metrics& metrics) : metrics_(metrics) { ++metrics_.pauses_; }
    ~Pause() { --metrics_.pauses_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Metrics& metrics_;
  };

 private:
  struct Sample {
    int64_t value = 0;  // of a histogram: the sum
    int64_t count = 0;
    std::vector<int64_t> buckets = {};
  };
  using Samples = std::map<std::vector<std::string>, Sample>;

  Sample& At(Metric metric, Labels labels);
  void AddTo(Metric metric, Labels labels, int64_t amount);
  void SetTo(Metric metric, Labels labels, int64_t value);
  void ObserveIn(Metric metric, Labels labels, int64_t value);

  bool is_enabled_;
  int pauses_ = 0;
  std::array<Samples, kNumMetrics> samples_;
};

}  // namespace stowage
