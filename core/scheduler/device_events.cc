// The event handlers of the kinds of resource.k8s.io: claims go through a cache, and slices get the
// taints of rules, before pods are moved (spec 02 §5).
#include "core/scheduler/event_handlers.h"

namespace stowage {
namespace {

template <typename T>
std::optional<AnyObject> AnyOf(const std::shared_ptr<const T>& object) {
  if (object == nullptr) return std::nullopt;
  return AnyObject(object);
}

}  // namespace

void EventHandlers::MoveIfWanted(std::optional<AnyObject> old_object,
                                 std::optional<AnyObject> new_object) {
  if (!old_object && !new_object) return;
  EventResource resource = EventResourceOf(new_object ? *new_object : *old_object);
  ActionType happened = !old_object   ? action::kAdd
                        : !new_object ? action::kDelete
                                      : action::kUpdate;
  if ((targets_.queue.ActionsFor(resource, Symbol()) & happened) == 0) return;
  Move({resource, happened}, {std::move(old_object), std::move(new_object)});
}

void EventHandlers::MoveAfterSliceChanges(const std::vector<ResourceSlices::Change>& changes) {
  for (const auto& [old_slice, new_slice] : changes) {
    MoveIfWanted(AnyOf(old_slice), AnyOf(new_slice));
  }
}

void EventHandlers::OnClaimChange(const ResourceClaimRef& old_claim,
                                  const ResourceClaimRef& new_claim) {
  MoveIfWanted(AnyOf(old_claim), AnyOf(new_claim));
}

bool EventHandlers::PutDevices(const AnyObject& object) {
  DraManager& dra = targets_.dra;
  if (ResourceClaimRef claim = object.Ref<ResourceClaim>()) {
    if (auto change = dra.claims().Put(claim)) {
      MoveIfWanted(AnyOf(change->old_claim), AnyOf(change->new_claim));
    }
    return true;
  }
  if (ResourceSliceRef slice = object.Ref<ResourceSlice>()) {
    ResourceSliceRef old_slice = dra.MutableSlices().Put(slice);
    MoveIfWanted(AnyOf(old_slice), AnyOf(dra.slices().All().at(slice->metadata.name)));
    return true;
  }
  if (DeviceTaintRuleRef rule = object.Ref<DeviceTaintRule>()) {
    if (targets_.features.dra_device_taint_rules) {
      MoveAfterSliceChanges(dra.MutableSlices().PutRule(rule));
    }
    return true;
  }
  return false;
}

bool EventHandlers::RemoveDevices(const AnyObject& object) {
  DraManager& dra = targets_.dra;
  const ObjectMeta& metadata = object.metadata();
  switch (object.kind()) {
    case ObjectKind::kResourceClaim:
      if (auto change = dra.claims().Remove(ObjectKey::Of(metadata))) {
        MoveIfWanted(AnyOf(change->old_claim), std::nullopt);
      }
      return true;
    case ObjectKind::kResourceSlice:
      MoveIfWanted(AnyOf(dra.MutableSlices().Remove(metadata.name)), std::nullopt);
      return true;
    case ObjectKind::kDeviceTaintRule:
      MoveAfterSliceChanges(dra.MutableSlices().RemoveRule(metadata.name));
      return true;
    case ObjectKind::kDeviceClass:
      dra.RemoveDeviceClass(metadata.name);
      return false;
    default:
      return false;
  }
}

}  // namespace stowage
