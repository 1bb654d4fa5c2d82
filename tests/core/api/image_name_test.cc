#include "core/api/image_name.h"

#include <gtest/gtest.h>

#include <string_view>

namespace stowage {
namespace {

TEST(ImageName, AddsLatestIfTagAndDigestAreMissing) {
  struct {
    std::string_view name;
    std::string_view want;
  } cases[] = {
      {"root", "root:latest"},
      {"root:tag", "root:tag"},
      {"gcr.io:5000/root", "gcr.io:5000/root:latest"},
      {"gcr.io:5000/root:v1", "gcr.io:5000/root:v1"},
      {"a/b/c", "a/b/c:latest"},
      {"root@sha256:0123", "root@sha256:0123"},
      {"gcr.io:5000/root@sha256:0123", "gcr.io:5000/root@sha256:0123"},
      {"", ":latest"},
      {"trailing/", "trailing/:latest"},
  };
  for (const auto& c : cases) EXPECT_EQ(NormalizedImageName(Symbol(c.name)), c.want) << c.name;
}

}  // namespace
}  // namespace stowage
