#include "core/queue/queueing_hints.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace stowage {

void QueueingHintMap::Add(const Symbol& plugin, std::vector<ClusterEventWithHint> events) {
  for (ClusterEventWithHint& event : events) {
    for (size_t resource = 0; resource < wanted_.size(); ++resource) {
      ClusterEvent any{static_cast<EventResource>(resource), event.event.action, event.event.other};
      if (event.event.Matches(any)) wanted_[resource] |= event.event.action;
    }
    registrations_.push_back({plugin, std::move(event)});
  }
}

std::vector<QueueingHintMap::Listener> QueueingHintMap::ListenersOf(
    const ClusterEvent& event, const Rejectors& rejectors) const {
  std::vector<Listener> listeners;
  for (const auto& [plugin, registered] : registrations_) {
    if (!registered.event.Matches(event) || !rejectors.Contains(plugin)) continue;
    bool is_pending = rejectors.pending_plugins.contains(plugin);
    listeners.push_back({plugin, &registered, is_pending});
  }
  return listeners;
}

bool QueueingHintMap::IsInterestedIn(const ClusterEvent& event) const {
  bool is_single = std::has_single_bit(event.action);
  if (is_single && event.resource != EventResource::kOther) {
    return (wanted_[static_cast<size_t>(event.resource)] & event.action) != 0;
  }
  return std::any_of(
      registrations_.begin(), registrations_.end(),
      [&event](const Registration& one) { return one.registered.event.Matches(event); });
}

bool QueueingHintMap::HasRegistered(const Symbol& plugin, const ClusterEvent& event) const {
  return std::any_of(registrations_.begin(), registrations_.end(), [&](const Registration& one) {
    return one.plugin == plugin && one.registered.event.Matches(event);
  });
}

ActionType QueueingHintMap::ActionsFor(EventResource resource, const Symbol& other) const {
  ActionType actions = 0;
  for (const auto& [plugin, registered] : registrations_) {
    const ClusterEvent& event = registered.event;
    bool is_resource = event.resource == EventResource::kWildcard ||
                       (event.resource == resource && event.other == other);
    if (is_resource) actions |= event.action;
  }
  return actions;
}

std::vector<Symbol> QueueingHintMap::OtherResources() const {
  std::vector<Symbol> resources;
  for (const auto& [plugin, registered] : registrations_) {
    if (!registered.event.other.empty()) resources.push_back(registered.event.other);
  }
  return resources;
}

// An event of a pod that itself waits may be about one of the pods that are asked.
bool QueueingHintMap::ReadSharedParts(const std::vector<Listener>& listeners,
                                      const ClusterEvent& event) {
  bool is_update = event.action != action::kAdd && event.action != action::kDelete;
  bool is_own =
      event.resource != EventResource::kAssignedPod && event.resource != EventResource::kNode;
  if (is_update || is_own) return false;
  return std::ranges::all_of(listeners, [](const Listener& one) {
    return one.registered->reads_shared_parts || one.registered->hint == nullptr;
  });
}

QueueingVerdict QueueingHintMap::RunHints(const std::vector<Listener>& listeners, bool has_pending,
                                          const Pod& pod, const EventObjects& objects) {
  QueueingVerdict verdict;
  for (const Listener& listener : listeners) {
    const QueueingHintFn& hint = listener.registered->hint;
    if (hint != nullptr && hint(pod, objects) == QueueingHint::kQueueSkip) continue;
    if (listener.is_pending) return {QueueingStrategy::kImmediately, listener.plugin};
    if (!has_pending) return {QueueingStrategy::kAfterBackoff, listener.plugin};
    if (verdict.strategy == QueueingStrategy::kSkip) {
      verdict = {QueueingStrategy::kAfterBackoff, listener.plugin};
    }
  }
  return verdict;
}

}  // namespace stowage
