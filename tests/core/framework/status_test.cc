#include "core/framework/status.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

TEST(Status, NamesAndClassifiesCodes) {
  struct {
    Code code;
    std::string_view name;
    bool is_success;
    bool is_skip;
    bool is_rejected;
  } cases[] = {
      {Code::kSuccess, "Success", true, false, false},
      {Code::kError, "Error", false, false, false},
      {Code::kUnschedulable, "Unschedulable", false, false, true},
      {Code::kUnschedulableAndUnresolvable, "UnschedulableAndUnresolvable", false, false, true},
      {Code::kWait, "Wait", false, false, false},
      {Code::kSkip, "Skip", false, true, false},
      {Code::kPending, "Pending", false, false, true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(CodeName(c.code), c.name);
    Status status = Status::WithReasons(c.code, {});
    EXPECT_EQ(status.code(), c.code) << c.name;
    EXPECT_EQ(status.IsSuccess(), c.is_success) << c.name;
    EXPECT_EQ(status.IsSkip(), c.is_skip) << c.name;
    EXPECT_EQ(status.IsRejected(), c.is_rejected) << c.name;
  }
}

TEST(Status, MessageJoinsTheReasons) {
  struct {
    std::string_view name;
    Status status;
    std::vector<Symbol> want_reasons;
    std::string_view want;
  } cases[] = {
      {"success", Status::Success(), {}, ""},
      {"the default is success", Status(), {}, ""},
      {"skip", Status::Skip(), {}, ""},
      {"one reason", Status::Unschedulable("a"), MakeSymbols({"a"}), "a"},
      {"unresolvable", Status::UnschedulableAndUnresolvable("b"), MakeSymbols({"b"}), "b"},
      {"an error's text is its first reason", Status::Error("boom"), MakeSymbols({"boom"}), "boom"},
      {"reasons keep their order", Status::WithReasons(Code::kPending, MakeSymbols({"z", "a"})),
       MakeSymbols({"z", "a"}), "z, a"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(c.status.reasons(), c.want_reasons) << c.name;
    EXPECT_EQ(c.status.Message(), c.want) << c.name;
    EXPECT_TRUE(c.status.plugin().empty()) << c.name;
  }
}

TEST(Status, WithPluginSetsThePlugin) {
  Symbol fit("NodeResourcesFit");
  Status refusal = Status::Unschedulable("Insufficient cpu");
  Status named = refusal.WithPlugin(fit);
  EXPECT_EQ(named.plugin(), fit);
  EXPECT_EQ(named.code(), Code::kUnschedulable);
  EXPECT_EQ(named.Message(), "Insufficient cpu");
  EXPECT_TRUE(refusal.plugin().empty()) << "the original is unchanged";
  EXPECT_EQ(named.WithPlugin(Symbol("Other")).plugin(), "Other");
  EXPECT_EQ(Status::WithReasons(Code::kUnschedulable, {}).WithPlugin(fit).plugin(), fit);
  EXPECT_TRUE(Status::Success().WithPlugin(fit).plugin().empty()) << "success has no plugin";
}

TEST(Status, WithPluginDoesNotChangeCopies) {
  Status refusal = Status::Unschedulable("Insufficient cpu");
  Status copy = refusal;
  EXPECT_EQ(std::move(copy).WithPlugin(Symbol("A")).plugin(), "A");
  EXPECT_TRUE(refusal.plugin().empty());
  Status named = std::move(refusal).WithPlugin(Symbol("B"));
  copy = named;
  named = std::move(named).WithPlugin(Symbol("C"));
  EXPECT_EQ(named.plugin(), "C");
  EXPECT_EQ(copy.plugin(), "B");
  EXPECT_EQ(copy.Message(), "Insufficient cpu");
}

TEST(Status, EqualityComparesCodeReasonsAndPlugin) {
  Status status = Status::WithReasons(Code::kUnschedulable, MakeSymbols({"a", "b"}));
  struct {
    std::string_view name;
    Status other;
    bool want;
  } cases[] = {
      {"built apart", Status::WithReasons(Code::kUnschedulable, MakeSymbols({"a", "b"})), true},
      {"a copy", status, true},
      {"other code", Status::WithReasons(Code::kPending, MakeSymbols({"a", "b"})), false},
      {"other order", Status::WithReasons(Code::kUnschedulable, MakeSymbols({"b", "a"})), false},
      {"fewer reasons", Status::Unschedulable("a"), false},
      {"joined text", Status::Unschedulable("a, b"), false},
      {"with a plugin", status.WithPlugin(Symbol("P")), false},
  };
  for (const auto& c : cases) EXPECT_EQ(status == c.other, c.want) << c.name;
  EXPECT_EQ(status.WithPlugin(Symbol("P")), status.WithPlugin(Symbol("P")));
  EXPECT_EQ(Status::Success(), Status());
}

}  // namespace
}  // namespace stowage
