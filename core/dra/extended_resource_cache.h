// ExtendedResourceCache finds the DeviceClass that serves an extended resource (spec
// plugins/dynamic-resources-extended "DeviceClass resolver").
// Counterpart: dynamic-resource-allocation/deviceclass/extendedresourcecache, v1.36.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "core/api/device_class.h"

namespace stowage {

class ExtendedResourceCache {
 public:
  static constexpr std::string_view kImplicitPrefix = "deviceclass.resource.kubernetes.io/";

  // The resource that the class serves whatever its spec says.
  static Symbol ImplicitNameOf(const DeviceClass& one);

  // `old_class` is null for a new class.
  void Put(const DeviceClassRef& old_class, const DeviceClassRef& new_class);
  void Remove(const DeviceClass& removed);

  // Null if no class serves the resource.
  DeviceClassRef GetDeviceClass(const Symbol& resource) const;
  bool empty() const { return classes_.empty(); }
  // Changes with every change of a class.
  uint64_t version() const { return version_; }

 private:
  void Forget(const DeviceClass& one);

  std::map<Symbol, DeviceClassRef> classes_;  // by resource
  uint64_t version_ = 0;
};

}  // namespace stowage
