#include "core/table/resource.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

Resource::Scalars MakeScalars(std::vector<std::pair<std::string_view, int64_t>> amounts) {
  Resource::Scalars scalars;
  for (const auto& [name, amount] : amounts) scalars.emplace_back(Symbol(name), amount);
  return scalars;
}

Resource Of(TextPairs amounts) {
  Resource resource;
  resource.Add(MakeResourceList(amounts));
  return resource;
}

TEST(Resource, AddsLists) {
  struct {
    std::string_view name;
    TextPairs list;
    Resource want;
  } cases[] = {
      {"nothing", {}, {}},
      {"the four parts",
       {{"cpu", "2"}, {"memory", "1Gi"}, {"ephemeral-storage", "10k"}, {"pods", "110"}},
       {2000, 1 << 30, 10'000, 110, {}}},
      {"cpu in milli units, rounded up", {{"cpu", "100100u"}}, {101, 0, 0, 0, {}}},
      {"bytes, rounded up", {{"memory", "1500m"}}, {0, 2, 0, 0, {}}},
      {"scalars by name",
       {{"hugepages-2Mi", "4Mi"}, {"example.com/gpu", "2"}, {"attachable-volumes-x", "39"}},
       {0, 0, 0, 0,
        MakeScalars(
            {{"attachable-volumes-x", 39}, {"example.com/gpu", 2}, {"hugepages-2Mi", 4 << 20}})}},
      {"a scalar of 0 makes an entry",
       {{"example.com/gpu", "0"}},
       {0, 0, 0, 0, MakeScalars({{"example.com/gpu", 0}})}},
      {"names that are no scalars", {{"storage", "1Gi"}, {"requests.cpu", "1"}}, {}},
  };
  for (const auto& c : cases) EXPECT_TRUE(Of(c.list) == c.want) << c.name;
}

TEST(Resource, AddsAndSubtractsPartByPart) {
  Resource sum = Of({{"cpu", "1"}, {"memory", "1Ki"}, {"ephemeral-storage", "5"}, {"b.io/x", "1"}});
  Resource other = Of({{"cpu", "3"}, {"memory", "2Ki"}, {"pods", "7"}, {"a.io/x", "2"}});
  sum.Add(other);
  Resource want{4000, 3072, 5, 0, MakeScalars({{"a.io/x", 2}, {"b.io/x", 1}})};
  EXPECT_TRUE(sum == want) << "the pod number takes no part in sums";
  sum.Subtract(other);
  want = {1000, 1024, 5, 0, MakeScalars({{"a.io/x", 0}, {"b.io/x", 1}})};
  EXPECT_TRUE(sum == want) << "an entry stays when it becomes 0";
  sum.Subtract(other);
  EXPECT_EQ(sum.milli_cpu, -2000);
  EXPECT_EQ(sum.Scalar(Symbol("a.io/x")), -2);
}

TEST(Resource, LooksUpScalars) {
  Resource resource = Of({{"example.com/gpu", "0"}});
  EXPECT_EQ(resource.Scalar(Symbol("example.com/gpu")), 0);
  ASSERT_NE(resource.FindScalar(Symbol("example.com/gpu")), nullptr);
  EXPECT_EQ(resource.Scalar(Symbol("example.com/tpu")), 0);
  EXPECT_EQ(resource.FindScalar(Symbol("example.com/tpu")), nullptr);
  resource.Add(Of({{"example.com/gpu", "3"}}));
  EXPECT_EQ(resource.Scalar(Symbol("example.com/gpu")), 3);
}

}  // namespace
}  // namespace stowage
