// Passes an event to a plugin as the queue does: by its registered events and their hints.
#pragma once

#include <memory>
#include <string_view>

#include "core/framework/interface.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

// "Queue" or "Skip"; "deaf" if the plugin registered no such event.
inline std::string_view HintOf(const EnqueueExtensions& plugin, const ClusterEvent& incoming,
                               const Pod& pod, const EventObjects& objects) {
  std::string_view said = "deaf";
  for (const ClusterEventWithHint& registered : plugin.EventsToRegister()) {
    if (!registered.event.Matches(incoming)) continue;
    bool is_queue =
        registered.hint == nullptr || registered.hint(pod, objects) == QueueingHint::kQueue;
    if (is_queue) return "Queue";
    said = "Skip";
  }
  return said;
}

inline EventObjects WasAdded(const Pod& pod) { return {{}, std::make_shared<const Pod>(pod)}; }
inline EventObjects WasAdded(const Node& node) { return {{}, std::make_shared<const Node>(node)}; }
inline EventObjects WasUpdated(const Pod& before, const Pod& after) {
  return {std::make_shared<const Pod>(before), std::make_shared<const Pod>(after)};
}
inline EventObjects WasUpdated(const Node& before, const Node& after) {
  return {std::make_shared<const Node>(before), std::make_shared<const Node>(after)};
}
inline EventObjects WasDeleted(const Pod& pod) { return {std::make_shared<const Pod>(pod), {}}; }
inline EventObjects WasDeleted(const Node& node) {
  return {std::make_shared<const Node>(node), {}};
}

// The same for any other kind.
template <typename T>
concept ApiObject = requires(const T& object) {
  object.metadata.name;
};
template <ApiObject T>
EventObjects WasAdded(const T& object) {
  return {{}, std::make_shared<const T>(object)};
}
template <ApiObject T>
EventObjects WasUpdated(const T& before, const T& after) {
  return {std::make_shared<const T>(before), std::make_shared<const T>(after)};
}
template <ApiObject T>
EventObjects WasDeleted(const T& object) {
  return {std::make_shared<const T>(object), {}};
}

inline ClusterEvent NodeEvent(ActionType action) { return {EventResource::kNode, action}; }

// One row of a table of hints.
struct HintCase {
  std::string_view name;
  ClusterEvent event;
  Pod pod;
  EventObjects objects;
  std::string_view want;
};

// The same with an object of a kind that no hint reads.
inline EventObjects WithWrongOld(EventObjects objects) {
  objects.old_object = std::make_shared<const Namespace>();
  return objects;
}
inline EventObjects WithWrongNew(EventObjects objects) {
  objects.new_object = std::make_shared<const Namespace>();
  return objects;
}

}  // namespace stowage
