#include "core/framework/diagnosis.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

Status Refusal(Texts reasons) {
  return Status::WithReasons(Code::kUnschedulable, MakeSymbols(reasons));
}

NodeToStatus Statuses(size_t rows, const std::vector<Status>& own) {
  NodeToStatus statuses(rows);
  for (size_t row = 0; row < own.size(); ++row) statuses.Set(row, own[row]);
  return statuses;
}

std::map<std::string, size_t> Histogram(const NodeToStatus& statuses, size_t total) {
  std::map<Symbol, size_t> by_symbol;
  statuses.CountReasons(total, &by_symbol);
  std::map<std::string, size_t> histogram;
  for (const auto& [reason, count] : by_symbol) histogram[reason.str()] = count;
  return histogram;
}

TEST(NodeToStatus, RowsHaveTheirOwnOrTheAbsentStatus) {
  NodeToStatus statuses = Statuses(3, {Refusal({"a"})});
  EXPECT_EQ(statuses.rows(), 3u);
  EXPECT_EQ(statuses.own_count(), 1u);
  EXPECT_TRUE(statuses.HasOwn(0));
  EXPECT_FALSE(statuses.HasOwn(1));
  EXPECT_EQ(statuses.Get(0), Refusal({"a"}));
  EXPECT_EQ(statuses.Get(1), Status::WithReasons(Code::kUnschedulableAndUnresolvable, {}));
  statuses.set_absent_status(Status::Unschedulable("absent"));
  EXPECT_EQ(statuses.Get(1), Status::Unschedulable("absent"));
  EXPECT_EQ(statuses.Get(0), Refusal({"a"}));
  statuses.Set(0, Status::Success());
  statuses.Set(1, Status::Success());
  EXPECT_FALSE(statuses.HasOwn(0));
  EXPECT_EQ(statuses.own_count(), 0u);
  EXPECT_EQ(statuses.CountOf(0), 0u);
}

// Goal: construction from verdicts by row gives the same as setting each row's status, without
// statuses that no row has. Method: both ways, from one list of verdicts.
TEST(NodeToStatus, CanBeConstructedFromVerdicts) {
  const std::vector<Status> known = {Refusal({"nowhere"}), Refusal({"a"}), Refusal({"b", "c"})};
  const std::vector<uint8_t> verdicts = {2, 0, 3, 2};
  NodeToStatus made(verdicts, known);
  NodeToStatus set(verdicts.size());
  for (size_t row = 0; row < verdicts.size(); ++row) {
    if (verdicts[row] != 0) set.Set(row, known[verdicts[row] - 1]);
  }
  EXPECT_EQ(made.distinct(), set.distinct());
  EXPECT_EQ(made.own_count(), 3u);
  for (size_t row = 0; row < verdicts.size(); ++row) {
    EXPECT_EQ(made.HasOwn(row), set.HasOwn(row)) << row;
    EXPECT_EQ(made.Get(row), set.Get(row)) << row;
  }
  EXPECT_EQ(Histogram(made, 5), Histogram(set, 5));
}

TEST(NodeToStatus, CountsReasonsOverNodes) {
  Status a = Refusal({"a"});
  Status ab = Refusal({"a", "b"});
  struct {
    std::string_view name;
    std::vector<Status> own;
    Status absent;
    size_t total;
    std::map<std::string, size_t> want;
  } cases[] = {
      {"nothing", {}, Status::WithReasons(Code::kUnschedulable, {}), 4, {}},
      {"equal ones add up", {a, a, a}, {}, 3, {{"a", 3}}},
      {"a node with two reasons counts for both", {ab, a}, {}, 2, {{"a", 2}, {"b", 1}}},
      {"equal reasons of different plugins add up",
       {a.WithPlugin(Symbol("P")), a.WithPlugin(Symbol("Q"))},
       {},
       2,
       {{"a", 2}}},
      {"the absent status counts for the rest", {a}, Refusal({"c", "a"}), 4, {{"a", 4}, {"c", 3}}},
      {"no rest, no absent status", {a, a}, Refusal({"c"}), 2, {{"a", 2}}},
  };
  for (const auto& c : cases) {
    NodeToStatus statuses = Statuses(4, c.own);
    statuses.set_absent_status(c.absent);
    EXPECT_EQ(Histogram(statuses, c.total), c.want) << c.name;
  }
}

TEST(NodeToStatus, ALaterStatusOfARowReplacesTheEarlier) {
  NodeToStatus statuses = Statuses(3, {Refusal({"a"}), Refusal({"a"})});
  statuses.Set(0, Refusal({"b"}));
  EXPECT_EQ(statuses.own_count(), 2u);
  EXPECT_EQ(statuses.Get(0), Refusal({"b"}));
  EXPECT_EQ(statuses.Get(1), Refusal({"a"}));
  EXPECT_EQ(Histogram(statuses, 2), (std::map<std::string, size_t>{{"a", 1}, {"b", 1}}));
  statuses.Set(1, Refusal({"b"}));
  EXPECT_EQ(Histogram(statuses, 2), (std::map<std::string, size_t>{{"b", 2}}));
  statuses.Set(1, Refusal({"b"}));
  EXPECT_EQ(statuses.own_count(), 2u);
  EXPECT_EQ(Histogram(statuses, 2), (std::map<std::string, size_t>{{"b", 2}}));
}

