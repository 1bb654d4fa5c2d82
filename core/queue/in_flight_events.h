// InFlightEvents remembers which pods are being scheduled and what has happened since each was
// popped: what a pod missed decides where it goes when it comes back (spec 03 §2, §6).
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
  // False when the pod is in flight already.
  bool AddPod(const PodRef& pod);
  // Of no effect while nobody is in flight.
  void AddEvent(const ClusterEvent& event, const EventObjects& objects);
  // What happened since the pod was popped, oldest first; it must be in flight.
  std::vector<const Event*> EventsSince(const Symbol& uid) const;
  // The pod is done; what nobody needs any more is dropped. Unknown ones are passed over.
  void Done(const Symbol& uid);
  // By uid.
  std::vector<PodRef> Pods() const;
  size_t NumPods() const { return pods_.size(); }
  // What is kept, by the events' labels.
  std::map<std::string, int64_t> CountEvents() const;

 private:
  // A pod marks the moment when it was popped.
  using Entry = std::variant<PodRef, Event>;
  std::list<Entry> entries_;
  HashMap<Symbol, std::list<Entry>::iterator, SymbolNumber> pods_;
  // The memory of a pod that is done serves the next one: mostly there is one at a time.
  std::list<Entry> spare_;
};

}  // namespace stowage
