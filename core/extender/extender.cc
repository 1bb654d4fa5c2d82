#include "core/extender/extender.h"

#include <algorithm>

namespace stowage {
namespace {

bool Names(const ResourceList& list, const std::vector<ExtenderManagedResource>& resources) {
  return std::any_of(resources.begin(), resources.end(), [&](const ExtenderManagedResource& one) {
    return list.Find(one.name) != nullptr;
  });
}

}  // namespace

bool IsInterested(const Extender& extender, const Pod& pod) {
  const auto& resources = extender.managed_resources;
  if (resources.empty()) return true;
  auto has_managed = [&resources](const Container& container) {
    return Names(container.resources.requests, resources) ||
           Names(container.resources.limits, resources);
  };
  const PodSpec& spec = pod.spec;
  return std::any_of(spec.containers.begin(), spec.containers.end(), has_managed) ||
         std::any_of(spec.init_containers.begin(), spec.init_containers.end(), has_managed);
}

}  // namespace stowage