TEST(NodeToStatus, StoresEqualStatusesOnce) {
  NodeToStatus statuses = Statuses(
      4, {Refusal({"a"}), Refusal({"b"}), Refusal({"a"}), Refusal({"a"}).WithPlugin(Symbol("P"))});
  ASSERT_EQ(statuses.distinct().size(), 3u);
  EXPECT_EQ(statuses.CountOf(0), 2u);
  EXPECT_EQ(statuses.id(0), statuses.id(2));
  for (size_t row = 0; row < statuses.rows(); ++row) {
    ASSERT_TRUE(statuses.HasOwn(row));
    EXPECT_EQ(statuses.distinct()[statuses.id(row) - 1u], statuses.Get(row)) << row;
  }
}

// The parts of a message: how many nodes have each reason, and the rest.
struct MessageCase {
  std::string_view name;
  size_t total;
  std::vector<Status> own = {};
  Status absent = Status::WithReasons(Code::kUnschedulableAndUnresolvable, {});
  std::string pre_filter_msg = {};
  std::string post_filter_msg = {};
  std::string_view want;
};

void ExpectMessage(const MessageCase& c) {
  Diagnosis diagnosis;
  diagnosis.node_to_status = Statuses(c.total, c.own);
  diagnosis.node_to_status.set_absent_status(c.absent);
  diagnosis.pre_filter_msg = c.pre_filter_msg;
  diagnosis.post_filter_msg = c.post_filter_msg;
  EXPECT_EQ(FitErrorMessage(c.total, diagnosis), c.want) << c.name;
}

// The table of spec 05 §10.1; without nodes there is no FitError.
TEST(FitErrorMessage, EqualsTheReference) {
  Status cpu = Refusal({"Insufficient cpu"});
  Status affinity =
      Status::UnschedulableAndUnresolvable("node(s) didn't match Pod's node affinity/selector");
  MessageCase cases[] = {
      {.name = "too big everywhere",
       .total = 2,
       .own = {cpu, cpu},
       .post_filter_msg = "no new claims to deallocate, preemption: 0/2 nodes are available: 2 "
                          "Preemption is not helpful for scheduling.",
       .want = "0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, "
               "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."},
      {.name = "preemption found victims",
       .total = 1,
       .own = {cpu},
       .want = "0/1 nodes are available: 1 Insufficient cpu."},
      {.name = "preemptionPolicy Never",
       .total = 1,
       .own = {cpu},
       .post_filter_msg = "no new claims to deallocate, preemption: not eligible due to "
                          "preemptionPolicy=Never.",
       .want = "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, "
               "preemption: not eligible due to preemptionPolicy=Never."},
      {.name = "node selector",
       .total = 3,
       .own = {affinity, affinity, affinity},
       .post_filter_msg = "no new claims to deallocate, preemption: 0/3 nodes are available: 3 "
                          "Preemption is not helpful for scheduling.",
       .want = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. no "
               "new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is "
               "not helpful for scheduling."},
      {.name = "affinity to a missing node name",
       .total = 1,
       .absent =
           Status::UnschedulableAndUnresolvable("node(s) didn't satisfy plugin(s) [NodeAffinity]"),
       .post_filter_msg = "no new claims to deallocate, preemption: 0/1 nodes are available: 1 "
                          "Preemption is not helpful for scheduling.",
       .want = "0/1 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new "
               "claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not "
               "helpful for scheduling."},
      {.name = "missing PVC",
       .total = 1,
       .absent =
           Status::UnschedulableAndUnresolvable("persistentvolumeclaim \"missing\" not found"),
       .pre_filter_msg = "persistentvolumeclaim \"missing\" not found",
       .post_filter_msg = "not found",
       .want = "0/1 nodes are available: persistentvolumeclaim \"missing\" not found. not found"},
  };
  for (const auto& c : cases) ExpectMessage(c);
}

TEST(FitErrorMessage, JoinsItsParts) {
  Status x = Refusal({"x"});
  Status y = Refusal({"y"});
  std::vector<Status> ten_x_two_y(10, x);
  ten_x_two_y.insert(ten_x_two_y.end(), {y, y});
  MessageCase cases[] = {
      {.name = "nothing to say", .total = 3, .want = "0/3 nodes are available:"},
      {.name = "lines are sorted as text, not as numbers",
       .total = 12,
       .own = ten_x_two_y,
       .want = "0/12 nodes are available: 10 x, 2 y."},
      {.name = "equal counts go by their reasons",
       .total = 2,
       .own = {y, x},
       .want = "0/2 nodes are available: 1 x, 1 y."},
      {.name = "bytes decide: capitals come first",
       .total = 2,
       .own = {Refusal({"b"}), Refusal({"B"})},
       .want = "0/2 nodes are available: 1 B, 1 b."},
      {.name = "a PreFilter's message hides the counts",
       .total = 2,
       .own = {x, y},
       .pre_filter_msg = "refused",
       .want = "0/2 nodes are available: refused."},
      {.name = "only PostFilter has something to say",
       .total = 2,
       .post_filter_msg = "later",
       .want = "0/2 nodes are available: later"},
      {.name = "absent nodes join those that say the same",
       .total = 3,
       .own = {x},
       .absent = x,
       .want = "0/3 nodes are available: 3 x."},
  };
  for (const auto& c : cases) ExpectMessage(c);
}

}  // namespace
}  // namespace stowage
