// ClusterEvent describes a change of the cluster by resource and kind of change. Plugins register
// for such events, and events move the pods that these plugins rejected (spec 02 §1, §2).
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

// A set of kinds of change; namespace `action` has the bits.
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

// The text of a set: "Add", "UpdateNodeTaint"; several bits are joined by "|".
std::string ActionText(ActionType action);
// The bits of a text such as "UpdateNodeTaint", "Update" or "All"; nullopt if the text is unknown.
std::optional<ActionType> ActionOfText(std::string_view text);

enum class EventResource : uint8_t {
  kPod,
  kAssignedPod,       // occurs only in events, not in registrations
  kUnschedulablePod,  // occurs only in events, not in registrations
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
  // Whether a registration for this event matches `incoming`.
  bool Matches(const ClusterEvent& incoming) const;
};

inline constexpr std::string_view kUnschedulableTimeoutLabel = "UnschedulableTimeout";
inline constexpr std::string_view kForceActivateLabel = "ForceActivate";

ClusterEvent UnschedulableTimeoutEvent();
ClusterEvent ForceActivateEvent();
ClusterEvent AssignedPodEvent(ActionType action);
ClusterEvent UnscheduledPodEvent(ActionType action);

// The old and new object of an event, for hints; null if there was or is none.
template <typename T>
struct TypedObjects {
  const T* old_object;
  const T* new_object;

  bool IsUpdate() const { return old_object != nullptr && new_object != nullptr; }
};

// The resource of an object. Kinds without a resource of their own are kOther, distinguished by
// OtherResourceOf: "services.v1.", "foos.v1.example.com".
EventResource EventResourceOf(const AnyObject& object);
// Empty if the resource is not kOther.
Symbol OtherResourceOf(const AnyObject& object);
// Parses a registration: "Node", "storage.k8s.io/CSINode", "*", "foos.v1.example.com". For kOther,
// sets `*other` to the text. nullopt if the text names no resource.
std::optional<EventResource> EventResourceOfText(std::string_view text, Symbol* other);

// The object before and after a change; absent where there was or is none.
struct EventObjects {
  std::optional<AnyObject> old_object;
  std::optional<AnyObject> new_object;

  // The object as a T; null if it is absent or of another kind.
  template <typename T>
  const T* Old() const {
    return old_object ? old_object->Get<T>() : nullptr;
  }
  template <typename T>
  const T* New() const {
    return new_object ? new_object->Get<T>() : nullptr;
  }
  // Both objects as Ts; nullopt if one of them is of another kind or both are absent. Hints return
  // kQueue then (spec plugins/00, "Notation").
  template <typename T>
  std::optional<TypedObjects<T>> As() const {
    TypedObjects<T> typed{Old<T>(), New<T>()};
    bool is_typed = (typed.old_object != nullptr) == old_object.has_value() &&
                    (typed.new_object != nullptr) == new_object.has_value();
    if (!is_typed || (!old_object && !new_object)) return std::nullopt;
    return typed;
  }
};

// The events of a change of a pod or a node, in order; each is handled separately. A pod's change
// has at least one general update, a node's change may have none (spec 02 §2).
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
  // Unless the event is an update, the hint reads of the pod no more than its namespace, labels,
  // ownerReferences, affinity and topologySpreadConstraints, and its uid only to see whether the
  // event is its own. One call then answers for all waiting pods that share these.
  bool reads_shared_parts = false;
  // The event is about one pod group, that of the added pod, or the added group itself. The hint
  // skips all pods outside of the group and says the same of all in it, and so does PreEnqueue of
  // the plugin. One call of each then answers for all gated pods of the group.
  bool is_of_pod_group = false;
  // Counts the changes of what PreEnqueue of the plugin reads besides the pod. Until the next one,
  // a gated pod that stays as it is need not be asked again. Only without a hint; null: any event
  // may be such a change.
  const uint64_t* gate_changes = nullptr;

  // Whether one question to the gate may answer for many pods.
  bool IsGateShared() const { return is_of_pod_group || gate_changes != nullptr; }
};

// The default registration of a plugin that can reject pods and registers no events: everything
// except changes of VolumeAttachments and ResourceSlices.
std::vector<ClusterEventWithHint> EventsOfSilentPlugin(const Features& features);

// Adds changes of node taints to every registration for new nodes: a node is often not ready when
// it is added, and the removal of its taints then is what helps.
std::vector<ClusterEventWithHint> WithImpliedNodeTaints(std::vector<ClusterEventWithHint> events);

}  // namespace stowage
