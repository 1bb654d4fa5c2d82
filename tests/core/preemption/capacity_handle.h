// A cluster for dry runs with one filter: cpu in milli units, nominated pods included. Optionally
// also a number of pods, which only the PreFilter extensions count.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/pod_helpers.h"
#include "tests/support/plugin_runner.h"

namespace stowage {

// The pods that the extensions added, less those that they removed.
struct PodTally final : StateData {
  int64_t pods = 0;

  std::unique_ptr<StateData> Clone() const override { return std::make_unique<PodTally>(*this); }
};

class CapacityHandle final : public FakeHandle {
 public:
  // The largest number of pods in a state that has a tally.
  void set_tally_max(int64_t max) { tally_max_ = max; }
  // Makes the extension fail for pods of this name.
  void FailAdding(std::string_view pod) { fails_adding_ = Symbol(pod); }
  void FailRemoving(std::string_view pod) { fails_removing_ = Symbol(pod); }
  void set_draw(size_t draw) { draw_ = draw; }

  void set_reports_dry_runs(bool reports) { reports_dry_runs_ = reports; }

  bool reports_dry_runs() const override { return reports_dry_runs_; }
  size_t RandomBelow(size_t bound) override {
    CHECK(draw_ < bound);
    return draw_;
  }

  Status RunFilterPluginsWithNominatedPods(const CycleState& state, const Pod& pod,
                                           const NodeInfo& node) const override {
    std::unique_ptr<NodeInfo> copy = node.Clone();
    for (const PodInfoRef& nominated : nominator().NominatedPodsForNode(node.name())) {
      if (PodPriority(*nominated->pod) >= PodPriority(pod)) copy->AddPod(nominated);
    }
    int64_t wanted = copy->requested().milli_cpu + Request(pod);
    if (wanted > node.allocatable().milli_cpu) return Status::Unschedulable("Insufficient cpu");
    const PodTally* tally = state.ReadData<PodTally>();
    if (tally != nullptr && tally->pods > tally_max_) return Status::Unschedulable("tally");
    return Status::Success();
  }
  Status RunPreFilterExtensionAddPod(CycleState& state, const Pod&, const PodInfo& added,
                                     const NodeInfo&) const override {
    return Count(state, +1, *added.pod, fails_adding_);
  }
  Status RunPreFilterExtensionRemovePod(CycleState& state, const Pod&, const PodInfo& removed,
                                        const NodeInfo&) const override {
    return Count(state, -1, *removed.pod, fails_removing_);
  }

 private:
  static int64_t Request(const Pod& pod) {
    return MakePodInfo(std::make_shared<const Pod>(pod), Features())->requests.milli_cpu;
  }
  static Status Count(CycleState& state, int64_t change, const Pod& pod, const Symbol& fails) {
    if (pod.metadata.name == fails) return Status::Error("extension failed");
    if (PodTally* tally = state.MutableData<PodTally>(); tally != nullptr) tally->pods += change;
    return Status::Success();
  }

  bool reports_dry_runs_ = true;
  int64_t tally_max_ = 0;
  Symbol fails_adding_;
  Symbol fails_removing_;
  size_t draw_ = 0;
};

inline Node NodeOfCpu(std::string_view name, std::string_view cpu) {
  return MakeNode().Name(name).Allocatable({{"cpu", cpu}});
}

// A pod that requests cpu; it runs if it names a node.
inline MakePod CpuPod(std::string_view name, int32_t priority, std::string_view cpu) {
  MakePod pod;
  pod.Name(name).Priority(priority).Req({{"cpu", cpu}});
  return pod;
}

inline PodDisruptionBudget MakeBudget(std::string_view name, std::optional<LabelSelector> selector,
                                      int32_t disruptions_allowed, Texts disrupted = {}) {
  PodDisruptionBudget budget;
  budget.metadata.name = Symbol(name);
  budget.metadata.namespace_ = Symbol("default");
  budget.spec.selector = std::move(selector);
  budget.status.disruptions_allowed = disruptions_allowed;
  budget.status.disrupted_pods = MakeSymbols(disrupted);
  return budget;
}

inline std::vector<std::string> NamesOf(const std::vector<PodInfoRef>& pods) {
  std::vector<std::string> names;
  for (const PodInfoRef& pod : pods) names.push_back(pod->pod->metadata.name.str());
  return names;
}

}  // namespace stowage
