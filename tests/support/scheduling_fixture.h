// SchedulingFixture is a cluster with one profile of real in-tree plugins, for tests of whole
// cycles.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "core/cache/cache.h"
#include "core/config/expansion.h"
#include "core/config/load.h"
#include "core/plugins/in_tree_registry.h"
#include "core/queue/nominator.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/scheduling_cycle.h"
#include "tests/support/fake_background.h"
#include "tests/support/fake_handle.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

class SchedulingFixture {
 public:
  // `configuration` is a KubeSchedulerConfiguration in JSON; empty for the defaults.
  explicit SchedulingFixture(std::string_view configuration = "") : registry_(InTreeRegistry()) {
    configuration_ = LoadConfiguration(configuration, features_).Take();
    auto points = [this](std::string_view name) -> std::optional<ExtensionPointSet> {
      const Registry::Entry* entry = registry_.Find(name);
      if (entry == nullptr) return std::nullopt;
      return entry->points;
    };
    expanded_ = ExpandProfiles(configuration_.profiles, points).Take();
  }

  // A profile of its own over the shared cluster, with a verdict cache of its own.
  ProfileRuntime MakeProfile(VerdictCacheOptions options) {
    return MakeProfile(options, &topology_index_);
  }
  // With metrics of its own.
  ProfileRuntime MakeProfile(VerdictCacheOptions options, Metrics* metrics) {
    return MakeProfile(options, &topology_index_, metrics);
  }
  // With an index of its own, over snapshot().table().
  ProfileRuntime MakeProfile(VerdictCacheOptions options, TopologyIndex* topology_index,
                             Metrics* metrics = nullptr) {
    FrameworkEnvironment environment{snapshot_,
                                     *topology_index,
                                     cache_.pod_groups(),
                                     nominator_,
                                     store_,
                                     dra_,
                                     features_,
                                     registry_,
                                     extenders_,
                                     background_.loop,
                                     background_.background,
                                     metrics != nullptr ? *metrics : metrics_,
                                     steps_};
    ProfileRuntime profile;
    profile.framework =
        Framework::New(configuration_.profiles[0], expanded_[0], environment).Take();
    profile.verdicts = std::make_unique<VerdictCache>(*profile.framework, options);
    return profile;
  }

  SchedulingCycle MakeCycle(TieBreak tie_break = TieBreak::kHeap, Rng* rng = nullptr) {
    return SchedulingCycle(snapshot_, {configuration_.percentage_of_nodes_to_score, tie_break},
                           rng);
  }
  // Overrides the configuration's percentage.
  SchedulingCycle MakeSamplingCycle(int32_t percentage) {
    return SchedulingCycle(snapshot_, {percentage, TieBreak::kHeap}, nullptr);
  }

  void Refresh() { cache_.UpdateSnapshot(&snapshot_); }

  // Runs `body` on the cluster without a pod, and undoes the changes of the snapshot.
  template <typename Body>
  void Evaluate(const PodInfo& removed, Body body) {
    Cache::SavedState saved = cache_.BeginEvaluation(&removed, &snapshot_);
    body();
    if (cache_.EndEvaluation(std::move(saved), &snapshot_)) topology_index_.Forget();
  }

  void PutNode(Node node) {
    auto ref = std::make_shared<const Node>(std::move(node));
    std::optional<AnyObject> old = store_.Put(ref);
    if (old) {
      cache_.UpdateNode(*old->Get<Node>(), ref);
    } else {
      cache_.AddNode(ref);
    }
  }
  void RemoveNode(const Symbol& name) {
    std::optional<AnyObject> old = store_.Remove(ObjectKind::kNode, {Symbol(), name});
    CHECK(old.has_value());
    CHECK(cache_.RemoveNode(*old->Get<Node>()).IsSuccess());
  }
  void PlacePod(Pod pod, const Symbol& node) {
    pod.spec.node_name = node;
    auto ref = std::make_shared<const Pod>(std::move(pod));
    store_.Put(ref);
    CHECK(cache_.AddPod(MakePodInfo(ref, features_)).IsSuccess());
  }
  // Another version of a placed pod.
  void UpdatePod(Pod pod) {
    auto ref = std::make_shared<const Pod>(std::move(pod));
    std::optional<AnyObject> old = store_.Put(ref);
    CHECK(old.has_value());
    PodInfoRef known = cache_.GetPod(ref->metadata.uid);
    CHECK(cache_.UpdatePod(*old->Get<Pod>(), MakePodInfo(ref, *known, features_)).IsSuccess());
  }
  void RemovePod(const PodRef& pod) {
    store_.Remove(ObjectKind::kPod, ObjectKey::Of(pod->metadata));
    CHECK(cache_.RemovePod(*pod).IsSuccess());
  }

  const Features& features() const { return features_; }
  const Registry& registry() const { return registry_; }
  const KubeSchedulerProfile& profile() const { return configuration_.profiles[0]; }
  TopologyIndex& topology_index() { return topology_index_; }
  const Snapshot& snapshot() const { return snapshot_; }
  Cache& cache() { return cache_; }
  ObjectStore& store() { return store_; }
  Nominator& nominator() { return nominator_; }

 private:
  Features features_;
  Registry registry_;
  KubeSchedulerConfiguration configuration_;
  std::vector<ExpandedProfile> expanded_;
  ObjectStore store_;
  FakeSelectors selectors_;
  DraManager dra_{features_, selectors_};
  Cache cache_;
  Snapshot snapshot_;
  StepBudget steps_;
  TopologyIndex topology_index_{snapshot_.table(), steps_};
  Nominator nominator_{store_};
  Extenders extenders_;
  Metrics metrics_{true};
  FakeBackground background_;
};

}  // namespace stowage
