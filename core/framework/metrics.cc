#include "core/framework/metrics.h"

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "core/base/format.h"

namespace stowage {
namespace {

enum class Type : uint8_t { kCounter, kGauge, kHistogram };

// first, 2·first, 4·first, …; in microseconds if the metric is in seconds.
struct Buckets {
  int64_t first = 0;
  int count = 0;
};

struct Description {
  std::string_view name;  // without the prefix "scheduler_"
  Type type;
  std::string_view stability;
  std::string_view help;
  std::array<std::string_view, 3> labels = {};
  Buckets buckets = {};
};

constexpr std::string_view kSeconds = "_seconds";

constexpr std::array<Description, kNumMetrics> kDescriptions = {{
    {"batch_attempts_total",
     Type::kCounter,
     "ALPHA",
     "Pods that could have taken the next node of the ranking before, by what became of it.",
     {"profile", "result"}},
    {"batch_cache_flushed_total",
     Type::kCounter,
     "ALPHA",
     "Rankings that could not serve the next pod, by the reason.",
     {"profile", "reason"}},
    {"cache_size",
     Type::kGauge,
     "ALPHA",
     "Nodes, pods and assumed pods in the scheduler cache.",
     {"type"}},
    {"dra_bindingconditions_allocations_total",
     Type::kCounter,
     "ALPHA",
     "Pods whose devices had binding conditions, by driver and result.",
     {"profile", "driver", "status"}},
    {"dra_bindingconditions_wait_duration_seconds",
     Type::kHistogram,
     "ALPHA",
     "Time that pods waited for the binding conditions of devices.",
     {"profile", "driver", "status"},
     {100'000, 14}},
    {"inflight_events",
     Type::kGauge,
     "ALPHA",
     "Events that are kept for pods being scheduled.",
     {"event"}},
    {"pending_pods", Type::kGauge, "STABLE", "Pending pods, by the queue they wait in.", {"queue"}},
    {"permit_wait_duration_seconds",
     Type::kHistogram,
     "BETA",
     "Time that pods waited on Permit.",
     {"result"},
     {1000, 15}},
    {"plugin_evaluation_total",
     Type::kCounter,
     "BETA",
     "Calls of each plugin at each extension point.",
     {"plugin", "extension_point", "profile"}},
    {"pod_scheduled_after_flush_total", Type::kCounter, "ALPHA",
     "Pods scheduled after no event but the timeout of the unschedulable pool moved them."},
    {"pod_scheduling_attempts",
     Type::kHistogram,
     "STABLE",
     "Attempts that it took to schedule a pod.",
     {},
     {1, 5}},
    {"pod_scheduling_sli_duration_seconds",
     Type::kHistogram,
     "BETA",
     "Time from a pod's first entry into the active queue to its binding, by attempts.",
     {"attempts"},
     {10'000, 20}},
    {"podgroup_schedule_attempts_total",
     Type::kCounter,
     "ALPHA",
     "Attempts to schedule a pod group, by their result.",
     {"result", "profile"}},
    {"preemption_attempts_total", Type::kCounter, "STABLE", "Attempts to preempt pods."},
    {"preemption_goroutines_execution_total",
     Type::kCounter,
     "ALPHA",
     "Evictions carried out in the background.",
     {"result"}},
    {"preemption_victims", Type::kHistogram, "STABLE", "Victims of a preemption.", {}, {1, 7}},
    {"queue_incoming_pods_total",
     Type::kCounter,
     "STABLE",
     "Pods added to the queues, by the event and the queue.",
     {"queue", "event"}},
    {"resourceclaim_creates_total",
     Type::kCounter,
     "ALPHA",
     "ResourceClaims created for extended resources, by the result.",
     {"status"}},
    {"schedule_attempts_total",
     Type::kCounter,
     "STABLE",
     "Attempts to schedule a pod, by their result.",
     {"result", "profile"}},
    {"unschedulable_pods",
     Type::kGauge,
     "BETA",
     "Unschedulable pods, by every plugin that rejected them.",
     {"plugin", "profile"}},
    {"volume_scheduling_stage_error_total",
     Type::kCounter,
     "ALPHA",
     "Failures of volume scheduling, by its stage.",
     {"operation"}},
}};

size_t IndexOf(Metric metric) { return static_cast<size_t>(metric); }

std::span<const std::string_view> LabelsOf(const Description& description) {
  const auto& labels = description.labels;
  return {labels.begin(), std::find(labels.begin(), labels.end(), std::string_view())};
}

std::string_view TypeName(Type type) {
  switch (type) {
    case Type::kCounter:
      return "counter";
    case Type::kGauge:
      return "gauge";
    case Type::kHistogram:
      return "histogram";
  }
  CHECK(false);
}

// Seconds are written with six decimals.
std::string ValueText(const Description& description, int64_t value) {
  if (!description.name.ends_with(kSeconds)) return Format("{}", value);
  constexpr int64_t kSecondUs = 1'000'000;
  return Format("{}.{:06}", value / kSecondUs, value % kSecondUs);
}

}  // namespace

// As in Prometheus, a metric without labels exists from the start.
Metrics::Metrics(bool is_enabled) : is_enabled_(is_enabled) {
  if (!is_enabled) return;
  for (size_t index = 0; index < kNumMetrics; ++index) {
    if (LabelsOf(kDescriptions[index]).empty()) At(static_cast<Metric>(index), {});
  }
}

Metrics::Sample& Metrics::At(Metric metric, Labels labels) {
  const Description& description = kDescriptions[IndexOf(metric)];
  CHECK(labels.size() == LabelsOf(description).size());
  Sample& sample =
      samples_[IndexOf(metric)][std::vector<std::string>(labels.begin(), labels.end())];
  sample.buckets.resize(static_cast<size_t>(description.buckets.count));
  return sample;
}

void Metrics::AddTo(Metric metric, Labels labels, int64_t amount) {
  CHECK(kDescriptions[IndexOf(metric)].type != Type::kHistogram);
  At(metric, labels).value += amount;
}

void Metrics::SetTo(Metric metric, Labels labels, int64_t value) {
  CHECK(kDescriptions[IndexOf(metric)].type != Type::kHistogram);
  At(metric, labels).value = value;
}

void Metrics::ObserveIn(Metric metric, Labels labels, int64_t value) {
  const Description& description = kDescriptions[IndexOf(metric)];
  CHECK(description.type == Type::kHistogram);
  Sample& sample = At(metric, labels);
  sample.value += value;
  ++sample.count;
  int64_t bound = description.buckets.first;
  for (int64_t& bucket : sample.buckets) {
    if (value <= bound) {
      ++bucket;
      return;
    }
    bound *= 2;
  }
}

void Metrics::Clear(Metric metric) {
  for (auto& [labels, sample] : samples_[IndexOf(metric)]) sample.value = 0;
}

int64_t Metrics::Value(Metric metric, Labels labels) const {
  const Samples& samples = samples_[IndexOf(metric)];
  auto found = samples.find(std::vector<std::string>(labels.begin(), labels.end()));
  return found == samples.end() ? 0 : found->second.value;
}

void Metrics::Write(JsonWriter* json) const {
  json->BeginArray();
  for (size_t index = 0; index < kNumMetrics; ++index) {
    const Description& description = kDescriptions[index];
    json->BeginObject().StringMember("name", Format("scheduler_{}", description.name));
    json->StringMember("type", TypeName(description.type));
    json->StringMember("help", description.help);
    json->StringMember("stability", description.stability).Key("labels").BeginArray();
    for (std::string_view label : LabelsOf(description)) json->String(label);
    json->EndArray();
    bool is_histogram = description.type == Type::kHistogram;
    if (is_histogram) {
      json->Key("bounds").BeginArray();
      int64_t bound = description.buckets.first;
      for (int bucket = 0; bucket < description.buckets.count; ++bucket, bound *= 2) {
        json->Raw(ValueText(description, bound));
      }
      json->EndArray();
    }
    json->Key("samples").BeginArray();
    for (const auto& [labels, sample] : samples_[index]) {
      json->BeginObject().Key("labels").BeginArray();
      for (const std::string& label : labels) json->String(label);
      json->EndArray();
      if (is_histogram) {
        json->Key("buckets").BeginArray();
        for (int64_t bucket : sample.buckets) json->Int(bucket);
        json->EndArray().IntMember("count", sample.count);
      }
      json->Key(is_histogram ? "sum" : "value").Raw(ValueText(description, sample.value));
      json->EndObject();
    }
    json->EndArray().EndObject();
  }
  json->EndArray();
}

}  // namespace stowage
