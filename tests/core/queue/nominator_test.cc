#include "core/queue/nominator.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "core/config/features.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

PodInfoRef Info(std::string_view name) {
  return MakePodInfo(MakePod().Name(name).Ref(), Features());
}

// The pods nominated to a node, in order.
std::string Nominated(const Nominator& nominator, std::string_view node) {
  std::string names;
  for (const PodInfoRef& pod : nominator.NominatedPodsForNode(Symbol(node))) {
    names += pod->pod->metadata.name.str() + " ";
  }
  return names;
}

// One call of a nominator: a nomination of `pod` to `node`, or its end.
struct Call {
  std::string_view pod;
  std::string_view node;
  bool is_delete = false;
};

TEST(Nominator, KeepsNominationsInTheirOrder) {
  struct {
    std::string_view name;
    std::vector<Call> calls;
    std::string_view want_n;
    std::string_view want_m;
    size_t want_size;
  } cases[] = {
      {"nobody", {}, "", "", 0},
      {"first come, first", {{"a", "n"}, {"b", "n"}, {"c", "m"}}, "a b ", "c ", 3},
      {"a pod has one nomination", {{"a", "n"}, {"b", "n"}, {"a", "m"}}, "b ", "a ", 2},
      {"a repeated nomination is the latest", {{"a", "n"}, {"b", "n"}, {"a", "n"}}, "b a ", "", 2},
      {"no node ends it", {{"a", "n"}, {"b", "n"}, {"a", ""}}, "b ", "", 1},
      {"no node for a pod without nomination", {{"a", ""}}, "", "", 0},
      {"deleted", {{"a", "n"}, {"b", "n"}, {"b", "", true}}, "a ", "", 1},
      {"deleted twice", {{"a", "n"}, {"a", "", true}, {"a", "", true}}, "", "", 0},
      {"back after deletion", {{"a", "n"}, {"a", "", true}, {"a", "m"}}, "", "a ", 1},
  };
  for (const auto& c : cases) {
    Nominator nominator;
    for (const Call& call : c.calls) {
      if (call.is_delete) {
        nominator.DeleteNominatedPod(Symbol(call.pod));
      } else {
        nominator.AddNominatedPod(Info(call.pod), Symbol(call.node));
      }
    }
    EXPECT_EQ(Nominated(nominator, "n"), c.want_n) << c.name;
    EXPECT_EQ(Nominated(nominator, "m"), c.want_m) << c.name;
    EXPECT_EQ(nominator.size(), c.want_size) << c.name;
  }
}

TEST(Nominator, KnowsWhereAPodIsNominated) {
  Nominator nominator;
  EXPECT_TRUE(nominator.NodeOf(Symbol("a")).empty());
  nominator.AddNominatedPod(Info("a"), Symbol("n"));
  EXPECT_EQ(nominator.NodeOf(Symbol("a")), "n");
  nominator.AddNominatedPod(Info("a"), Symbol("m"));
  EXPECT_EQ(nominator.NodeOf(Symbol("a")), "m");
  nominator.DeleteNominatedPod(Symbol("a"));
  EXPECT_TRUE(nominator.NodeOf(Symbol("a")).empty());
}

// Goal: what filters count is the newest version of the pod.
TEST(Nominator, ANominationReplacesThePod) {
  Nominator nominator;
  nominator.AddNominatedPod(Info("a"), Symbol("n"));
  PodInfoRef grown = MakePodInfo(MakePod().Name("a").Req({{"cpu", "4"}}).Ref(), Features());
  nominator.AddNominatedPod(grown, Symbol("n"));
  ASSERT_EQ(nominator.NominatedPodsForNode(Symbol("n")).size(), 1u);
  EXPECT_EQ(nominator.NominatedPodsForNode(Symbol("n"))[0], grown);
}

}  // namespace
}  // namespace stowage
