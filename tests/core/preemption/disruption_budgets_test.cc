#include "core/preemption/disruption_budgets.h"

#include <gtest/gtest.h>

#include "tests/core/preemption/capacity_handle.h"

namespace stowage {
namespace {

using Names = std::vector<std::string>;

PodInfoRef InfoOf(const MakePod& pod) { return MakePodInfo(pod.Ref(), Features()); }

PodDisruptionBudget InNamespace(std::string_view name, PodDisruptionBudget budget) {
  budget.metadata.namespace_ = Symbol(name);
  return budget;
}

// Goal: the split finds which of four pods, in order, violate a budget. a, b and c have app=web, a
// also first=yes and c tier=front; d has no labels.
TEST(DisruptionBudgets, SplitsPodsByViolation) {
  const LabelSelector web = MakeLabelSelector({{"app", "web"}});
  const LabelSelector first = MakeLabelSelector({{"first", "yes"}});
  const LabelSelector front = MakeLabelSelector({{"tier", "front"}});
  struct {
    std::string_view name;
    std::vector<PodDisruptionBudget> budgets;
    Names violating;
    Names rest;
  } cases[] = {
      {"no budgets", {}, {}, {"a", "b", "c", "d"}},
      {"nothing allowed", {MakeBudget("p", web, 0)}, {"a", "b", "c"}, {"d"}},
      {"counted down over the pods", {MakeBudget("p", web, 2)}, {"c"}, {"a", "b", "d"}},
      {"negative already", {MakeBudget("p", web, -1)}, {"a", "b", "c"}, {"d"}},
      {"already disrupted pods are not counted",
       {MakeBudget("p", web, 1, {"a"})},
       {"c"},
       {"a", "b", "d"}},
      {"other namespace",
       {InNamespace("other", MakeBudget("p", web, 0))},
       {},
       {"a", "b", "c", "d"}},
      {"absent selector", {MakeBudget("p", std::nullopt, 0)}, {}, {"a", "b", "c", "d"}},
      {"empty selector", {MakeBudget("p", LabelSelector(), 0)}, {}, {"a", "b", "c", "d"}},
      {"invalid selector",
       {MakeBudget("p", MakeLabelSelector({}, {Expression("app", "Is", {"web"})}), 0)},
       {},
       {"a", "b", "c", "d"}},
      {"a pod without labels never violates",
       {MakeBudget("p", MakeLabelSelector({}, {Expression("app", "DoesNotExist")}), 0)},
       {},
       {"a", "b", "c", "d"}},
      {"two budgets, one used up",
       {MakeBudget("p", web, 5), MakeBudget("q", front, 0)},
       {"c"},
       {"a", "b", "d"}},
      {"a violating pod takes from every budget",
       {MakeBudget("p", first, 0), MakeBudget("q", web, 1)},
       {"a", "b", "c"},
       {"d"}},
  };
  const std::vector<PodInfoRef> pods = {
      InfoOf(MakePod().Name("a").Labels({{"app", "web"}, {"first", "yes"}})),
      InfoOf(MakePod().Name("b").Label("app", "web")),
      InfoOf(MakePod().Name("c").Labels({{"app", "web"}, {"tier", "front"}})),
      InfoOf(MakePod().Name("d")),
  };
  for (const auto& c : cases) {
    FakeListers listers;
    for (const PodDisruptionBudget& budget : c.budgets) listers.Add(budget);
    DisruptionBudgets budgets(listers.PodDisruptionBudgets());
    for (int call = 0; call < 2; ++call) {
      PodsByViolation split = budgets.Split(pods);
      EXPECT_EQ(NamesOf(split.violating), c.violating) << c.name << ", call " << call;
      EXPECT_EQ(NamesOf(split.rest), c.rest) << c.name << ", call " << call;
    }
  }
}

}  // namespace
}  // namespace stowage
