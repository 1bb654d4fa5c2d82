// UnschedulablePods is the pool of pods that were rejected, or are gated, and wait for an event.
//
// Pods with the same rejectors form a group, so an event that concerns none of a group's rejectors
// costs the same however many pods it has. Within a group, pods that share what most hints read are
// alike, so one call of such a hint answers for all of them. Counterpart: unschedulablePods of
// backend/queue/scheduling_queue.go, v1.36.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/api/object_key.h"
#include "core/framework/queued_pod_info.h"
#include "core/queue/gated_pods.h"

namespace stowage {

class UnschedulablePods {
 public:
  // What the pods of a group share.
  struct GroupKey {
    Symbol scheduler_name;
    std::set<Symbol> unschedulable_plugins;
    std::set<Symbol> pending_plugins;
    Symbol gating_plugin;

    static GroupKey Of(const QueuedPodInfo& pod);
    friend bool operator<(const GroupKey& a, const GroupKey& b) {
      return std::tie(a.scheduler_name, a.gating_plugin, a.unschedulable_plugins,
                      a.pending_plugins) < std::tie(b.scheduler_name, b.gating_plugin,
                                                    b.unschedulable_plugins, b.pending_plugins);
    }
  };
  // The parts of a pod that ClusterEventWithHint::reads_shared_parts lists. They are compared by
  // address, which is cheap and tells pods of different templates apart.
  struct SharedParts {
    Symbol namespace_;
    LabelMap labels;
    SharedList<OwnerReference> owner_references;
    Shared<Affinity> affinity;
    SharedList<TopologySpreadConstraint> topology_spread_constraints;

    static SharedParts Of(const Pod& pod);
    friend bool operator<(const SharedParts& a, const SharedParts& b);
  };
  using ByName = std::map<ObjectKey, QueuedPodRef>;
  struct Group {
    ByName pods;
    std::map<SharedParts, ByName> alike;  // the same pods
    // The same pods, once they were asked for.
    std::shared_ptr<GatedPods> gated = {};
  };

  // While a pod is in the pool, neither it nor its GroupKey nor its timestamp may change.
  void Add(const QueuedPodRef& pod);
  void Remove(const QueuedPodRef& pod);

  bool empty() const { return groups_.empty(); }
  size_t size() const;
  // The number of pods that are not gated.
  size_t NumUngated() const { return ages_.size(); }
  const std::map<GroupKey, Group>& groups() const { return groups_; }
  // The pods of a group whose pods are gated.
  GatedPods& GatedPodsOf(const GroupKey& key, bool is_by_pod_group);
  // Completes the last move of a pod of the pool, which may share it.
  void SettleLastMove(const QueuedPodRef& pod) const;
  // Sorted by namespace and name, with their last moves.
  std::vector<QueuedPodRef> Pods() const;
  // The oldest timestamp of a pod that is not gated; nullopt if there is none.
  std::optional<Instant> OldestTimestamp() const;

 private:
  std::map<GroupKey, Group> groups_;
  std::set<std::pair<Instant, uint64_t>> ages_;  // of pods that are not gated
};

}  // namespace stowage
