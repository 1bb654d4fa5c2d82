// UnschedulablePods is the pool of pods that were rejected, or are gated, and wait for an event.
//
// Pods rejected alike are kept together, so that an event which concerns none of their rejectors
// costs nothing however many they are. Counterpart: unschedulablePods of
// backend/queue/scheduling_queue.go, v1.36.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/api/object_key.h"
#include "core/framework/queued_pod_info.h"

namespace stowage {

class UnschedulablePods {
 public:
  // What pods of a group have in common.
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
  using Group = std::map<ObjectKey, QueuedPodRef>;

  // Pods must not change what they are grouped by, nor their timestamp, while they are in.
  void Add(const QueuedPodRef& pod);
  void Remove(const QueuedPodRef& pod);

  bool empty() const { return groups_.empty(); }
  size_t size() const;
  // Pods that are not gated.
  size_t NumUngated() const { return ages_.size(); }
  const std::map<GroupKey, Group>& groups() const { return groups_; }
  // In order of namespace and name.
  std::vector<QueuedPodRef> Pods() const;
  // The timestamp of the pod that has waited longest, gated ones aside.
  std::optional<Instant> OldestTimestamp() const;

 private:
  std::map<GroupKey, Group> groups_;
  std::set<std::pair<Instant, uint64_t>> ages_;  // of pods that are not gated
};

}  // namespace stowage
