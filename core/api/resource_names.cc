#include "core/api/resource_names.h"

#include "core/api/validation_names.h"

namespace stowage {
namespace {

constexpr std::string_view kNativePrefix = "kubernetes.io/";
constexpr std::string_view kQuotaPrefix = "requests.";
constexpr size_t kSubdomainLengthMax = 253;

}  // namespace

bool IsNativeResource(std::string_view name) {
  return name.find('/') == std::string_view::npos || IsPrefixedNativeResource(name);
}

bool IsPrefixedNativeResource(std::string_view name) {
  return name.find(kNativePrefix) != std::string_view::npos;
}

bool IsExtendedResourceName(std::string_view name) {
  if (IsNativeResource(name) || name.starts_with(kQuotaPrefix)) return false;
  // "requests." lengthens the subdomain before the slash; otherwise it is a valid part of it.
  return name.find('/') + kQuotaPrefix.size() <= kSubdomainLengthMax && IsQualifiedName(name);
}

bool IsHugePageResourceName(std::string_view name) { return name.starts_with("hugepages-"); }

bool IsAttachableVolumeResourceName(std::string_view name) {
  return name.starts_with("attachable-volumes-");
}

bool IsScalarResourceName(std::string_view name) {
  return IsHugePageResourceName(name) || IsAttachableVolumeResourceName(name) ||
         IsPrefixedNativeResource(name) || IsExtendedResourceName(name);
}

bool IsDraExtendedResourceName(std::string_view name) {
  return IsExtendedResourceName(name) || name.starts_with("deviceclass.resource.kubernetes.io/");
}

}  // namespace stowage
