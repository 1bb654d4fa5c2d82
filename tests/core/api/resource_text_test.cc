#include "core/api/resource_text.h"

#include <gtest/gtest.h>

#include <string_view>

namespace stowage {
namespace {

TEST(ResourceText, NamesPluralVersionAndGroup) {
  struct {
    std::string_view api_version;
    std::string_view kind;
    std::string_view want;
  } cases[] = {
      {"example.com/v1", "Foo", "foos.v1.example.com"},
      {"v1", "Service", "services.v1."},
      {"apps/v1", "ReplicaSet", "replicasets.v1.apps"},
      {"storage.k8s.io/v1", "StorageClass", "storageclasses.v1.storage.k8s.io"},
      {"storage.k8s.io/v1", "CSIStorageCapacity", "csistoragecapacities.v1.storage.k8s.io"},
      {"example.com/v1alpha2", "Key", "keies.v1alpha2.example.com"},
      {"example.com/v1", "Box", "boxs.v1.example.com"},
      {"v1", "Endpoints", "endpoints.v1."},
      {"example.com/v1", "GlobalEndpoints", "globalendpoints.v1.example.com"},
      {"security.openshift.io/v1", "SecurityContextConstraints",
       "securitycontextconstraints.v1.security.openshift.io"},
      {"v1", "", ".v1."},
  };
  for (const auto& c : cases) EXPECT_EQ(ResourceTextOf(c.api_version, c.kind), c.want) << c.kind;
}

}  // namespace
}  // namespace stowage
