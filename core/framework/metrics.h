// Metrics holds kube-scheduler's counters and gauges, and its histograms of amounts and of times
// that the engine itself determines (spec 08). It leaves out times that a clock would have to
// measure inside a turn.
//
// Metrics are counted where upstream counts them, and read all at once. No decision depends on
// them. Counterpart: pkg/scheduler/metrics/metrics.go, v1.36.
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

// Sorted by name.
enum class Metric : uint8_t {
  kBatchAttempts,
  kBatchCacheFlushed,
  kCacheSize,
  kDraBindingConditionsAllocations,
  kDraBindingConditionsWaitDuration,
  kInFlightEvents,
  kPendingPods,
  kPermitWaitDuration,
  kPluginEvaluation,
  kPodScheduledAfterFlush,
  kPodSchedulingAttempts,
  kPodSchedulingSliDuration,
  kPodGroupScheduleAttempts,
  kPreemptionAttempts,
  kPreemptionGoroutinesExecution,
  kPreemptionVictims,
  kQueueIncomingPods,
  kResourceClaimCreates,
  kScheduleAttempts,
  kUnschedulablePods,
  kVolumeSchedulingStageError,
};
inline constexpr size_t kNumMetrics = static_cast<size_t>(Metric::kVolumeSchedulingStageError) + 1;

class Metrics {
 public:
  // Label values in the order of the metric's labels.
  using Labels = std::initializer_list<std::string_view>;

  // If `is_enabled` is false, nothing is counted.
  explicit Metrics(bool is_enabled);

  bool is_enabled() const { return is_enabled_; }
  bool is_counting() const { return is_enabled_ && pauses_ == 0; }
  // Takes the values of other metrics.
  void CopyStateFrom(const Metrics& other) { samples_ = other.samples_; }
  // Adds to a counter or gauge.
  void Add(Metric metric, Labels labels, int64_t amount = 1) {
    if (is_counting()) AddTo(metric, labels, amount);
  }
  void Set(Metric metric, Labels labels, int64_t value) {
    if (is_counting()) SetTo(metric, labels, value);
  }
  // Adds an observation to a histogram: an amount, or microseconds if the metric is in seconds.
  void Observe(Metric metric, Labels labels, int64_t value) {
    if (is_counting()) ObserveIn(metric, labels, value);
  }
  // Sets every value of a gauge to 0; its labels stay.
  void Clear(Metric metric);

  // The value of a counter or gauge, the sum of a histogram; 0 if there is none.
  int64_t Value(Metric metric, Labels labels) const;

  // Appends the families as an array: {"name","type","help","stability","labels":[names],"samples":
  // [{"labels":[values],"value"}]}; for a histogram with "bounds", and samples
  // {"labels","buckets","sum","count"} whose buckets are not cumulative.
  void Write(JsonWriter* json) const;

  // Suspends counting while it lives: for evaluations, and for work that has been counted already.
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
    int64_t value = 0;  // for a histogram: the sum
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
