#include "core/api/resource_names.h"

#include <gtest/gtest.h>

#include <string>

namespace stowage {
namespace {

// Goal: every name is in its classes. Method: spec 01 §6 and plugins/00, including boundary cases.
TEST(ResourceNames, AreClassified) {
  struct {
    std::string name;
    bool native;
    bool prefixed_native;
    bool extended;
    bool scalar;
    bool dra_extended;
  } cases[] = {
      {"cpu", true, false, false, false, false},
      {"memory", true, false, false, false, false},
      {"storage", true, false, false, false, false},
      {"pods", true, false, false, false, false},
      {"foo", true, false, false, false, false},
      {"", true, false, false, false, false},
      {"hugepages-2Mi", true, false, false, true, false},
      {"attachable-volumes-z", true, false, false, true, false},
      {"kubernetes.io/foo", true, true, false, true, false},
      {"batch.kubernetes.io/foo", true, true, false, true, false},
      {"example.com/kubernetes.io/x", true, true, false, true, false},
      {"deviceclass.resource.kubernetes.io/gpu", true, true, false, true, true},
      {"example.com/x", false, false, true, true, true},
      {"nvidia.com/gpu", false, false, true, true, true},
      {"a/" + std::string(63, 'b'), false, false, true, true, true},
      {"a/" + std::string(64, 'b'), false, false, false, false, false},
      {std::string(244, 'a') + "/b", false, false, true, true, true},
      {std::string(245, 'a') + "/b", false, false, false, false, false},
      {"requests.example.com/y", false, false, false, false, false},
      {"/x", false, false, false, false, false},
      {"example.com/", false, false, false, false, false},
      {"Example.com/x", false, false, false, false, false},
      {"example.com/x/y", false, false, false, false, false},
      {"example.com/-x", false, false, false, false, false},
      {"hugepages-2Mi/x", false, false, false, true, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(IsNativeResource(c.name), c.native) << c.name;
    EXPECT_EQ(IsPrefixedNativeResource(c.name), c.prefixed_native) << c.name;
    EXPECT_EQ(IsExtendedResourceName(c.name), c.extended) << c.name;
    EXPECT_EQ(IsScalarResourceName(c.name), c.scalar) << c.name;
    EXPECT_EQ(IsDraExtendedResourceName(c.name), c.dra_extended) << c.name;
    EXPECT_EQ(IsHugePageResourceName(c.name), c.name.starts_with("hugepages-")) << c.name;
    EXPECT_EQ(IsAttachableVolumeResourceName(c.name), c.name.starts_with("attachable-volumes-"))
        << c.name;
  }
}

}  // namespace
}  // namespace stowage
