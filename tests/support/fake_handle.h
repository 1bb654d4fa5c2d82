// FakeHandle is the cluster of a plugin or the preemption in a test, without a Framework.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "core/cache/cache.h"
#include "core/config/features.h"
#include "core/dra/dra_manager.h"
#include "core/framework/handle.h"
#include "core/scheduler/object_store.h"
#include "tests/support/fake_background.h"

namespace stowage {

class FakeListers final : public ObjectStore {
 public:
  ~FakeListers() override;

  // Replaces the node of the same name.
  template <typename T>
  void Add(T object) {
    Put(AnyObject(std::make_shared<const T>(std::move(object))));
  }
  void RemovePod(const Symbol& namespace_, const Symbol& name) {
    Remove(ObjectKind::kPod, {namespace_, name});
  }
  void AddDeviceClass();
};

// Expressions are the names of devices that they select; "true" selects all, "fault" fails.
class FakeSelectors final : public SelectorEvaluator {
 public:
  Result<bool, std::string> Matches(const Symbol& expression, const ResourceSliceRef& slice,
                                    const Device& device, bool) override;
};

class FakeNominator final : public PodNominator {
 public:
  const std::vector<PodInfoRef>& NominatedPodsForNode(const Symbol& node) const override;
  const std::vector<Symbol>& NominatedNodes() const override { return nodes_; }
  size_t size() const override { return size_; }
  const NominationLog& changes() const override { return changes_; }
  void Add(const Symbol& node, PodInfoRef pod);

 private:
  std::map<Symbol, std::vector<PodInfoRef>> pods_;
  std::vector<Symbol> nodes_;
  NominationLog changes_;
  size_t size_ = 0;
};

// In a dry run, all filters pass.
class FakeHandle : public Handle {
 public:
  FakeHandle();
  ~FakeHandle() override;

  FakeHandle& Add(Node node);
  // A running pod on spec.nodeName.
  FakeHandle& Add(Pod pod);
  // Replaces the pod of the same name.
  FakeHandle& Update(Node node);
  // Its pods stay in the cluster.
  FakeHandle& Remove(const Node& node);
  FakeHandle& Remove(const Pod& pod);

  Features& features() { return features_; }
  FakeListers& fake_listers() { return listers_; }
  FakeSelectors& fake_selectors() { return selectors_; }
  FakeNominator& fake_nominator() { return nominator_; }
  Extenders& fake_extenders() { return extenders_; }
  Loop& loop() { return background_.loop; }
  Outbox& outbox() { return background_.outbox; }
  FakeBackground& fake_background() { return background_; }
  const std::vector<PreemptionReport>& reports() const { return reports_; }

  const Symbol& profile_name() const override { return profile_name_; }
  const Snapshot& snapshot() const override;
  const NodeInfo& node(std::string_view name) const;

  TopologyIndex& topology_index() const override {
    snapshot();  // the index reads nodes as of the last refresh
    return topology_index_;
  }
  const PodGroupStates& pod_groups() const override { return cache_.pod_groups(); }
  PodGroupStates& fake_pod_groups() { return cache_.pod_groups(); }
  const PodNominator& nominator() const override { return nominator_; }
  const Listers& listers() const override { return listers_; }
  DraManager& dra() const override { return dra_; }
  const Extenders& extenders() const override { return extenders_; }
  Calls& calls() const override { return background_.loop; }
  Background* background() const override { return &background_.background; }
  Metrics& metrics() const override { return metrics_; }
  StepBudget& steps() const override { return steps_; }
  int32_t parallelism() const override { return 16; }
  Instant now() const override { return now_; }
  // The loop's time as well.
  void set_now(Instant now) {
    now_ = now;
    background_.loop.set_now(now);
  }
  size_t RandomBelow(size_t) override { return 0; }
  Status RunFilterPluginsWithNominatedPods(const CycleState& state, const Pod& pod,
                                           const NodeInfo& node) const override;
  Status RunPreFilterExtensionAddPod(CycleState& state, const Pod& pod, const PodInfo& added,
                                     const NodeInfo& node) const override;
  Status RunPreFilterExtensionRemovePod(CycleState& state, const Pod& pod, const PodInfo& removed,
                                        const NodeInfo& node) const override;
  void ReportPreemption(PreemptionReport report) override;

 private:
  Features features_;
  mutable Cache cache_;
  mutable Snapshot snapshot_;
  mutable StepBudget steps_;
  mutable TopologyIndex topology_index_{snapshot_.table(), steps_};
  mutable bool is_snapshot_stale_ = false;
  FakeListers listers_;
  FakeSelectors selectors_;
  mutable DraManager dra_{features_, selectors_};
  FakeNominator nominator_;
  Symbol profile_name_{"default-scheduler"};
  Instant now_{1'000'000, 0};
  Extenders extenders_;
  mutable Metrics metrics_{true};
  mutable FakeBackground background_;
  std::vector<PreemptionReport> reports_;
};

}  // namespace stowage
