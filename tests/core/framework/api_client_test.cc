#include "core/framework/api_client.h"

#include <gtest/gtest.h>

#include <string_view>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

PodCondition Scheduled(std::string_view status, std::string_view reason,
                       std::string message = "m") {
  PodCondition condition;
  condition.type = Symbol("PodScheduled");
  condition.status = Symbol(status);
  condition.reason = Symbol(reason);
  condition.message = std::move(message);
  return condition;
}

// A patch that would change nothing is not sent.
TEST(PodStatusPatch, IsNeededIfItChangesSomething) {
  PodCondition at_another_time = Scheduled("False", "Unschedulable");
  at_another_time.last_transition_time = Instant{9, 0};
  PodCondition probed = Scheduled("False", "Unschedulable");
  probed.last_probe_time = Instant{9, 0};
  PodCondition of_another_generation = Scheduled("False", "Unschedulable");
  of_another_generation.observed_generation = 7;
  PodCondition of_another_type = Scheduled("False", "Unschedulable");
  of_another_type.type = Symbol("DisruptionTarget");
  const Symbol n("n");
  struct {
    std::string_view name;
    PodStatusPatch patch;
    bool want;
  } cases[] = {
      {"nothing", {}, false},
      {"the same condition", {Scheduled("False", "Unschedulable"), {}}, false},
      {"another status", {Scheduled("True", "Unschedulable"), {}}, true},
      {"another reason", {Scheduled("False", "SchedulerError"), {}}, true},
      {"another message", {Scheduled("False", "Unschedulable", "other"), {}}, true},
      {"another transition time", {at_another_time, {}}, false},
      {"another probe time", {probed, {}}, true},
      {"another generation", {of_another_generation, {}}, false},
      {"another type", {of_another_type, {}}, true},
      {"the same nomination", {{}, n}, false},
      {"another nomination", {{}, Symbol("m")}, true},
      {"the nomination is cleared", {{}, Symbol()}, true},
      {"the same condition, another nomination",
       {Scheduled("False", "Unschedulable"), Symbol()},
       true},
      {"another condition, the same nomination", {Scheduled("True", ""), n}, true},
      {"the same of both", {Scheduled("False", "Unschedulable"), n}, false},
  };
  PodStatus status;
  status.nominated_node_name = n;
  status.conditions = {{Symbol("Ready"), Symbol("True"), {}, {}},
                       Scheduled("False", "Unschedulable"),
                       // Only the first condition of a type counts.
                       Scheduled("True", "")};
  for (const auto& c : cases) EXPECT_EQ(c.patch.IsNeededFor(status), c.want) << c.name;
  EXPECT_FALSE((PodStatusPatch{{}, Symbol()}.IsNeededFor(PodStatus()))) << "nothing to clear";
}

TEST(ApiResponse, DetectsSuccess) {
  EXPECT_FALSE(ApiResponse().ok()) << "no answer";
  EXPECT_TRUE((ApiResponse{200, "", "", ""}.ok()));
  EXPECT_TRUE((ApiResponse{201, "", "", ""}.ok()));
  EXPECT_FALSE((ApiResponse{300, "", "", ""}.ok()));
  EXPECT_FALSE((ApiResponse{409, "Conflict", "", ""}.ok()));
  EXPECT_TRUE((ApiResponse{404, "NotFound", "", ""}.IsNotFound()));
  EXPECT_FALSE((ApiResponse{409, "Conflict", "", ""}.IsNotFound()));
}

}  // namespace
}  // namespace stowage
