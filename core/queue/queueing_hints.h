// QueueingHintMap holds the events that the plugins of a profile registered, and calls their
// queueing hints (spec 02 §1, 03 §7).
// Counterpart: QueueingHintMap of backend/queue/scheduling_queue.go, v1.36.
#pragma once

#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "core/framework/cluster_event.h"

namespace stowage {

// Where an event moves a rejected pod.
enum class QueueingStrategy : uint8_t { kSkip, kAfterBackoff, kImmediately };

struct QueueingVerdict {
  QueueingStrategy strategy = QueueingStrategy::kSkip;
  Symbol plugin = {};  // the plugin whose hint decided; empty if no hint was called
};

// The plugins that rejected a pod.
struct Rejectors {
  const std::set<Symbol>& unschedulable_plugins;
  const std::set<Symbol>& pending_plugins;

  bool empty() const { return unschedulable_plugins.empty() && pending_plugins.empty(); }
  bool Contains(const Symbol& plugin) const {
    return unschedulable_plugins.contains(plugin) || pending_plugins.contains(plugin);
  }
};

class QueueingHintMap {
 public:
  // Call it in the profile's plugin order.
  void Add(const Symbol& plugin, std::vector<ClusterEventWithHint> events);

  // A registration by one of `rejectors` that matches the event; valid as long as the map and the
  // rejectors.
  struct Listener {
    Symbol plugin;
    const ClusterEventWithHint* registered;
    bool is_pending;
  };
  std::vector<Listener> ListenersOf(const ClusterEvent& event, const Rejectors& rejectors) const;

  bool IsInterestedIn(const ClusterEvent& event) const;
  // Whether the plugin registered a matching event.
  bool HasRegistered(const Symbol& plugin, const ClusterEvent& event) const;
  // The kinds of change that any plugin registered for the resource.
  ActionType ActionsFor(EventResource resource, const Symbol& other) const;

  // The resources without an EventResource of their own that any plugin registered.
  std::vector<Symbol> OtherResources() const;

  // Whether the verdict is the same for all pods that share what ClusterEventWithHint lists.
  static bool ReadSharedParts(const std::vector<Listener>& listeners, const ClusterEvent& event);
  // The verdict of the listeners' hints. `has_pending`: the pod has pending plugins.
  static QueueingVerdict RunHints(const std::vector<Listener>& listeners, bool has_pending,
                                  const Pod& pod, const EventObjects& objects);

 private:
  struct Registration {
    Symbol plugin;
    ClusterEventWithHint registered;
  };
  std::vector<Registration> registrations_;
  // By resource with an EventResource of its own: the kinds of change that any plugin registered.
  // Checked for every event.
  std::array<ActionType, kNumEventResources> wanted_{};
};

}  // namespace stowage
