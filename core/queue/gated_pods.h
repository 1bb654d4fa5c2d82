// GatedPods holds the gated pods of a group of the pool whose gate one question answers for many
// (ClusterEventWithHint): for all pods of a pod group, or for all pods until something changes that
// the gate reads.
//
// While the pods of a gang arrive, each of them is an event for all that wait already. If nothing
// but their last move changes, they share it here. What the pool calls is virtual: the linker would
// make deferred code with one caller a part of that caller.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/api/object_key.h"
#include "core/framework/cluster_event.h"
#include "core/framework/queued_pod_info.h"

namespace stowage {

class GatedPods {
 public:
  using ByName = std::map<ObjectKey, QueuedPodRef>;
  // Pods that share their last moves. By pod group, the gate has one message for them.
  struct Alike {
    ByName pods = {};
    // The last move of all; that of a pod itself may be later.
    QueueMove last_move = {};
    uint64_t moved = 0;  // as QueuedPodInfo::moved
    // The pods that came since `gate_changes` was read, when all others were asked.
    ByName unasked = {};
    uint64_t gate_changes = 0;
  };

  // By pod group, pods outside of pod groups are ignored.
  GatedPods(bool is_by_pod_group, const ByName& pods);
  virtual ~GatedPods() = default;

  virtual void Add(const QueuedPodRef& pod);
  // The pod keeps the last move that it shared.
  virtual void Remove(const QueuedPodRef& pod);
  // The pods of the pod group that the event's object belongs to, or is.
  std::vector<Alike*> Of(const EventObjects& objects);
  // All pods, if they are not sorted by pod group.
  Alike& All() { return alike_[{}]; }
  // Gives the pod the last move that it shares, if it is here and its own is older.
  virtual void SettleLastMove(const QueuedPodRef& pod) const;

 private:
  using Key = std::pair<ObjectKey, std::string>;  // the pod group, and the message
  Key KeyOf(const QueuedPodInfo& pod) const;

  bool is_by_pod_group_;
  std::map<Key, Alike> alike_;
};

}  // namespace stowage
