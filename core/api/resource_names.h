// The classes of resource names, spec 01 §6. None of these allocates.
// Counterpart: pkg/apis/core/v1/helper (v1helper), v1.36.
#pragma once

#include <string_view>

namespace stowage {

// Contains no '/', or contains "kubernetes.io/".
bool IsNativeResource(std::string_view name);

// Contains "kubernetes.io/".
bool IsPrefixedNativeResource(std::string_view name);

// Not native, does not start with "requests.", and "requests." + name is a qualified name.
bool IsExtendedResourceName(std::string_view name);

// Starts with "hugepages-".
bool IsHugePageResourceName(std::string_view name);

// Starts with "attachable-volumes-".
bool IsAttachableVolumeResourceName(std::string_view name);

// Whether Resource counts it among its scalars: extended, huge page, prefixed native and attachable
// volume names.
bool IsScalarResourceName(std::string_view name);

// Extended, or starts with "deviceclass.resource.kubernetes.io/".
bool IsDraExtendedResourceName(std::string_view name);

}  // namespace stowage
