// Properties of every plugin of the registry that vouches for classes of rows.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/table/row_key.h"
#include "tests/core/plugins/perturbations.h"
#include "tests/core/plugins/registry_fixture.h"

namespace stowage {
namespace {

using Key = std::vector<int64_t>;

class ClassPluginsTest : public RegistryTest {
 protected:
  // The data derived from a pod, and a cycle that uses it.
  struct Cycle {
    CycleState derived;
    RowKey key;
    CycleState state;
    bool filters = false;
  };

  // Returns false if the plugin does not vouch for the pod, or leaves it no choice of nodes.
  bool Begin(const PluginSubject& subject, const Pod& pod, Cycle* cycle) {
    const PluginInstance& plugin = subject.instance;
    if (plugin.classes == nullptr) return false;
    PodSignature ignored;
    if (!plugin.classes->AppendClassFragment(pod, &ignored)) return false;
    if (!plugin.classes->Derive(pod, cycle->derived, &cycle->key)) return false;
    cycle->key.Refresh(handle_.snapshot().table());
    cycle->state = CycleState(0, &cycle->derived);
    PreFilterResult result;
    Status status = plugin.pre_filter->PreFilter(cycle->state, pod, nodes(), &result);
    cycle->filters = status.IsSuccess();
    return (status.IsSuccess() || status.IsSkip()) && !result.node_names;
  }

  Key KeyOf(const Cycle& cycle, const NodeInfo& node) const {
    Key key(cycle.key.size());
    cycle.key.Read(node.row(), key.data());
    return key;
  }

  std::vector<const NodeInfo*> Passing(const PluginSubject& subject, const Pod& pod,
                                       const Cycle& cycle) const {
    std::vector<const NodeInfo*> passing;
    for (const NodeInfo* node : nodes()) {
      bool passes =
          !cycle.filters || subject.instance.filter->Filter(cycle.state, pod, *node).IsSuccess();
      if (passes) passing.push_back(node);
    }
    return passing;
  }

