#include "core/framework/cluster_event.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/api/decode/objects.h"
#include "core/api/pod_requests.h"
#include "core/base/check.h"
#include "core/base/format.h"

namespace stowage {
namespace {

using ActionName = std::pair<ActionType, std::string_view>;

constexpr std::array<ActionName, 13> kActionNames = {{
    {action::kAdd, "Add"},
    {action::kDelete, "Delete"},
    {action::kUpdateNodeAllocatable, "UpdateNodeAllocatable"},
    {action::kUpdateNodeLabel, "UpdateNodeLabel"},
    {action::kUpdateNodeTaint, "UpdateNodeTaint"},
    {action::kUpdateNodeCondition, "UpdateNodeCondition"},
    {action::kUpdateNodeAnnotation, "UpdateNodeAnnotation"},
    {action::kUpdateNodeDeclaredFeature, "UpdateNodeDeclaredFeature"},
    {action::kUpdatePodLabel, "UpdatePodLabel"},
    {action::kUpdatePodScaleDown, "UpdatePodScaleDown"},
    {action::kUpdatePodToleration, "UpdatePodToleration"},
    {action::kUpdatePodSchedulingGatesEliminated, "UpdatePodSchedulingGatesEliminated"},
    {action::kUpdatePodGeneratedResourceClaim, "UpdatePodGeneratedResourceClaim"},
}};

std::string_view ResourceText(EventResource resource) {
  switch (resource) {
    case EventResource::kPod:
      return "Pod";
    case EventResource::kAssignedPod:
      return "AssignedPod";
    case EventResource::kUnschedulablePod:
      return "UnschedulablePod";
    case EventResource::kNode:
      return "Node";
    case EventResource::kPersistentVolume:
      return "PersistentVolume";
    case EventResource::kPersistentVolumeClaim:
      return "PersistentVolumeClaim";
    case EventResource::kCsiNode:
      return "storage.k8s.io/CSINode";
    case EventResource::kCsiDriver:
      return "storage.k8s.io/CSIDriver";
    case EventResource::kVolumeAttachment:
      return "storage.k8s.io/VolumeAttachment";
    case EventResource::kCsiStorageCapacity:
      return "storage.k8s.io/CSIStorageCapacity";
    case EventResource::kStorageClass:
      return "storage.k8s.io/StorageClass";
    case EventResource::kResourceClaim:
      return "resource.k8s.io/ResourceClaim";
    case EventResource::kResourceSlice:
      return "resource.k8s.io/ResourceSlice";
    case EventResource::kDeviceClass:
      return "resource.k8s.io/DeviceClass";
    case EventResource::kPodGroup:
      return "scheduling.k8s.io/PodGroup";
    case EventResource::kOther:
      return "";
    case EventResource::kWildcard:
      return "*";
  }
  CHECK(false);
}

// Whether `new_pod` lacks a request of `old_pod` or requests less of it.
bool IsScaledDown(const Pod& old_pod, const Pod& new_pod, const Features& features) {
  PodResourcesOptions options;
  options.use_status = true;
  options.in_place_pod_level = features.in_place_pod_level_resources_vertical_scaling;
  ResourceList before = PodRequests(old_pod, options);
  ResourceList after = PodRequests(new_pod, options);
  for (const auto& [name, amount] : before) {
    const Quantity* now = after.Find(name);
    if (now == nullptr || now->MilliValue() < amount.MilliValue()) return true;
  }
  return false;
}

std::map<Symbol, Symbol> StatusOfConditions(const Node& node) {
  std::map<Symbol, Symbol> statuses;
  for (const NodeCondition& condition : node.status.conditions) {
    statuses[condition.type] = condition.status;
  }
  return statuses;
}

}  // namespace

std::string ActionText(ActionType action) {
  if (action == action::kAll) return "All";
  if (action == action::kUpdate) return "Update";
  std::string text;
  for (const auto& [bit, name] : kActionNames) {
    if ((action & bit) == 0) continue;
    if (!text.empty()) text += "|";
    text += name;
  }
  return text;
}

std::optional<ActionType> ActionOfText(std::string_view text) {
  if (text == "All" || text == "*") return action::kAll;
  if (text == "Update") return action::kUpdate;
  for (const auto& [bit, name] : kActionNames) {
    if (name == text) return bit;
  }
  return std::nullopt;
}

EventResource EventResourceOf(const AnyObject& object) {
  switch (object.kind()) {
    case ObjectKind::kPod:
      return EventResource::kPod;
    case ObjectKind::kNode:
      return EventResource::kNode;
    case ObjectKind::kPersistentVolume:
      return EventResource::kPersistentVolume;
    case ObjectKind::kPersistentVolumeClaim:
      return EventResource::kPersistentVolumeClaim;
    case ObjectKind::kStorageClass:
      return EventResource::kStorageClass;
    case ObjectKind::kCsiNode:
      return EventResource::kCsiNode;
    case ObjectKind::kCsiDriver:
      return EventResource::kCsiDriver;
    case ObjectKind::kCsiStorageCapacity:
      return EventResource::kCsiStorageCapacity;
    case ObjectKind::kVolumeAttachment:
      return EventResource::kVolumeAttachment;
    case ObjectKind::kResourceClaim:
      return EventResource::kResourceClaim;
    case ObjectKind::kResourceSlice:
      return EventResource::kResourceSlice;
    case ObjectKind::kDeviceClass:
      return EventResource::kDeviceClass;
    case ObjectKind::kPodGroup:
      return EventResource::kPodGroup;
    case ObjectKind::kNamespace:
    case ObjectKind::kService:
    case ObjectKind::kReplicationController:
    case ObjectKind::kReplicaSet:
    case ObjectKind::kStatefulSet:
    case ObjectKind::kPodDisruptionBudget:
    case ObjectKind::kDeviceTaintRule:
    case ObjectKind::kResourceClaimTemplate:
    case ObjectKind::kOther:
      return EventResource::kOther;
  }
  CHECK(false);
}

Symbol OtherResourceOf(const AnyObject& object) {
  if (EventResourceOf(object) != EventResource::kOther) return Symbol();
  if (const auto* other = object.Get<OtherObject>()) return other->resource;
  const KindInfo& info = InfoOf(object.kind());
  size_t slash = info.api_version.find('/');
  bool is_core = slash == std::string_view::npos;
  std::string_view version = is_core ? info.api_version : info.api_version.substr(slash + 1);
  std::string_view group = is_core ? std::string_view() : info.api_version.substr(0, slash);
  return Symbol(Format("{}.{}.{}", info.resource, version, group));
}

std::optional<EventResource> EventResourceOfText(std::string_view text, Symbol* other) {
  for (size_t index = 0; index <= static_cast<size_t>(EventResource::kWildcard); ++index) {
    auto resource = static_cast<EventResource>(index);
    if (resource != EventResource::kOther && ResourceText(resource) == text) return resource;
  }
  if (std::count(text.begin(), text.end(), '.') < 2) return std::nullopt;
  *other = Symbol(text);
  return EventResource::kOther;
}

std::string ClusterEvent::Label() const {
  if (!custom_label.empty()) return std::string(custom_label);
  std::string_view text = resource == EventResource::kOther ? other.view() : ResourceText(resource);
  return std::string(text) + ActionText(action);
}

bool ClusterEvent::Matches(const ClusterEvent& incoming) const {
  if (IsWildcard()) return true;
  bool is_pod = incoming.resource == EventResource::kAssignedPod ||
                incoming.resource == EventResource::kUnschedulablePod;
  bool is_resource = resource == EventResource::kWildcard ||
                     (resource == incoming.resource && other == incoming.other) ||
                     (resource == EventResource::kPod && is_pod);
  return is_resource && (action & incoming.action) != 0 && incoming.action <= action;
}

ClusterEvent UnschedulableTimeoutEvent() {
  return {EventResource::kWildcard, action::kAll, {}, kUnschedulableTimeoutLabel};
}

ClusterEvent ForceActivateEvent() {
  return {EventResource::kWildcard, action::kAll, {}, kForceActivateLabel};
}

ClusterEvent AssignedPodEvent(ActionType action) { return {EventResource::kAssignedPod, action}; }

ClusterEvent UnscheduledPodEvent(ActionType action) {
  return {EventResource::kUnschedulablePod, action};
}

std::vector<ClusterEvent> PodSchedulingPropertiesChange(const Pod& old_pod, const Pod& new_pod,
                                                        const Features& features) {
  EventResource resource = new_pod.spec.node_name.empty() ? EventResource::kUnschedulablePod
                                                          : EventResource::kAssignedPod;
  std::vector<ClusterEvent> events;
  auto add = [&](bool has_changed, ActionType action) {
    if (has_changed) events.push_back({resource, action});
  };
  add(old_pod.metadata.labels != new_pod.metadata.labels, action::kUpdatePodLabel);
  add(IsScaledDown(old_pod, new_pod, features), action::kUpdatePodScaleDown);
  add(!old_pod.spec.scheduling_gates.empty() && new_pod.spec.scheduling_gates.empty(),
      action::kUpdatePodSchedulingGatesEliminated);
  add(old_pod.spec.tolerations.size() != new_pod.spec.tolerations.size(),
      action::kUpdatePodToleration);
  add(old_pod.status.resource_claim_statuses != new_pod.status.resource_claim_statuses ||
          old_pod.status.extended_resource_claim_status !=
              new_pod.status.extended_resource_claim_status,
      action::kUpdatePodGeneratedResourceClaim);
  add(events.empty(), action::kUpdate);
  return events;
}

std::vector<ClusterEvent> NodeSchedulingPropertiesChange(const Node& old_node,
                                                         const Node& new_node) {
  std::vector<ClusterEvent> events;
  auto add = [&](bool has_changed, ActionType action) {
    if (has_changed) events.push_back({EventResource::kNode, action});
  };
  add(old_node.spec.unschedulable && !new_node.spec.unschedulable, action::kUpdateNodeTaint);
  add(!(old_node.status.allocatable == new_node.status.allocatable),
      action::kUpdateNodeAllocatable);
  add(old_node.metadata.labels != new_node.metadata.labels, action::kUpdateNodeLabel);
  add(old_node.spec.taints != new_node.spec.taints, action::kUpdateNodeTaint);
  add(old_node.status.conditions != new_node.status.conditions &&
          StatusOfConditions(old_node) != StatusOfConditions(new_node),
      action::kUpdateNodeCondition);
  add(old_node.metadata.annotations != new_node.metadata.annotations,
      action::kUpdateNodeAnnotation);
  add(old_node.status.declared_features != new_node.status.declared_features,
      action::kUpdateNodeDeclaredFeature);
  return events;
}

std::vector<ClusterEventWithHint> EventsOfSilentPlugin(const Features& features) {
  std::vector<ClusterEventWithHint> events;
  for (EventResource resource :
       {EventResource::kPod, EventResource::kNode, EventResource::kPersistentVolume,
        EventResource::kPersistentVolumeClaim, EventResource::kCsiNode, EventResource::kCsiDriver,
        EventResource::kCsiStorageCapacity, EventResource::kStorageClass,
        EventResource::kResourceClaim, EventResource::kDeviceClass}) {
    events.push_back({{resource, action::kAll}});
  }
  if (features.generic_workload) events.push_back({{EventResource::kPodGroup, action::kAll}});
  return events;
}

std::vector<ClusterEventWithHint> WithImpliedNodeTaints(std::vector<ClusterEventWithHint> events) {
  auto hears = [&events](ActionType action) {
    return std::any_of(events.begin(), events.end(), [action](const ClusterEventWithHint& one) {
      return one.event.resource == EventResource::kNode && (one.event.action & action) != 0;
    });
  };
  if (hears(action::kAdd) && !hears(action::kUpdateNodeTaint)) {
    events.push_back({{EventResource::kNode, action::kUpdateNodeTaint}});
  }
  return events;
}

}  // namespace stowage
