// The fields of DeviceClass (resource.k8s.io/v1) that the scheduler reads
// (spec plugins/dynamic-resources).
#pragma once

#include <memory>
#include <optional>

#include "core/api/meta.h"
#include "core/api/resource_claim.h"
#include "core/api/shared.h"

namespace stowage {

struct DeviceClassConfiguration {
  Shared<OpaqueDeviceConfiguration> opaque;

  friend bool operator==(const DeviceClassConfiguration&,
                         const DeviceClassConfiguration&) = default;
};

struct DeviceClassSpec {
  SharedList<DeviceSelector> selectors;
  SharedList<DeviceClassConfiguration> config;
  std::optional<Symbol> extended_resource_name;

  friend bool operator==(const DeviceClassSpec&, const DeviceClassSpec&) = default;
};

struct DeviceClass {
  ObjectMeta metadata;
  DeviceClassSpec spec;
};

using DeviceClassRef = std::shared_ptr<const DeviceClass>;

}  // namespace stowage