  // Scores of `asked`, raw and normalized; empty if PreScore does not succeed.
  static std::vector<NodeScore> ScoresOf(const PluginSubject& subject, const Pod& pod,
                                         const CycleState& state, NodeList asked,
                                         std::vector<int64_t>* raw) {
    std::vector<NodeScore> scores;
    for (const NodeInfo* node : asked) {
      Result<int64_t, Status> score = subject.instance.score->Score(state, pod, *node);
      EXPECT_TRUE(score.ok()) << subject.name;
      scores.push_back({node, *score});
      raw->push_back(*score);
    }
    const ScoreExtensions* normalizer = subject.instance.score->Normalizer();
    if (normalizer != nullptr) {
      EXPECT_TRUE(normalizer->NormalizeScore(state, pod, scores).IsSuccess()) << subject.name;
    }
    return scores;
  }
};

// Goal: rows with equal keys get equal verdicts.
TEST_F(ClassPluginsTest, EqualKeysGetEqualVerdicts) {
  std::map<std::string, size_t> shared;
  for (size_t round = 0; round < 200; ++round) {
    const Pod pod = RandomPod("p");
    for (const auto& subject : subjects_) {
      Cycle cycle;
      if (!Begin(*subject, pod, &cycle) || !cycle.filters) continue;
      std::map<Key, Status> by_key;
      for (const NodeInfo* node : nodes()) {
        Status status = subject->instance.filter->Filter(cycle.state, pod, *node);
        auto [known, is_new] = by_key.try_emplace(KeyOf(cycle, *node), status);
        if (is_new) continue;
        ++shared[subject->name];
        EXPECT_EQ(status, known->second) << subject->name << ", node " << node->name().view();
      }
    }
  }
  EXPECT_GT(shared["PodTopologySpread"], 1000u);
  EXPECT_GT(shared["InterPodAffinity"], 1000u);
  EXPECT_GT(shared["VolumeBinding"], 1000u);
}

// Goal: scoring one row of each class, with the class's population, gives the same scores as
// scoring all rows, before and after normalization.
TEST_F(ClassPluginsTest, GroupsScoreLikeTheirNodes) {
  std::map<std::string, size_t> compared;
  for (size_t round = 0; round < 200; ++round) {
    const Pod pod = RandomPod("p");
    for (const auto& subject : subjects_) {
      Cycle cycle;
      if (!Begin(*subject, pod, &cycle)) continue;
      std::vector<const NodeInfo*> passing = Passing(*subject, pod, cycle);
      if (passing.size() < 2) continue;
      std::map<Key, size_t> group_of;
      std::vector<NodeGroup> groups;
      std::vector<const NodeInfo*> representatives;
      for (const NodeInfo* node : passing) {
        auto [place, is_new] = group_of.try_emplace(KeyOf(cycle, *node), groups.size());
        if (is_new) {
          groups.push_back({node, 0});
          representatives.push_back(node);
        }
        ++groups[place->second].count;
      }
      CycleState plain;
      PreFilterResult ignored;
      subject->instance.pre_filter->PreFilter(plain, pod, nodes(), &ignored);
      Status of_nodes = subject->instance.pre_score->PreScore(plain, pod, passing);
      Status of_groups = subject->instance.classes->PreScoreGroups(cycle.state, pod, groups);
      ASSERT_EQ(of_groups, of_nodes) << subject->name;
      if (!of_nodes.IsSuccess()) continue;
      std::vector<int64_t> raw;
      std::vector<int64_t> raw_of_groups;
      auto scores = ScoresOf(*subject, pod, plain, passing, &raw);
      auto group_scores = ScoresOf(*subject, pod, cycle.state, representatives, &raw_of_groups);
      for (size_t at = 0; at < passing.size(); ++at) {
        size_t group = group_of[KeyOf(cycle, *passing[at])];
        EXPECT_EQ(raw[at], raw_of_groups[group]) << subject->name;
        EXPECT_EQ(scores[at].score, group_scores[group].score) << subject->name;
        ++compared[subject->name];
      }
    }
  }
  EXPECT_GT(compared["PodTopologySpread"], 1000u);
  EXPECT_GT(compared["InterPodAffinity"], 1000u);
}

// Goal: what a plugin derives from a pod serves all pods of an equal class fragment. Method: change
// one field at a time; if the fragment stays the same, the verdicts with what was derived before
// must be those without it.
TEST_F(ClassPluginsTest, ClassFragmentsHoldEveryFieldThatDeriveReads) {
  std::map<std::string, size_t> changes;
  for (size_t round = 0; round < 60; ++round) {
    const Pod pod = RandomPod("p");
    for (const auto& subject : subjects_) {
      const ClassPlugin* classes = subject->instance.classes;
      PodSignature before;
      if (classes == nullptr || !classes->AppendClassFragment(pod, &before)) continue;
      Verdicts verdicts = VerdictsOf(*subject, pod);
      Cycle cycle;
      if (!Begin(*subject, pod, &cycle)) continue;
      for (const Perturbation& perturbation : kPerturbations) {
        Pod changed = pod;
        perturbation.apply(changed, RandomPod("q"));
        PodSignature after;
        if (!classes->AppendClassFragment(changed, &after)) continue;
        if (VerdictsOf(*subject, changed) == verdicts) continue;
        ++changes[subject->name];
        if (!(before == after)) continue;
        EXPECT_EQ(VerdictsOf(*subject, changed, &cycle.derived), VerdictsOf(*subject, changed))
            << subject->name << " derives from " << perturbation.name;
      }
    }
  }
  EXPECT_GT(changes["PodTopologySpread"], 0u);
  EXPECT_GT(changes["InterPodAffinity"], 0u);
}

}  // namespace
}  // namespace stowage
