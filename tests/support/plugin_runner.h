// Runs a plugin in a test as the framework would: FakeHandle holds the cluster, RunFilter and
// RunScores go through the extension points in order.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/cache/cache.h"
#include "core/framework/registry.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

// Objects by kind, kept in the order that Listers promises.
class FakeListers final : public Listers {
 public:
  void Add(Service object) { Insert(&services_, std::move(object)); }
  void Add(PodDisruptionBudget object) { Insert(&budgets_, std::move(object)); }
  void Add(Namespace object) { Insert(&namespaces_, std::move(object)); }
  void Add(ReplicationController object) { Insert(&replication_controllers_, std::move(object)); }
  void Add(ReplicaSet object) { Insert(&replica_sets_, std::move(object)); }
  void Add(StatefulSet object) { Insert(&stateful_sets_, std::move(object)); }
  void Add(Pod object) { Insert(&pods_, std::move(object)); }

  PodRef GetPod(const Symbol& namespace_, const Symbol& name) const override {
    return Find(pods_, namespace_, name);
  }
  const std::vector<PodDisruptionBudgetRef>& PodDisruptionBudgets() const override {
    return budgets_;
  }
  const std::vector<ServiceRef>& Services() const override { return services_; }
  NamespaceRef GetNamespace(const Symbol& name) const override {
    return Find(namespaces_, Symbol(), name);
  }
  ReplicationControllerRef GetReplicationController(const Symbol& namespace_,
                                                    const Symbol& name) const override {
    return Find(replication_controllers_, namespace_, name);
  }
  ReplicaSetRef GetReplicaSet(const Symbol& namespace_, const Symbol& name) const override {
    return Find(replica_sets_, namespace_, name);
  }
  StatefulSetRef GetStatefulSet(const Symbol& namespace_, const Symbol& name) const override {
    return Find(stateful_sets_, namespace_, name);
  }

 private:
  template <typename T>
  using Refs = std::vector<std::shared_ptr<const T>>;

  template <typename T>
  static void Insert(Refs<T>* list, T object) {
    list->push_back(std::make_shared<const T>(std::move(object)));
    std::sort(list->begin(), list->end(), [](const auto& a, const auto& b) {
      const ObjectMeta& left = a->metadata;
      const ObjectMeta& right = b->metadata;
      return left.namespace_ != right.namespace_ ? left.namespace_ < right.namespace_
                                                 : left.name < right.name;
    });
  }

  template <typename T>
  static std::shared_ptr<const T> Find(const Refs<T>& list, const Symbol& namespace_,
                                       const Symbol& name) {
    for (const auto& object : list) {
      if (object->metadata.namespace_ == namespace_ && object->metadata.name == name) return object;
    }
    return nullptr;
  }

  Refs<Service> services_;
  Refs<PodDisruptionBudget> budgets_;
  Refs<Namespace> namespaces_;
  Refs<ReplicationController> replication_controllers_;
  Refs<ReplicaSet> replica_sets_;
  Refs<StatefulSet> stateful_sets_;
  Refs<Pod> pods_;
};

class FakeNominator final : public PodNominator {
 public:
  const std::vector<PodInfoRef>& NominatedPodsForNode(const Symbol& node) const override {
    static const std::vector<PodInfoRef> kNone;
    auto found = pods_.find(node);
    return found == pods_.end() ? kNone : found->second;
  }
  size_t size() const override { return size_; }
  void Add(const Symbol& node, PodInfoRef pod) {
    pods_[node].push_back(std::move(pod));
    ++size_;
  }

 private:
  std::map<Symbol, std::vector<PodInfoRef>> pods_;
  size_t size_ = 0;
};

// A cluster for plugins to look at. Filters that a dry run asks for all pass.
class FakeHandle : public Handle {
 public:
  FakeHandle& Add(Node node) {
    cache_.AddNode(std::make_shared<const Node>(std::move(node)));
    is_snapshot_stale_ = true;
    return *this;
  }
  // A running pod, on spec.nodeName.
  FakeHandle& Add(Pod pod) {
    CHECK(!pod.spec.node_name.empty());
    PodRef ref = std::make_shared<const Pod>(std::move(pod));
    CHECK(cache_.AddPod(MakePodInfo(std::move(ref), features_)).IsSuccess());
    is_snapshot_stale_ = true;
    return *this;
  }

  Features& features() { return features_; }
  FakeListers& fake_listers() { return listers_; }
  FakeNominator& fake_nominator() { return nominator_; }
  const std::vector<PreemptionReport>& reports() const { return reports_; }

