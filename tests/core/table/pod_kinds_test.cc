#include "core/table/pod_kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/cache/cache.h"
#include "core/config/features.h"
#include "core/table/pod_counts.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

// Goal: pods that share namespace and labels are of one kind, and no number is used for two kinds,
// however many there are.
TEST(PodKinds, NumbersPodsByNamespaceAndLabels) {
  PodKinds kinds;
  Pod web = MakePod().Namespace("a").Label("app", "web");
  Pod same = MakePod().Namespace("a").Name("other");
  same.metadata.labels = web.metadata.labels;
  Pod elsewhere = same;
  elsewhere.metadata.namespace_ = Symbol("b");
  const uint64_t kind = kinds.KindOf(web);
  EXPECT_EQ(kinds.KindOf(same), kind);
  std::set<uint64_t> numbers = {0, kind};
  EXPECT_TRUE(numbers.insert(kinds.KindOf(elsewhere)).second);
  for (size_t count = 0; count < 10 * PodKinds::kPlaces; ++count) {
    Pod other = MakePod().Label("number", std::to_string(count));
    const uint64_t next = kinds.KindOf(other);
    EXPECT_TRUE(numbers.insert(next).second);
    EXPECT_EQ(kinds.KindOf(other), next);
  }
  // More namespaces than places.
  for (size_t count = 0; count < 2 * PodKinds::kPlaces; ++count) {
    Pod other = same;
    other.metadata.namespace_ = Symbol("namespace" + std::to_string(count));
    EXPECT_TRUE(numbers.insert(kinds.KindOf(other)).second);
  }
  // Another kind may have its place by now.
  const uint64_t again = kinds.KindOf(web);
  EXPECT_TRUE(again == kind || numbers.insert(again).second);
}

// Goal: counts that follow the log equal a recount, whether pods share their labels, have labels of
// their own, or are more different than kinds are kept.
TEST(PodKinds, CountsEqualARecount) {
  Rng rng(7);
  Cache cache;
  Snapshot snapshot;
  Features features;
  for (std::string_view name : {"n0", "n1", "n2"}) cache.AddNode(MakeNode().Name(name).Ref());
  std::vector<Pod> templates;
  for (std::string_view app : {"web", "db", "web"}) {
    templates.push_back(MakePod().Namespace(app == "db" ? "b" : "a").Label("app", app));
  }
  const std::vector<PodMatcher> matchers = {
      {{Symbol("a")}, false, Selector::FromSet({{"app", "web"}})}};
  PodCounts counts(matchers);
  std::vector<PodRef> placed;
  for (size_t step = 0; step < 8 * PodKinds::kPlaces; ++step) {
    Pod pod = templates[rng.Below(templates.size())];
    pod.metadata.name = pod.metadata.uid = Symbol("p" + std::to_string(step));
    if (rng.Below(2) == 0) pod.metadata.labels.Set(Symbol("name"), pod.metadata.name);
    pod.spec.node_name = Symbol("n" + std::to_string(rng.Below(3)));
    placed.push_back(std::make_shared<const Pod>(std::move(pod)));
    ASSERT_TRUE(cache.AddPod(MakePodInfo(placed.back(), features)).IsSuccess());
    if (placed.size() > 20) {
      ASSERT_TRUE(cache.RemovePod(*placed.front()).IsSuccess());
      placed.erase(placed.begin());
    }
    if (rng.Below(3) == 0) continue;
    cache.UpdateSnapshot(&snapshot);
    counts.Refresh(snapshot.table());
    PodCounts made(matchers);
    made.Refresh(snapshot.table());
    for (size_t row = 0; row < 3; ++row) {
      ASSERT_EQ(counts.All(row), made.All(row)) << step;
      ASSERT_EQ(counts.Live(row), made.Live(row)) << step;
    }
  }
}

}  // namespace
}  // namespace stowage
