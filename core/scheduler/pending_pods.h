// PendingPods keeps the pods that wait for a node: those to be tried, in the order of the profile's
// QueueSort plugin, and those that were tried in vain and wait for a change of the cluster.
//
// Ties of the QueueSort plugin go by arrival.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>

#include "core/framework/interface.h"
#include "core/framework/queued_pod_info.h"
#include "core/scheduler/object_store.h"

namespace stowage {

class PendingPods {
 public:
  explicit PendingPods(const QueueSortPlugin& queue_sort) : active_(Order{&queue_sort}) {}

  // Adds a pod, or replaces the one of the same namespace and name; it is to be tried (again).
  void AddOrUpdate(const PodInfoRef& pod);
  void Delete(const ObjectKey& key);
  // The next pod to try; null when there is none. The pod is in no queue afterwards.
  std::shared_ptr<QueuedPodInfo> Pop();
  // The pod, wherever it waits, or null. It is in no queue afterwards.
  std::shared_ptr<QueuedPodInfo> Take(const ObjectKey& key);
  // Puts a tried pod back, to wait for a change of the cluster.
  void AddUnschedulable(std::shared_ptr<QueuedPodInfo> pod);
  // Puts a pod back to be tried again.
  void Activate(std::shared_ptr<QueuedPodInfo> pod);
  // All pods that wait for a change are to be tried again.
  void MoveAllToActive();

  size_t NumActive() const { return active_.size(); }
  size_t NumUnschedulable() const { return by_key_.size() - active_.size(); }
  // Keys of the pods in a queue, in order of namespace and name.
  std::vector<ObjectKey> ActiveKeys() const;
  std::vector<ObjectKey> UnschedulableKeys() const;

 private:
  using QueuedPodRef = std::shared_ptr<QueuedPodInfo>;

  struct Order {
    const QueueSortPlugin* queue_sort;
    bool operator()(const QueuedPodRef& a, const QueuedPodRef& b) const {
      if (queue_sort->Less(*a, *b)) return true;
      if (queue_sort->Less(*b, *a)) return false;
      return a->sequence < b->sequence;
    }
  };
  struct Slot {
    QueuedPodRef pod;
    bool is_active = false;
  };

  std::set<QueuedPodRef, Order> active_;
  std::map<ObjectKey, Slot> by_key_;
  uint64_t sequence_ = 0;
};

}  // namespace stowage
