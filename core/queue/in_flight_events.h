// InFlightEvents records which pods are being scheduled, and the events since each was popped. The
// events that a pod missed decide where it goes when its attempt fails (spec 03 §2, §6).
// Counterpart: activeQueue's inFlightPods and inFlightEvents of backend/queue/active_queue.go,
// v1.36.
#pragma once

#include <list>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/base/hash_map.h"
#include "core/framework/cluster_event.h"

namespace stowage {

class InFlightEvents {
 public:
  struct Event {
    ClusterEvent event;
    EventObjects objects;
  };

  bool Contains(const Symbol& uid) const { return pods_.contains(uid); }
  bool empty() const { return pods_.empty(); }
  // Returns false if the pod is in flight already.
  bool AddPod(const PodRef& pod);
  // Does nothing while no pod is in flight.
  void AddEvent(const ClusterEvent& event, const EventObjects& objects);
  // The events since the pod was popped, oldest first. The pod must be in flight.
  std::vector<const Event*> EventsSince(const Symbol& uid) const;
  // Ends the pod's attempt and drops the events that no other pod needs. Unknown pods are ignored.
  void Done(const Symbol& uid);
  // Sorted by uid.
  std::vector<PodRef> Pods() const;
  size_t NumPods() const { return pods_.size(); }
  // The number of kept events by label.
  std::map<std::string, int64_t> CountEvents() const;

 private:
  // A pod marks the moment of its pop among the events.
  using Entry = std::variant<PodRef, Event>;
  std::list<Entry> entries_;
  HashMap<Symbol, std::list<Entry>::iterator, SymbolNumber> pods_;
  // Keeps the list node of a finished pod for the next one: usually only one pod is in flight.
  std::list<Entry> spare_;
};

}  // namespace stowage
