// FakeHandle is the cluster that a plugin or the preemption looks at in a test, without a
// Framework.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "core/cache/cache.h"
#include "core/config/features.h"
#include "core/framework/handle.h"
#include "tests/support/fake_background.h"

namespace stowage {

// Objects by kind, kept in the order that Listers promises.
class FakeListers final : public Listers {
 public:
  void Add(Service object);
  void Add(PodDisruptionBudget object);
  void Add(Namespace object);
  void Add(ReplicationController object);
  void Add(ReplicaSet object);
  void Add(StatefulSet object);
  // In place of the one of its name.
  void Add(Pod object);
  void RemovePod(const Symbol& namespace_, const Symbol& name);

  PodRef GetPod(const Symbol& namespace_, const Symbol& name) const override;
  const std::vector<PodDisruptionBudgetRef>& PodDisruptionBudgets() const override;
  const std::vector<ServiceRef>& Services() const override;
  const std::vector<NamespaceRef>& Namespaces() const override { return namespaces_; }
  NamespaceRef GetNamespace(const Symbol& name) const override;
  ReplicationControllerRef GetReplicationController(const Symbol& namespace_,
                                                    const Symbol& name) const override;
  ReplicaSetRef GetReplicaSet(const Symbol& namespace_, const Symbol& name) const override;
  StatefulSetRef GetStatefulSet(const Symbol& namespace_, const Symbol& name) const override;
  bool HasDeviceClasses() const override { return has_device_classes_; }
  void NoteDeviceClass() { has_device_classes_ = true; }

 private:
  bool has_device_classes_ = false;
  std::vector<ServiceRef> services_;
  std::vector<PodDisruptionBudgetRef> budgets_;
  std::vector<NamespaceRef> namespaces_;
  std::vector<ReplicationControllerRef> replication_controllers_;
  std::vector<ReplicaSetRef> replica_sets_;
  std::vector<StatefulSetRef> stateful_sets_;
  std::vector<PodRef> pods_;
};

class FakeNominator final : public PodNominator {
 public:
  const std::vector<PodInfoRef>& NominatedPodsForNode(const Symbol& node) const override;
  size_t size() const override { return size_; }
  void Add(const Symbol& node, PodInfoRef pod);

 private:
  std::map<Symbol, std::vector<PodInfoRef>> pods_;
  size_t size_ = 0;
};

// Filters that a dry run asks for all pass.
class FakeHandle : public Handle {
 public:
  FakeHandle();
  ~FakeHandle() override;

  FakeHandle& Add(Node node);
  // A running pod, on spec.nodeName.
  FakeHandle& Add(Pod pod);

  Features& features() { return features_; }
  FakeListers& fake_listers() { return listers_; }
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
  const PodNominator& nominator() const override { return nominator_; }
  const Listers& listers() const override { return listers_; }
  const Extenders& extenders() const override { return extenders_; }
  Calls& calls() const override { return background_.loop; }
  Background* background() const override { return &background_.background; }
  int32_t parallelism() const override { return 16; }
  Instant now() const override { return {1'000'000, 0}; }
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
  mutable TopologyIndex topology_index_{snapshot_.table()};
  mutable bool is_snapshot_stale_ = false;
  FakeListers listers_;
  FakeNominator nominator_;
  Symbol profile_name_{"default-scheduler"};
  Extenders extenders_;
  mutable FakeBackground background_;
  std::vector<PreemptionReport> reports_;
};

}  // namespace stowage
