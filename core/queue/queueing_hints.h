// QueueingHintMap says which plugins of a profile want to hear of which events, and what each makes
// of one (spec 02 §1, 03 §7).
// Counterpart: QueueingHintMap of backend/queue/scheduling_queue.go, v1.36.
#pragma once

#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "core/framework/cluster_event.h"

namespace stowage {

// What becomes of a rejected pod after an event.
enum class QueueingStrategy : uint8_t { kSkip, kAfterBackoff, kImmediately };

struct QueueingVerdict {
  QueueingStrategy strategy = QueueingStrategy::kSkip;
  Symbol plugin = {};  // whose hint it was; empty when nobody was asked
};

// Who rejected a pod.
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
  // Plugins are added in the order of the profile.
  void Add(const Symbol& plugin, std::vector<ClusterEventWithHint> events);

  // The interested parties of one event among `rejectors`; valid as long as both.
  struct Listener {
    Symbol plugin;
    const QueueingHintFn* hint;
    bool is_pending;
  };
  std::vector<Listener> ListenersOf(const ClusterEvent& event, const Rejectors& rejectors) const;

  bool IsInterestedIn(const ClusterEvent& event) const;
  // Whether the plugin registered a matching event.
  bool HasRegistered(const Symbol& plugin, const ClusterEvent& event) const;
  // The kinds of change that somebody registered for the resource.
  ActionType ActionsFor(EventResource resource, const Symbol& other) const;

  // Resources without a name of their own that somebody registered.
  std::vector<Symbol> OtherResources() const;

  // What `listeners` make of it. `has_pending`: the pod has pending plugins.
  static QueueingVerdict Ask(const std::vector<Listener>& listeners, bool has_pending,
                             const Pod& pod, const EventObjects& objects);

 private:
  struct Registration {
    Symbol plugin;
    ClusterEventWithHint registered;
  };
  std::vector<Registration> registrations_;
  // Of each resource that has a name of its own, the single kinds of change that somebody
  // registered: asked for every event.
  std::array<ActionType, kNumEventResources> wanted_{};
};

}  // namespace stowage
