// ClusterEvent names a change of the cluster by what changed and how: what plugins register for,
// and what wakes pods they rejected (spec 02 §1, §2).
//
// Counterpart: staging/src/k8s.io/kube-scheduler/framework/types.go and
// pkg/scheduler/framework/events.go, v1.36.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/any_object.h"
#include "core/config/features.h"

namespace stowage {

// A set of kinds of change; `action` has the bits.
using ActionType = uint32_t;

namespace action {
inline constexpr ActionType kAdd = 1;
inline constexpr ActionType kDelete = 2;
inline constexpr ActionType kUpdateNodeAllocatable = 4;
inline constexpr ActionType kUpdateNodeLabel = 8;
inline constexpr ActionType kUpdateNodeTaint = 16;
inline constexpr ActionType kUpdateNodeCondition = 32;
inline constexpr ActionType kUpdateNodeAnnotation = 64;
inline constexpr ActionType kUpdateNodeDeclaredFeature = 128;
inline constexpr ActionType kUpdatePodLabel = 256;
inline constexpr ActionType kUpdatePodScaleDown = 512;
inline constexpr ActionType kUpdatePodToleration = 1024;
inline constexpr ActionType kUpdatePodSchedulingGatesEliminated = 2048;
inline constexpr ActionType kUpdatePodGeneratedResourceClaim = 4096;
inline constexpr ActionType kUpdate = 8188;
inline constexpr ActionType kAll = 8191;
}  // namespace action

// "Add", "UpdateNodeTaint"; of several bits the texts are joined by "|".
std::string ActionText(ActionType action);
// The bit of a text such as "UpdateNodeTaint", "Update" or "All"; nullopt when there is none.
std::optional<ActionType> ActionOfText(std::string_view text);

enum class EventResource : uint8_t {
  kPod,
  kAssignedPod,       // incoming only
  kUnschedulablePod,  // incoming only
  kNode,
  kPersistentVolume,
  kPersistentVolumeClaim,
  kCsiNode,
  kCsiDriver,
  kVolumeAttachment,
  kCsiStorageCapacity,
  kStorageClass,
  kResourceClaim,
  kResourceSlice,
  kDeviceClass,
  kPodGroup,
  kOther,     // named by plural, version and group
  kWildcard,  // "*"
};
inline constexpr size_t kNumEventResources = static_cast<size_t>(EventResource::kWildcard) + 1;

struct ClusterEvent {
  EventResource resource = EventResource::kWildcard;
  ActionType action = action::kAll;
  Symbol other = {};                   // kOther: "foos.v1.example.com"
  std::string_view custom_label = {};  // static text

  // "NodeUpdateNodeTaint", "AssignedPodDelete", "UnschedulableTimeout".
  std::string Label() const;
  bool IsWildcard() const { return resource == EventResource::kWildcard && action == action::kAll; }
  // Whether who registered this event wants to hear of `incoming`.
  bool Matches(const ClusterEvent& incoming) const;
};

inline constexpr std::string_view kUnschedulableTimeoutLabel = "UnschedulableTimeout";
inline constexpr std::string_view kForceActivateLabel = "ForceActivate";

ClusterEvent UnschedulableTimeoutEvent();
ClusterEvent ForceActivateEvent();
ClusterEvent AssignedPodEvent(ActionType action);
ClusterEvent UnscheduledPodEvent(ActionType action);

// The objects of one event as hints see them; null where there was or is none.
template <typename T>
struct TypedObjects {
  const T* old_object;
  const T* new_object;

  bool IsUpdate() const { return old_object != nullptr && new_object != nullptr; }
};

// What a change of the object is a change of. Kinds without a resource of their own are kOther,
// told apart by OtherResourceOf: "services.v1.", "foos.v1.example.com".
EventResource EventResourceOf(const AnyObject& object);
// Empty for resources that are not kOther.
Symbol OtherResourceOf(const AnyObject& object);
// Of a text in a registration: "Node", "storage.k8s.io/CSINode", "*", "foos.v1.example.com".
// `*other` is the text of a kOther; nullopt for what names no resource.
std::optional<EventResource> EventResourceOfText(std::string_view text, Symbol* other);

// The object before and after a change; absent where there was or is none.
struct EventObjects {
  std::optional<AnyObject> old_object;
  std::optional<AnyObject> new_object;

  // The object as a T; null when it is absent or of another kind.
  template <typename T>
  const T* Old() const {
    return old_object ? old_object->Get<T>() : nullptr;
  }
  template <typename T>
  const T* New() const {
    return new_object ? new_object->Get<T>() : nullptr;
  }
  // Both as Ts; nullopt when one of them is of another kind or neither is there. Hints say kQueue
  // then (spec plugins/00, "Notation").
  template <typename T>
  std::optional<TypedObjects<T>> As() const {
    TypedObjects<T> typed{Old<T>(), New<T>()};
    bool is_typed = (typed.old_object != nullptr) == old_object.has_value() &&
                    (typed.new_object != nullptr) == new_object.has_value();
    if (!is_typed || (!old_object && !new_object)) return std::nullopt;
    return typed;
  }
};

// Which events a change of a pod or a node is, in order; each is told on its own. A pod's change
// is at least one general update, a node's may be none (spec 02 §2).
std::vector<ClusterEvent> PodSchedulingPropertiesChange(const Pod& old_pod, const Pod& new_pod,
                                                        const Features& features);
std::vector<ClusterEvent> NodeSchedulingPropertiesChange(const Node& old_node,
                                                         const Node& new_node);

enum class QueueingHint : uint8_t { kQueueSkip, kQueue };

constexpr QueueingHint QueueIf(bool helps) {
  return helps ? QueueingHint::kQueue : QueueingHint::kQueueSkip;
}

// Whether the event may make `pod`, which the plugin rejected, schedulable.
using QueueingHintFn = std::function<QueueingHint(const Pod& pod, const EventObjects& objects)>;

struct ClusterEventWithHint {
  ClusterEvent event;
  QueueingHintFn hint = nullptr;  // null: always kQueue
};

// What a plugin hears of that can reject pods and does not say of what: everything but changes of
// VolumeAttachments and ResourceSlices.
std::vector<ClusterEventWithHint> EventsOfSilentPlugin(const Features& features);

// A node is not always ready when it is added: who waits for new nodes also hears when taints go.
std::vector<ClusterEventWithHint> WithImpliedNodeTaints(std::vector<ClusterEventWithHint> events);

}  // namespace stowage
