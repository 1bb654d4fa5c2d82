// Filtering with nominated pods: which of them count, and what the two passes see (spec 05 §5.3).
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/core/runtime/fake_profile.h"

namespace stowage {
namespace {

// The pods that an extension received.
struct Arrivals final : StateData {
  std::string names;

  std::unique_ptr<StateData> Clone() const override { return std::make_unique<Arrivals>(*this); }
};

// What a filter sees in one pass: the pods on the node, and those that its extension received.
std::string Seen(const CycleState& state, const NodeInfo& node) {
  std::string seen = "node:";
  for (const PodInfoRef& pod : node.pods()) seen += " " + pod->pod->metadata.name.str();
  const Arrivals* arrivals = state.ReadData<Arrivals>();
  return seen + ", state:" + (arrivals == nullptr ? " none" : arrivals->names);
}

// A profile with one node and one plugin, which logs each pass and returns its next verdict.
class NominatedPodsTest : public testing::Test {
 protected:
  NominatedPodsTest() {
    profile_.AddNodes(1).Add(MakePod().Name("running").Node("n0").Obj());
    profile_.Add({
        .name = "Logging",
        .pre_filter =
            [](CycleState& state, const Pod&, PreFilterResult*) {
              state.WriteData(std::make_unique<Arrivals>());
              return Status::Success();
            },
        .add_pod =
            [this](CycleState& state, const PodInfo& added, const NodeInfo&) {
              if (added.pod->metadata.name == fails_adding_) return Status::Error("boom");
              state.MutableData<Arrivals>()->names += " " + added.pod->metadata.name.str();
              return Status::Success();
            },
        .filter =
            [this](const CycleState& state, const Pod&, const NodeInfo& node) {
              seen_.push_back(Seen(state, node));
              return seen_.size() > verdicts_.size() ? Status() : verdicts_[seen_.size() - 1];
            },
    });
  }

  Status Filter(const Pod& pod) {
    CycleState state;
    EXPECT_TRUE(profile_.framework().RunPreFilterPlugins(state, pod).status.IsSuccess());
    Status status =
        profile_.framework().RunFilterPluginsWithNominatedPods(state, pod, profile_.node("n0"));
    EXPECT_EQ(Seen(state, profile_.node("n0")), kUnchanged) << "state and node are not touched";
    return status;
  }

  static constexpr std::string_view kUnchanged = "node: running, state:";

  FakeProfile profile_;
  std::vector<Status> verdicts_;
  std::vector<std::string> seen_;
  std::string fails_adding_;
};

TEST_F(NominatedPodsTest, FiltersOnceWithoutNominatedPods) {
  profile_.Nominate("n1", MakePod().Name("elsewhere"));
  EXPECT_TRUE(Filter(MakePod().Name("p")).IsSuccess());
  EXPECT_EQ(seen_, (std::vector<std::string>{"node: running, state:"}));
}

TEST_F(NominatedPodsTest, CountsPodsOfEqualOrHigherPriority) {
  profile_.Nominate("n0", MakePod().Name("equal").Priority(5));
  profile_.Nominate("n0", MakePod().Name("lower").Priority(4));
  profile_.Nominate("n0", MakePod().Name("higher").Priority(6));
  profile_.Nominate("n0", MakePod().Name("itself").Uid("uid-of-p").Priority(9));
  EXPECT_TRUE(Filter(MakePod().Name("p").Uid("uid-of-p").Priority(5)).IsSuccess());
  EXPECT_EQ(seen_, (std::vector<std::string>{"node: running equal higher, state: equal higher",
                                             "node: running, state:"}));
}

TEST_F(NominatedPodsTest, FiltersOnceIfNoNominatedPodCounts) {
  profile_.Nominate("n0", MakePod().Name("lower").Priority(4));
  profile_.Nominate("n0", MakePod().Name("p").Priority(9));
  EXPECT_TRUE(Filter(MakePod().Name("p").Priority(5)).IsSuccess());
  EXPECT_EQ(seen_.size(), 1u);
}

TEST_F(NominatedPodsTest, RequiresBothPassesToSucceed) {
  Status no = Status::Unschedulable("no");
  Status named = no.WithPlugin(Symbol("Logging"));
  struct {
    std::string_view name;
    std::vector<Status> verdicts;
    Status want;
    size_t want_passes;
  } cases[] = {
      {"both pass", {{}, {}}, {}, 2},
      {"refused with the nominees there", {no}, named, 1},
      {"refused without them", {{}, no}, named, 2},
      {"an Error in the first pass",
       {Status::Error("boom")},
       Status::Error("running \"Logging\" filter plugin: boom").WithPlugin(Symbol("Logging")),
       1},
  };
  profile_.Nominate("n0", MakePod().Name("nominee"));
  for (const auto& c : cases) {
    verdicts_ = c.verdicts;
    seen_.clear();
    EXPECT_EQ(Filter(MakePod().Name("p")), c.want) << c.name;
    EXPECT_EQ(seen_.size(), c.want_passes) << c.name;
  }
}

TEST_F(NominatedPodsTest, FailsIfAPodCannotBeAdded) {
  profile_.Nominate("n0", MakePod().Name("a"));
  profile_.Nominate("n0", MakePod().Name("b"));
  fails_adding_ = "b";
  EXPECT_EQ(Filter(MakePod().Name("p")),
            Status::Error("running AddPod on PreFilter plugin \"Logging\": boom"));
  EXPECT_TRUE(seen_.empty());
}

TEST_F(NominatedPodsTest, FailsIfAPodCannotBeRemoved) {
  FakeProfile profile;
  profile.AddNodes(1);
  profile.Add({.name = "A",
               .pre_filter = [](const auto&...) { return Status::Success(); },
               .remove_pod = [](const auto&...) { return Status::Error("boom"); }});
  CycleState state;
  PodInfoRef other = MakePodInfo(MakePod().Name("other").Ref(), Features());
  Status status = profile.framework().RunPreFilterExtensionRemovePod(state, MakePod().Name("p"),
                                                                     *other, profile.node("n0"));
  EXPECT_EQ(status, Status::Error("running RemovePod on PreFilter plugin \"A\": boom"));
}

}  // namespace
}  // namespace stowage
