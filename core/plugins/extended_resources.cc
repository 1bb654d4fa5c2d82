#include "core/plugins/extended_resources.h"

#include <algorithm>

#include "core/api/resource_names.h"

namespace stowage {
namespace {

bool RequestsServed(const ResourceList& requests, const ExtendedResourceCache& classes) {
  return std::ranges::any_of(requests, [&classes](const auto& request) {
    return IsDraExtendedResourceName(request.first.view()) &&
           classes.GetDeviceClass(request.first) != nullptr && !request.second.IsZero();
  });
}

}  // namespace

bool IsDelegatedToDra(const Symbol& resource, const Resource& allocatable, const Features& features,
                      const ExtendedResourceCache& classes) {
  return features.dra_extended_resource && allocatable.Scalar(resource) <= 0 &&
         classes.GetDeviceClass(resource) != nullptr;
}

// Reads the requests of every container, which is more than what PodRequests adds up.
bool IsServedByDevices(const Pod& pod, const Features& features,
                       const ExtendedResourceCache& classes) {
  if (!features.dra_extended_resource || classes.empty()) return false;
  auto is_served = [&classes](const Container& container) {
    return RequestsServed(container.resources.requests, classes);
  };
  return std::ranges::any_of(pod.spec.containers, is_served) ||
         std::ranges::any_of(pod.spec.init_containers, is_served) ||
         RequestsServed(pod.spec.overhead, classes) ||
         (pod.spec.resources && RequestsServed(pod.spec.resources->requests, classes));
}

}  // namespace stowage
