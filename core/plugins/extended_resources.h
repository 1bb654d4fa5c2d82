// Which extended resources devices serve (spec plugins/node-resources-fit "Filter", rule
// `delegated`).
#pragma once

#include "core/api/pod.h"
#include "core/config/features.h"
#include "core/dra/extended_resource_cache.h"
#include "core/table/node_info.h"

namespace stowage {

// Whether DynamicResources checks the resource on a node with these allocatable resources, in place
// of NodeResourcesFit: no device plugin offers it there, and a DeviceClass serves it.
bool IsDelegatedToDra(const Symbol& resource, const Resource& allocatable, const Features& features,
                      const ExtendedResourceCache& classes);

// Whether the pod requests a resource that a DeviceClass serves: then verdicts about it depend on
// devices.
bool IsServedByDevices(const Pod& pod, const Features& features,
                       const ExtendedResourceCache& classes);

}  // namespace stowage
