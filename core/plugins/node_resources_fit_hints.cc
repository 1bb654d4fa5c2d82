// The events that may make pods schedulable that NodeResourcesFit rejected.
#include <algorithm>
#include <functional>

#include "core/api/pod_helpers.h"
#include "core/api/pod_requests.h"
#include "core/dra/extended_resource_cache.h"
#include "core/plugins/insufficient_resources.h"
#include "core/plugins/node_resources_fit.h"

namespace stowage {
namespace {

bool FitsOnEmptyNode(const Resource& request, const ServedScalars& served,
                     const Resource& allocatable) {
  bool fits = true;
  ForEachInsufficientResource(request, served, {allocatable, Resource(), 0},
                              [&fits](const InsufficientResource&) { fits = false; });
  return fits;
}

// Whether `more` has more than `less` of a requested resource. The number of pods does not count.
bool HasMoreOfWanted(const Resource& wanted, const Resource& more, const Resource& less) {
  if (wanted.milli_cpu > 0 && more.milli_cpu > less.milli_cpu) return true;
  if (wanted.memory > 0 && more.memory > less.memory) return true;
  if (wanted.ephemeral_storage > 0 && more.ephemeral_storage > less.ephemeral_storage) return true;
  return std::any_of(wanted.scalars.begin(), wanted.scalars.end(), [&](const auto& scalar) {
    const auto& [name, amount] = scalar;
    return amount > 0 && more.Scalar(name) > less.Scalar(name);
  });
}

// A new class serves its implicit resource; it may begin to serve another one by an update.
QueueingHint IsSchedulableAfterDeviceClassEvent(const Pod& pod, const EventObjects& objects) {
  auto classes = objects.As<DeviceClass>();
  if (!classes || classes->new_object == nullptr) return QueueingHint::kQueue;
  const DeviceClass& now = *classes->new_object;
  Symbol served = now.spec.extended_resource_name.value_or(Symbol());
  if (classes->IsUpdate() &&
      classes->old_object->spec.extended_resource_name.value_or(Symbol()) == served) {
    return QueueingHint::kQueueSkip;
  }
  ResourceList requests = PodRequests(pod, PodResourcesOptions());
  bool is_new = classes->old_object == nullptr;
  if (is_new && requests.Find(ExtendedResourceCache::ImplicitNameOf(now)) != nullptr) {
    return QueueingHint::kQueue;
  }
  return QueueIf(!served.empty() && requests.Find(served) != nullptr);
}

// Whether devices serve one of the scalars on a node with these allocatable resources.
bool IsServedOn(const Resource& request, const ServedScalars& served, const Resource& allocatable) {
  for (size_t index = 0; index < served.size(); ++index) {
    if (served[index] && allocatable.Scalar(request.scalars[index].first) <= 0) return true;
  }
  return false;
}

}  // namespace

std::vector<ClusterEventWithHint> NodeResourcesFit::EventsToRegister() const {
  ActionType pod_actions = action::kDelete;
  if (features_.in_place_pod_vertical_scaling) pod_actions |= action::kUpdatePodScaleDown;
  std::vector<ClusterEventWithHint> events = {
      {{EventResource::kPod, pod_actions},
       std::bind_front(&NodeResourcesFit::IsSchedulableAfterPodEvent, this),
       true},
      {{EventResource::kNode, action::kAdd | action::kUpdateNodeAllocatable},
       std::bind_front(&NodeResourcesFit::IsSchedulableAfterNodeChange, this)}};
  if (features_.dra_extended_resource) {
    events.push_back({{EventResource::kDeviceClass, action::kAdd | action::kUpdate},
                      IsSchedulableAfterDeviceClassEvent});
  }
  return events;
}

QueueingHint NodeResourcesFit::IsSchedulableAfterPodEvent(const Pod& pod,
                                                          const EventObjects& objects) const {
  auto pods = objects.As<Pod>();
  if (!pods || pods->old_object == nullptr) return QueueingHint::kQueue;
  if (!pods->IsUpdate()) return QueueIf(IsAssignedOrNominated(*pods->old_object));
  return QueueIf(features_.in_place_pod_vertical_scaling &&
                 HelpsToScaleDown(pod, *pods->old_object, *pods->new_object));
}

bool NodeResourcesFit::HelpsToScaleDown(const Pod& pod, const Pod& before, const Pod& after) const {
  if (after.metadata.uid == pod.metadata.uid) return true;
  if (after.spec.node_name.empty()) return false;
  PodResourcesOptions options;
  options.use_status = true;
  options.in_place_pod_level = features_.in_place_pod_level_resources_vertical_scaling;
  auto held_by = [&options](const Pod& one) {
    Resource held;
    held.Add(PodRequests(one, options));
    return held;
  };
  return HasMoreOfWanted(held_by(pod), held_by(before), held_by(after));
}

QueueingHint NodeResourcesFit::IsSchedulableAfterNodeChange(const Pod& pod,
                                                            const EventObjects& objects) const {
  auto nodes = objects.As<Node>();
  if (!nodes || nodes->new_object == nullptr) return QueueingHint::kQueue;
  Resource request = RequestOf(pod);
  Resource now;
  now.Add(nodes->new_object->status.allocatable);
  ServedScalars served = ServedScalarsOf(request);
  if (!FitsOnEmptyNode(request, served, now)) return QueueingHint::kQueueSkip;
  if (nodes->old_object == nullptr) return QueueingHint::kQueue;
  Resource before;
  before.Add(nodes->old_object->status.allocatable);
  return QueueIf(now.allowed_pod_number > before.allowed_pod_number ||
                 HasMoreOfWanted(request, now, before) || IsServedOn(request, served, now));
}

}  // namespace stowage
