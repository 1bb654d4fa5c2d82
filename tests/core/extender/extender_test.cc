#include "core/extender/extender.h"

#include <gtest/gtest.h>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

const TextPairs kGpu = {{"example.com/gpu", "1"}};

Extender GpuExtender() {
  Extender extender;
  extender.managed_resources = {{Symbol("example.com/fpga"), false},
                                {Symbol("example.com/gpu"), true}};
  return extender;
}

TEST(IsInterested, InEveryPodWithoutManagedResources) {
  EXPECT_TRUE(IsInterested(Extender{}, MakePod().Name("p")));
}

TEST(IsInterested, InPodsThatNameAManagedResource) {
  Extender extender = GpuExtender();
  EXPECT_FALSE(IsInterested(extender, MakePod().Name("p").Req({{"cpu", "1"}})));
  EXPECT_TRUE(IsInterested(extender, MakePod().Req({{"cpu", "1"}}).Req(kGpu)));
  EXPECT_TRUE(IsInterested(extender, MakePod().InitReq(kGpu)));
  EXPECT_FALSE(IsInterested(extender, MakePod().Overhead(kGpu)));
  EXPECT_FALSE(IsInterested(extender, MakePod().PodLevelReq(kGpu)));
}

TEST(IsInterested, InLimitsAlone) {
  Pod pod = MakePod().Req({{"cpu", "1"}});
  pod.spec.containers[0].resources.limits = MakeResourceList(kGpu);
  EXPECT_TRUE(IsInterested(GpuExtender(), pod));
}

}  // namespace
}  // namespace stowage