  const Snapshot& snapshot() const override {
    if (std::exchange(is_snapshot_stale_, false)) cache_.UpdateSnapshot(&snapshot_);
    return snapshot_;
  }
  const NodeInfo& node(std::string_view name) const {
    const NodeInfo* info = snapshot().Get(Symbol(name));
    CHECK(info != nullptr);
    return *info;
  }

  const PodNominator& nominator() const override { return nominator_; }
  const Listers& listers() const override { return listers_; }
  Instant now() const override { return {1'000'000, 0}; }
  size_t RandomBelow(size_t) override { return 0; }
  Status RunFilterPluginsWithNominatedPods(const CycleState&, const Pod&,
                                           const NodeInfo&) const override {
    return Status::Success();
  }
  Status RunPreFilterExtensionAddPod(CycleState&, const Pod&, const PodInfo&,
                                     const NodeInfo&) const override {
    return Status::Success();
  }
  Status RunPreFilterExtensionRemovePod(CycleState&, const Pod&, const PodInfo&,
                                        const NodeInfo&) const override {
    return Status::Success();
  }
  void ReportPreemption(PreemptionReport report) override { reports_.push_back(std::move(report)); }

 private:
  Features features_;
  mutable Cache cache_;
  mutable Snapshot snapshot_;
  mutable bool is_snapshot_stale_ = false;
  FakeListers listers_;
  FakeNominator nominator_;
  std::vector<PreemptionReport> reports_;
};

// A plugin with the cluster that it looks at.
template <typename T>
class PluginRunner {
 public:
  // Without args: the plugin's own kind, undefaulted.
  explicit PluginRunner(PluginArgs args = NewPluginArgs(T::kName), Features features = {})
      : args_(std::move(args)) {
    handle_.features() = features;
  }

  FakeHandle& handle() { return handle_; }

  // Built at the first use; the features are fixed from then on.
  T& plugin() {
    if (plugin_ != nullptr) return *plugin_;
    PluginContext context{handle_.features(), handle_, args_};
    if constexpr (requires { T::New(context); }) {
      plugin_ = T::New(context).Take();
    } else {
      plugin_ = std::make_unique<T>(context);
    }
    return *plugin_;
  }

  // PreFilter on a fresh state, kept for the calls below.
  Status PreFilter(const Pod& pod, PreFilterResult* result = nullptr) {
    PreFilterResult ignored;
    state_ = CycleState();
    return plugin().PreFilter(state_, pod, handle_.snapshot().nodes(),
                              result == nullptr ? &ignored : result);
  }

  // PreFilter, where there is one, then Filter. A pod that PreFilter skips passes.
  Status Filter(const Pod& pod, std::string_view node) {
    state_ = CycleState();
    if constexpr (std::is_base_of_v<PreFilterPlugin, T>) {
      Status status = PreFilter(pod);
      if (status.IsSkip()) return Status::Success();
      if (!status.IsSuccess()) return status;
    }
    return plugin().Filter(state_, pod, handle_.node(node));
  }

  // PreScore, where there is one, Score and NormalizeScore on all nodes, in snapshot order. Empty
  // when PreScore skips.
  Result<std::vector<int64_t>, Status> Scores(const Pod& pod) {
    NodeList nodes = handle_.snapshot().nodes();
    state_ = CycleState();
    if constexpr (std::is_base_of_v<PreScorePlugin, T>) {
      Status status = plugin().PreScore(state_, pod, nodes);
      if (status.IsSkip()) return std::vector<int64_t>();
      if (!status.IsSuccess()) return status;
    }
    std::vector<NodeScore> scores;
    for (const NodeInfo* node : nodes) {
      Result<int64_t, Status> score = plugin().Score(state_, pod, *node);
      if (!score.ok()) return score.fault();
      scores.push_back({node, *score});
    }
    if (const ScoreExtensions* normalizer = plugin().Normalizer(); normalizer != nullptr) {
      Status status = normalizer->NormalizeScore(state_, pod, scores);
      if (!status.IsSuccess()) return status;
    }
    std::vector<int64_t> values;
    for (const NodeScore& score : scores) values.push_back(score.score);
    return values;
  }

  CycleState& state() { return state_; }

 private:
  FakeHandle handle_;
  PluginArgs args_;
  std::unique_ptr<T> plugin_;
  CycleState state_;
};

// The verdict of T about `pod` on a cluster of this one node.
template <typename T>
Status RunFilter(const Pod& pod, const Node& node, Features features = {}) {
  PluginRunner<T> runner(NewPluginArgs(T::kName), features);
  runner.handle().Add(node);
  return runner.Filter(pod, node.metadata.name.view());
}

}  // namespace stowage
