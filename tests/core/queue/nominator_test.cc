#include "core/queue/nominator.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/features.h"
#include "tests/support/fake_handle.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

PodInfoRef Info(const Pod& pod) {
  return MakePodInfo(std::make_shared<const Pod>(pod), Features());
}
PodInfoRef Info(std::string_view name) { return Info(MakePod().Name(name).Obj()); }

// The pods nominated to a node, in order.
std::string Nominated(const Nominator& nominator, std::string_view node) {
  std::string names;
  for (const PodInfoRef& pod : nominator.NominatedPodsForNode(Symbol(node))) {
    names += pod->pod->metadata.name.str() + " ";
  }
  return names;
}

// Pods a, b and c are pending; x is bound; all others are unknown.
class NominatorTest : public testing::Test {
 protected:
  NominatorTest() {
    for (std::string_view name : {"a", "b", "c"}) listers_.Add(MakePod().Name(name).Obj());
    listers_.Add(MakePod().Name("x").Node("m").Obj());
  }

  FakeListers listers_;
  Nominator nominator_{listers_};
};

// One call of a nominator: a nomination of `pod` to `node`, or its removal.
struct Call {
  std::string_view pod;
  std::string_view node;
  bool is_delete = false;
};

TEST_F(NominatorTest, KeepsTheOrderOfNominations) {
  struct {
    std::string_view name;
    std::vector<Call> calls;
    std::string_view want_n;
    std::string_view want_m;
    size_t want_size;
  } cases[] = {
      {"no pod", {}, "", "", 0},
      {"first come, first", {{"a", "n"}, {"b", "n"}, {"c", "m"}}, "a b ", "c ", 3},
      {"a pod has one nomination", {{"a", "n"}, {"b", "n"}, {"a", "m"}}, "b ", "a ", 2},
      {"a repeated nomination is the latest", {{"a", "n"}, {"b", "n"}, {"a", "n"}}, "b a ", "", 2},
      {"no node ends it", {{"a", "n"}, {"b", "n"}, {"a", ""}}, "b ", "", 1},
      {"no node for a pod without nomination", {{"a", ""}}, "", "", 0},
      {"deleted", {{"a", "n"}, {"b", "n"}, {"b", "", true}}, "a ", "", 1},
      {"deleted twice", {{"a", "n"}, {"a", "", true}, {"a", "", true}}, "", "", 0},
      {"back after deletion", {{"a", "n"}, {"a", "", true}, {"a", "m"}}, "", "a ", 1},
      {"a bound pod is nominated nowhere", {{"x", "n"}}, "", "", 0},
      {"nor is one that is gone", {{"gone", "n"}}, "", "", 0},
  };
  for (const auto& c : cases) {
    Nominator nominator(listers_);
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

// Goal: an override takes precedence, even if it is empty; without one the pod's status counts.
TEST_F(NominatorTest, OverridesThePodsStatus) {
  struct {
    std::string_view name;
    std::string_view status;
    std::optional<Symbol> node_override;
    std::string_view want;
  } cases[] = {
      {"as the status says", "n", std::nullopt, "n"},
      {"the status says nothing", "", std::nullopt, ""},
      {"the override wins", "n", Symbol("m"), "m"},
      {"the override alone", "", Symbol("m"), "m"},
      {"the override takes it away", "n", Symbol(), ""},
  };
  for (const auto& c : cases) {
    Nominator nominator(listers_);
    nominator.AddNominatedPod(Info("a"), Symbol("old"));
    nominator.AddNominatedPod(Info(MakePod().Name("a").NominatedNodeName(c.status)),
                              c.node_override);
    EXPECT_EQ(nominator.NodeOf(Symbol("a")), c.want) << c.name;
    EXPECT_EQ(Nominated(nominator, "old"), "") << c.name;
  }
}

// Goal: nominations made here survive updates that were under way and do not mention them.
TEST_F(NominatorTest, UpdatesKeepNominationsThatNeitherVersionMentions) {
  struct {
    std::string_view name;
    std::string_view here;  // where it is nominated, independent of the status
    std::string_view old_status;
    std::string_view new_status;
    std::string_view want;
  } cases[] = {
      {"never nominated", "", "", "", ""},
      {"nominated here", "n", "", "", "n"},
      {"the news arrives", "n", "", "n", "n"},
      {"an update nominates another node", "n", "", "m", "m"},
      {"an update nominates", "", "", "m", "m"},
      {"the nomination was there and is gone", "n", "n", "", ""},
      {"another node", "n", "n", "m", "m"},
  };
  for (const auto& c : cases) {
    Nominator nominator(listers_);
    nominator.AddNominatedPod(Info("a"), Symbol(c.here));
    nominator.UpdateNominatedPod(MakePod().Name("a").NominatedNodeName(c.old_status),
                                 Info(MakePod().Name("a").NominatedNodeName(c.new_status)));
    EXPECT_EQ(nominator.NodeOf(Symbol("a")), c.want) << c.name;
  }
}

TEST_F(NominatorTest, MovesTheNominationToANewUid) {
  nominator_.AddNominatedPod(Info("a"), Symbol("n"));
  nominator_.UpdateNominatedPod(MakePod().Name("a"), Info(MakePod().Name("a").Uid("a2")));
  EXPECT_TRUE(nominator_.NodeOf(Symbol("a")).empty());
  EXPECT_EQ(nominator_.NodeOf(Symbol("a2")), "n");
  EXPECT_EQ(nominator_.size(), 1u);
}

// Goal: filters count the newest version of the pod.
TEST_F(NominatorTest, ReplacesThePodOfANomination) {
  nominator_.AddNominatedPod(Info("a"), Symbol("n"));
  PodInfoRef grown = Info(MakePod().Name("a").Req({{"cpu", "4"}}));
  nominator_.UpdateNominatedPod(MakePod().Name("a"), grown);
  ASSERT_EQ(nominator_.NominatedPodsForNode(Symbol("n")).size(), 1u);
  EXPECT_EQ(nominator_.NominatedPodsForNode(Symbol("n"))[0], grown);
}

// Goal: a pod that left the queue keeps its place among the nominated pods, but filters do not
// count it.
TEST_F(NominatorTest, KeepsOnlyTheNameOfAPodInFlight) {
  PodInfoRef demanding = Info(MakePod().Name("a").Priority(9).Req({{"cpu", "4"}}));
  nominator_.AddNominatedPod(demanding, Symbol("n"));
  nominator_.AddNominatedPod(Info("b"), Symbol("n"));
  nominator_.ForgetPodInfo(*demanding->pod);
  EXPECT_EQ(Nominated(nominator_, "n"), "a b ");
  const PodInfo& bare = *nominator_.NominatedPodsForNode(Symbol("n"))[0];
  EXPECT_EQ(bare.uid(), "a");
  EXPECT_EQ(bare.requests.milli_cpu, 0);
  EXPECT_FALSE(bare.pod->spec.priority.has_value());
  nominator_.ForgetPodInfo(MakePod().Name("c"));
  EXPECT_EQ(nominator_.size(), 2u) << "who is not nominated is not nominated by that";
}

TEST_F(NominatorTest, ListsNominationsByName) {
  nominator_.AddNominatedPod(Info("b"), Symbol("m"));
  nominator_.AddNominatedPod(Info("c"), Symbol("n"));
  nominator_.AddNominatedPod(Info("a"), Symbol("n"));
  std::string list;
  for (const auto& [pod, node] : nominator_.Nominations()) {
    list += pod->pod->metadata.name.str() + "@" + node.str() + " ";
  }
  EXPECT_EQ(list, "a@n b@m c@n ");
}

// Goal: every change of a node's nominated pods is logged. Method: each kind of change.
TEST_F(NominatorTest, LogsTheNodesThatChange) {
  auto logged = [this, cursor = uint64_t{0}]() mutable {
    const NominationLog& log = nominator_.changes();
    std::string nodes = log.HoldsSince(cursor) ? "" : "all";
    if (nodes.empty()) {
      for (const Symbol& node : log.Since(cursor)) nodes += node.str();
    }
    cursor = log.head();
    return nodes;
  };
  EXPECT_EQ(logged(), "all");
  PodInfoRef pod = Info("a");
  nominator_.AddNominatedPod(pod, Symbol("n"));
  EXPECT_EQ(logged(), "n");
  nominator_.AddNominatedPod(pod, Symbol("m"));
  EXPECT_EQ(logged(), "nm");
  nominator_.UpdateNominatedPod(*pod->pod, pod);
  EXPECT_EQ(logged(), "mm");
  nominator_.ForgetPodInfo(*pod->pod);
  EXPECT_EQ(logged(), "m");
  nominator_.DeleteNominatedPod(pod->uid());
  EXPECT_EQ(logged(), "m");
  nominator_.DeleteNominatedPod(pod->uid());
  EXPECT_EQ(logged(), "");
  nominator_.CopyStateFrom(Nominator(nominator_));
  EXPECT_EQ(logged(), "all");
}

TEST_F(NominatorTest, ListsEachNodeOnce) {
  auto nodes = [this] {
    const std::vector<Symbol>& listed = nominator_.NominatedNodes();
    return std::set<Symbol>(listed.begin(), listed.end());
  };
  nominator_.AddNominatedPod(Info("a"), Symbol("n"));
  nominator_.AddNominatedPod(Info("b"), Symbol("m"));
  nominator_.AddNominatedPod(Info("c"), Symbol("n"));
  EXPECT_EQ(nodes(), (std::set{Symbol("m"), Symbol("n")}));
  EXPECT_EQ(nominator_.NominatedNodes().size(), 2u);
  nominator_.DeleteNominatedPod(Symbol("a"));
  EXPECT_EQ(nodes(), (std::set{Symbol("m"), Symbol("n")}));
  nominator_.AddNominatedPod(Info("c"), Symbol("m"));
  EXPECT_EQ(nodes(), std::set{Symbol("m")});
  EXPECT_EQ(nominator_.NominatedNodes().size(), 1u);
  nominator_.AddNominatedPod(Info("a"), Symbol("k"));
  nominator_.AddNominatedPod(Info("d"), Symbol("l"));
  for (const char* uid : {"b", "c", "d"}) nominator_.DeleteNominatedPod(Symbol(uid));
  EXPECT_EQ(nodes(), std::set{Symbol("k")});
  nominator_.DeleteNominatedPod(Symbol("a"));
  EXPECT_TRUE(nodes().empty());
}

}  // namespace
}  // namespace stowage
