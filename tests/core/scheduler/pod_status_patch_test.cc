// Goal: a status patch is byte for byte the one that strategicpatch computes from the two statuses.
// Method: bodies recorded from kube-scheduler v1.36, and for the rest what its rules give.
#include "core/scheduler/pod_status_patch.h"

#include <gtest/gtest.h>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr std::string_view kThen = "2026-11-21T04:30:40Z";
constexpr std::string_view kNow = "2026-11-21T04:30:49Z";

PodCondition Condition(std::string_view type, std::string_view status, std::string_view reason,
                       std::string message) {
  PodCondition condition;
  condition.type = Symbol(type);
  condition.status = Symbol(status);
  condition.reason = Symbol(reason);
  condition.message = std::move(message);
  condition.last_transition_time = Instant::Parse(kNow);
  return condition;
}

PodCondition Unschedulable(std::string message, int64_t observed_generation = 1) {
  PodCondition condition = Condition("PodScheduled", "False", "Unschedulable", std::move(message));
  condition.observed_generation = observed_generation;
  return condition;
}

// A pod after an attempt: PodScheduled=False since kThen.
PodStatus TriedStatus() {
  PodStatus status;
  status.conditions.push_back(Unschedulable("old"));
  status.conditions.Mutable().back().last_transition_time = Instant::Parse(kThen);
  return status;
}

TEST(PodStatusPatch, AddsTheFirstCondition) {
  EXPECT_EQ(
      StatusPatchBody(PodStatus(), {Unschedulable("0/4 nodes are available: 4 Insufficient cpu."),
                                    Symbol("node-3")}),
      R"({"status":{"conditions":[{"lastProbeTime":null,"lastTransitionTime":)"
      R"("2026-11-21T04:30:49Z","message":"0/4 nodes are available: 4 Insufficient cpu.",)"
      R"("observedGeneration":1,"reason":"Unschedulable","status":"False",)"
      R"("type":"PodScheduled"}],"nominatedNodeName":"node-3"}})");
}

TEST(PodStatusPatch, ListsTheOrderWhenAddingACondition) {
  PodStatus status;
  status.conditions.push_back(Condition("PodScheduled", "True", "", ""));
  PodCondition target =
      Condition("DisruptionTarget", "True", "PreemptionByScheduler",
                "default-scheduler: preempting to accommodate a higher priority pod");
  target.observed_generation = 1;
  EXPECT_EQ(StatusPatchBody(status, {target, {}}),
            R"({"status":{"$setElementOrder/conditions":[{"type":"PodScheduled"},{"type":)"
            R"("DisruptionTarget"}],"conditions":[{"lastProbeTime":null,"lastTransitionTime":)"
            R"("2026-11-21T04:30:49Z","message":"default-scheduler: preempting to accommodate a )"
            R"(higher priority pod","observedGeneration":1,"reason":"PreemptionByScheduler",)"
            R"("status":"True","type":"DisruptionTarget"}]}})");
}

TEST(PodStatusPatch, SetsOnlyANomination) {
  EXPECT_EQ(StatusPatchBody(TriedStatus(), {{}, Symbol("node-0")}),
            R"({"status":{"nominatedNodeName":"node-0"}})");
}

// Goal: the list is written whole, and only if it differs.
TEST(PodStatusPatch, SetsNodeResourcesOfClaims) {
  PodStatusPatch patch;
  patch.node_allocatable_resource_claim_statuses.push_back(
      {Symbol("c"), std::vector<Symbol>{Symbol("d"), Symbol("e")},
       MakeResourceList({{"cpu", "2"}, {"memory", "1Gi"}})});
  PodStatus status = TriedStatus();
  EXPECT_TRUE(patch.IsNeededFor(status));
  EXPECT_EQ(StatusPatchBody(status, patch),
            R"({"status":{"nodeAllocatableResourceClaimStatuses":[{"containers":["d","e"],)"
            R"("resourceClaimName":"c","resources":{"cpu":"2","memory":"1Gi"}}]}})");
  status.node_allocatable_resource_claim_statuses = patch.node_allocatable_resource_claim_statuses;
  EXPECT_FALSE(patch.IsNeededFor(status));
  EXPECT_EQ(StatusPatchBody(status, patch), "{}");
}

TEST(PodStatusPatch, RemovesANominationByNull) {
  PodStatus status = TriedStatus();
  status.nominated_node_name = Symbol("node-0");
  EXPECT_EQ(StatusPatchBody(status, {{}, Symbol()}), R"({"status":{"nominatedNodeName":null}})");
}

TEST(PodStatusPatch, ChangesOnlyWhatDiffersInACondition) {
  const std::string kOrder =
      R"({"status":{"$setElementOrder/conditions":[{"type":"PodScheduled"}],)";
  PodCondition no_message = Unschedulable("");
  PodCondition no_generation = Unschedulable("old", 0);
  PodCondition probed = Unschedulable("old");
  probed.last_probe_time = Instant::Parse(kNow);
  PodCondition failed = Condition("PodScheduled", "False", "SchedulerError", "new");
  failed.observed_generation = 2;
  PodCondition scheduled = Condition("PodScheduled", "True", "", "old");
  scheduled.observed_generation = 1;
  struct {
    PodCondition condition;
    std::string want;
  } cases[] = {
      {Unschedulable("new"), R"({"message":"new","type":"PodScheduled"})"},
      {Unschedulable("old", 3), R"({"observedGeneration":3,"type":"PodScheduled"})"},
      {no_message, R"({"message":null,"type":"PodScheduled"})"},
      {no_generation, R"({"observedGeneration":null,"type":"PodScheduled"})"},
      {probed, R"({"lastProbeTime":"2026-11-21T04:30:49Z","type":"PodScheduled"})"},
      {failed, R"({"message":"new","observedGeneration":2,"reason":"SchedulerError",)"
               R"("type":"PodScheduled"})"},
      {scheduled, R"({"lastTransitionTime":"2026-11-21T04:30:49Z","reason":null,"status":"True",)"
                  R"("type":"PodScheduled"})"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(StatusPatchBody(TriedStatus(), {c.condition, {}}),
              kOrder + R"("conditions":[)" + c.want + "]}}");
  }
}

TEST(PodStatusPatch, OmitsEmptyMembersOfANewCondition) {
  PodCondition condition;
  condition.type = Symbol("PodScheduled");
  EXPECT_EQ(StatusPatchBody(PodStatus(), {condition, {}}),
            R"({"status":{"conditions":[{"lastProbeTime":null,"lastTransitionTime":null,)"
            R"("status":"","type":"PodScheduled"}]}})");
}

TEST(PodStatusPatch, IsEmptyIfNothingDiffers) {
  EXPECT_EQ(StatusPatchBody(TriedStatus(), {Unschedulable("old"), Symbol()}), "{}");
  EXPECT_EQ(StatusPatchBody(TriedStatus(), {}), "{}");
}

}  // namespace
}  // namespace stowage
