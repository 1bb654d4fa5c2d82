#include "core/api/taints.h"

#include <gtest/gtest.h>

#include <vector>

namespace stowage {
namespace {

Toleration Tolerate(std::string_view key, std::string_view op, std::string_view value,
                    std::string_view effect) {
  return {Symbol(key), Symbol(op), Symbol(value), Symbol(effect)};
}

Taint MakeTaint(std::string_view key, std::string_view value, std::string_view effect) {
  return {Symbol(key), Symbol(value), Symbol(effect)};
}

TEST(Taints, AreToleratedByEffectKeyAndOperator) {
  struct {
    std::string_view name;
    Toleration toleration;
    Taint taint;
    bool want;
  } cases[] = {
      {"Equal", Tolerate("k", "Equal", "v", "NoSchedule"), MakeTaint("k", "v", "NoSchedule"), true},
      {"operator left out", Tolerate("k", "", "v", "NoSchedule"), MakeTaint("k", "v", "NoSchedule"),
       true},
      {"other value", Tolerate("k", "Equal", "x", "NoSchedule"), MakeTaint("k", "v", "NoSchedule"),
       false},
      {"other key", Tolerate("x", "Equal", "v", "NoSchedule"), MakeTaint("k", "v", "NoSchedule"),
       false},
      {"other effect", Tolerate("k", "Equal", "v", "NoExecute"), MakeTaint("k", "v", "NoSchedule"),
       false},
      {"any effect", Tolerate("k", "Equal", "v", ""), MakeTaint("k", "v", "NoSchedule"), true},
      {"Exists, any value", Tolerate("k", "Exists", "", "NoSchedule"),
       MakeTaint("k", "v", "NoSchedule"), true},
      {"Exists, any key", Tolerate("", "Exists", "", ""), MakeTaint("k", "v", "NoExecute"), true},
      {"Equal with an empty key compares values only", Tolerate("", "Equal", "v", ""),
       MakeTaint("k", "v", "NoSchedule"), true},
      {"Equal with an empty key, other value", Tolerate("", "Equal", "", ""),
       MakeTaint("k", "v", "NoSchedule"), false},
      {"Exists, other effect", Tolerate("", "Exists", "", "NoExecute"),
       MakeTaint("k", "v", "NoSchedule"), false},
      {"unknown operator", Tolerate("k", "equal", "v", ""), MakeTaint("k", "v", "NoSchedule"),
       false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ToleratesTaint(c.toleration, c.taint, false), c.want) << c.name;
    EXPECT_EQ(ToleratesTaint(c.toleration, c.taint, true), c.want) << c.name;
  }
}

// Goal: Lt and Gt compare canonical decimals, and only with their gate. Method: both operators on
// pairs of values, the taint's first.
TEST(Taints, CompareNumbersBehindAGate) {
  struct {
    std::string_view taint;
    std::string_view toleration;
    bool less;
    bool greater;
  } cases[] = {
      {"5", "10", true, false},
      {"10", "5", false, true},
      {"5", "5", false, false},
      {"-5", "0", true, false},
      {"0", "-5", false, true},
      {"9223372036854775807", "-9223372036854775808", false, true},
      {"9223372036854775808", "0", false, false},
      {"5", "010", false, false},
      {"05", "10", false, false},
      {"+5", "10", false, false},
      {"-0", "10", false, false},
      {"5", "", false, false},
      {"", "10", false, false},
      {"five", "10", false, false},
      {"5.0", "10", false, false},
  };
  for (const auto& c : cases) {
    Taint taint = MakeTaint("k", c.taint, "NoSchedule");
    Toleration less = Tolerate("k", "Lt", c.toleration, "");
    Toleration greater = Tolerate("k", "Gt", c.toleration, "");
    EXPECT_EQ(ToleratesTaint(less, taint, true), c.less) << c.taint << " < " << c.toleration;
    EXPECT_EQ(ToleratesTaint(greater, taint, true), c.greater) << c.taint << " > " << c.toleration;
    EXPECT_FALSE(ToleratesTaint(less, taint, false));
    EXPECT_FALSE(ToleratesTaint(greater, taint, false));
  }
}

TEST(Taints, FindTheFirstUntoleratedTaint) {
  std::vector<Taint> taints = {
      MakeTaint("soft", "", "PreferNoSchedule"),
      MakeTaint("a", "1", "NoSchedule"),
      MakeTaint("b", "2", "NoExecute"),
      MakeTaint("odd", "", "SomethingElse"),
  };
  struct {
    std::string_view name;
    std::vector<Toleration> tolerations;
    TaintFilter filter;
    const Taint* want;
  } cases[] = {
      {"no tolerations", {}, DoNotScheduleTaintsFilter, &taints[1]},
      {"first tolerated", {Tolerate("a", "Exists", "", "")}, DoNotScheduleTaintsFilter, &taints[2]},
      {"both tolerated",
       {Tolerate("b", "Equal", "2", "NoExecute"), Tolerate("a", "Equal", "1", "")},
       DoNotScheduleTaintsFilter,
       nullptr},
      {"preferred only", {}, PreferNoScheduleTaintsFilter, &taints[0]},
      {"preferred tolerated",
       {Tolerate("soft", "Exists", "", "")},
       PreferNoScheduleTaintsFilter,
       nullptr},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(FindMatchingUntoleratedTaint(taints, c.tolerations, c.filter, false), c.want)
        << c.name;
  }
  EXPECT_EQ(FindMatchingUntoleratedTaint({}, {}, DoNotScheduleTaintsFilter, false), nullptr);
}

}  // namespace
}  // namespace stowage
