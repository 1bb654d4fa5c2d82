// Properties of every plugin of the registry, independent of its rule. A new plugin is tested here
// as soon as the registry lists it.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/config/defaults.h"
#include "core/framework/score_notes.h"
#include "core/plugins/in_tree_registry.h"
#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/node_resources_fit.h"
#include "core/plugins/node_unschedulable.h"
#include "core/plugins/taint_toleration.h"
#include "tests/core/config/in_tree_points.h"
#include "tests/core/plugins/perturbations.h"
#include "tests/core/plugins/registry_fixture.h"
#include "tests/support/fake_handle.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"
#include "tests/support/plugin_forms.h"

namespace stowage {
namespace {

// Goal: the reference's plugins exist, with its extension points; other plugins may be added.
TEST(InTreeRegistry, HoldsThePluginsOfTheReference) {
  Registry registry = InTreeRegistry();
  for (const ReferencePlugin& plugin : kReferencePlugins) {
    const Registry::Entry* entry = registry.Find(plugin.name);
    ASSERT_NE(entry, nullptr) << plugin.name;
    EXPECT_EQ(entry->points, plugin.points) << plugin.name;
  }
  for (const Registry::Entry& entry : registry.entries()) {
    EXPECT_EQ(registry.Find(entry.name), &entry) << "listed twice: " << entry.name;
  }
  for (const PluginRef& plugin : DefaultMultiPoint(Features()).enabled) {
    EXPECT_NE(registry.Find(plugin.name), nullptr) << plugin.name;
  }
}

// Goal: the chunk forms give the results of the per-node forms, for any subset of candidates.
TEST_F(RegistryTest, ChunkFormEqualsNodeForm) {
  FormsTally tally;
  for (size_t round = 0; round < 200; ++round) {
    const Pod pod = RandomPod("p");
    for (const auto& subject : subjects_) {
      ASSERT_EQ(CompareForms(*subject, pod, handle_.snapshot(), &random_.rng(), &tally), "");
    }
  }
  for (const auto& subject : subjects_) {
    EXPECT_EQ(tally.refusals[subject->name] > 0, subject->instance.filter != nullptr)
        << subject->name << ": RandomCluster must make pods and nodes that it refuses";
  }
}

// Goal: what a plugin knows of all nodes holds, and the last of many nodes is not overlooked.
TEST_F(RegistryTest, WhatIsKnownOfAllNodesHolds) {
  struct {
    std::string_view plugin;
    MakeNode last;
  } cases[] = {
      {NodeUnschedulable::kName, MakeNode().Unschedulable(true)},
      {TaintToleration::kName, MakeNode().Taint("key", "value", "NoSchedule")},
      {NodeResourcesFit::kName, MakeNode().Allocatable({{"cpu", "1"}, {"pods", "9"}})},
  };
  const Pod pod = MakePod().Name("p").Req({{"cpu", "2"}});
  for (const auto& c : cases) {
    FakeHandle handle;
    FormsTally tally;
    auto subjects =
        BuildSubjects(InTreeRegistry(), KubeSchedulerProfile(), handle_.features(), handle);
    for (size_t row = 0; row < 130; ++row) {
      const std::string name = "n" + std::to_string(row);
      handle.Add(MakeNode().Name(name).Allocatable({{"cpu", "4"}, {"pods", "9"}}));
      if (row < 128) continue;
      for (const auto& subject : subjects) {
        ASSERT_EQ(CompareForms(*subject, pod, handle.snapshot(), &random_.rng(), &tally), "");
      }
    }
    EXPECT_EQ(tally.known[std::string(c.plugin)], 2u) << c.plugin;
    handle.Add(MakeNode(c.last).Name("last"));
    for (const auto& subject : subjects) {
      ASSERT_EQ(CompareForms(*subject, pod, handle.snapshot(), &random_.rng(), &tally), "");
    }
    EXPECT_EQ(tally.known[std::string(c.plugin)], 2u) << c.plugin;
    EXPECT_EQ(tally.known["NodeName"], 3u);
  }
}

// Goal: the operands that a plugin notes give its score of the node. Method: all Score plugins,
// random pods and nodes.
TEST_F(RegistryTest, ScoreNotesEqualTheScores) {
  std::map<std::string, size_t> tally;
  for (size_t round = 0; round < 100; ++round) {
    const Pod pod = RandomPod("p");
    for (const auto& subject : subjects_) {
      const PluginInstance& plugin = subject->instance;
      if (plugin.score == nullptr) continue;
      ASSERT_NE(plugin.score_notes, nullptr) << subject->name;
      CycleState state;
      if (plugin.pre_score != nullptr &&
          !plugin.pre_score->PreScore(state, pod, nodes()).IsSuccess()) {
        continue;
      }
      std::vector<NodeScore> raw;
      for (const NodeInfo* node : nodes()) {
        Result<int64_t, Status> score = plugin.score->Score(state, pod, *node);
        if (score.ok()) raw.push_back({node, *score});
      }
      if (raw.size() < nodes().size()) continue;
      std::vector<NodeScore> normalized = raw;
      const ScoreExtensions* normalizer = plugin.score->Normalizer();
      if (normalizer != nullptr) {
        ASSERT_TRUE(normalizer->NormalizeScore(state, pod, normalized).IsSuccess());
      }
      for (size_t position = 0; position < raw.size(); ++position) {
        NotedScore scored{state, pod, raw, position, normalized[position].score};
        ScoreNotes notes;
        EXPECT_EQ(plugin.score_notes->NoteScore(scored, &notes), scored.score()) << subject->name;
        EXPECT_FALSE(notes.lines().empty()) << subject->name;
        if (normalizer == nullptr) continue;
        EXPECT_EQ(plugin.score_notes->NoteNormalizedScore(scored, &notes), scored.normalized)
            << subject->name;
        ++tally[subject->name];
      }
    }
  }
  for (std::string_view name :
       {"TaintToleration", "NodeAffinity", "InterPodAffinity", "PodTopologySpread"}) {
    EXPECT_GT(tally[std::string(name)], 0u) << name;
  }
}

// Goal: Filter and Score change no state. Method: call them again, in the other order and on a
// clone.
TEST_F(RegistryTest, FilterAndScoreChangeNothing) {
  for (size_t round = 0; round < 50; ++round) {
    const Pod pod = RandomPod("p");
    for (const auto& subject : subjects_) {
      const PluginInstance& plugin = subject->instance;
      Verdicts first = VerdictsOf(*subject, pod);
      EXPECT_EQ(VerdictsOf(*subject, pod), first) << subject->name;
      if (first.filter.empty()) continue;
      CycleState state;
      PreFilterResult ignored;
      if (plugin.pre_filter != nullptr) {
        ASSERT_TRUE(plugin.pre_filter->PreFilter(state, pod, nodes(), &ignored).IsSuccess());
      }
      CycleState clone = state.Clone();
      for (size_t row = kRegistryNodes; row > 0; --row) {
        const NodeInfo& node = *nodes()[row - 1];
        EXPECT_EQ(plugin.filter->Filter(state, pod, node), first.filter[row - 1]) << subject->name;
        EXPECT_EQ(plugin.filter->Filter(clone, pod, node), first.filter[row - 1]) << subject->name;
      }
    }
  }
}

// Goal: pods with equal fragments get equal verdicts. Method: many pods from small domains.
TEST_F(RegistryTest, EqualFragmentsGetEqualVerdicts) {
  for (const auto& subject : subjects_) {
    if (subject->instance.fragment == nullptr) continue;
    std::unordered_map<PodSignature, Verdicts, PodSignatureHash> by_fragment;
    size_t doubles = 0;
    for (size_t round = 0; round < 400; ++round) {
      const Pod pod = RandomPod("p" + std::to_string(round));
      PodSignature fragment;
      if (!subject->instance.fragment->AppendFragment(pod, &fragment)) continue;
      auto [entry, is_new] = by_fragment.try_emplace(fragment, VerdictsOf(*subject, pod));
      if (is_new) continue;
      ++doubles;
      EXPECT_EQ(VerdictsOf(*subject, pod), entry->second) << subject->name << ", pod " << round;
    }
    // In a cluster with many terms, some term matches every pod.
    if (subject->name == InterPodAffinity::kName) continue;
    EXPECT_GT(doubles, 0u) << subject->name;
  }
}

// Goal: one plugin without fragments would keep all verdicts from being cached.
TEST_F(RegistryTest, DefaultPluginsHaveFragments) {
  size_t num_defaults = 0;
  for (const PluginRef& plugin : DefaultMultiPoint(handle_.features()).enabled) {
    auto found = std::ranges::find(subjects_, plugin.name,
                                   [](const auto& subject) { return subject->name; });
    if (found == subjects_.end()) continue;
    ++num_defaults;
    EXPECT_NE((*found)->instance.fragment, nullptr) << plugin.name;
  }
  EXPECT_GT(num_defaults, 0u);
}

// Goal: a plugin names the rows whose verdict or score changes with the number of nodes.
TEST_F(RegistryTest, PluginsNameTheRowsThatDependOnTheNumberOfNodes) {
  std::map<std::string, size_t> changes;
  for (size_t round = 0; round < 60; ++round) {
    const Pod pod = RandomPod("p");
    std::vector<NodeVerdicts> before;
    for (const auto& subject : subjects_) before.push_back(ByNode(*subject, pod));
    handle_.Add(random_.RandomNode("added-" + std::to_string(round)));
    for (size_t index = 0; index < subjects_.size(); ++index) {
      const FragmentPlugin* plugin = subjects_[index]->instance.fragment;
      PodSignature ignored;
      if (plugin == nullptr || !plugin->AppendFragment(pod, &ignored)) continue;
      std::vector<uint32_t> rows;
      plugin->AppendRowsCountingNodes(pod, handle_.snapshot().table(), &rows);
      NodeVerdicts after = ByNode(*subjects_[index], pod);
      for (const auto& [name, verdict] : before[index]) {
        if (after.at(name) == verdict) continue;
        ++changes[subjects_[index]->name];
        uint32_t row = handle_.snapshot().Get(name)->row();
        EXPECT_NE(std::ranges::find(rows, row), rows.end()) << subjects_[index]->name;
      }
    }
  }
  EXPECT_GT(changes["ImageLocality"], 0u);
}

// Goal: verdicts and scores of a plugin that reads the Node alone stay as pods come.
TEST_F(RegistryTest, PluginsThatReadTheNodeAloneIgnoreItsPods) {
  std::map<std::string, size_t> changes;
  for (size_t round = 0; round < 60; ++round) {
    const Pod pod = RandomPod("p");
    std::vector<NodeVerdicts> before;
    for (const auto& subject : subjects_) before.push_back(ByNode(*subject, pod));
    Pod added = RandomPod("added-" + std::to_string(round));
    added.spec.node_name = Symbol("n" + std::to_string(random_.rng().Below(kRegistryNodes)));
    handle_.Add(std::move(added));
    for (size_t index = 0; index < subjects_.size(); ++index) {
      const FragmentPlugin* plugin = subjects_[index]->instance.fragment;
      if (ByNode(*subjects_[index], pod) == before[index]) continue;
      ++changes[subjects_[index]->name];
      EXPECT_FALSE(plugin != nullptr && plugin->ReadsNodeAlone()) << subjects_[index]->name;
    }
  }
  EXPECT_GT(changes["NodeResourcesFit"], 0u);
}

// Goal: the next test changes every field of a pod. Method: count them.
TEST(Perturbations, CoverEveryField) {
  auto count = [](std::string_view prefix) {
    return static_cast<size_t>(
        std::ranges::count_if(kPerturbations, [prefix](const Perturbation& perturbation) {
          return perturbation.name.starts_with(prefix);
        }));
  };
  EXPECT_EQ(count("spec."), NumSpecFields(PodSpec()));
  EXPECT_EQ(count("metadata."), NumMetaFields(ObjectMeta()));
  EXPECT_EQ(count("status"), 1u);
}

// Goal: a plugin that reads a field has it in its fragment. Method: change one field at a time; if
// the verdicts change, the fragment must change too.
TEST_F(RegistryTest, FragmentsHoldEveryFieldThatMatters) {
  std::map<std::string, size_t> changes;
  for (size_t round = 0; round < 60; ++round) {
    const Pod pod = RandomPod("p");
    std::vector<Verdicts> before;
    for (const auto& subject : subjects_) before.push_back(VerdictsOf(*subject, pod));
    for (const Perturbation& perturbation : kPerturbations) {
      Pod changed = pod;
      perturbation.apply(changed, RandomPod("q"));
      for (size_t index = 0; index < subjects_.size(); ++index) {
        const PluginSubject& subject = *subjects_[index];
        PodSignature old_fragment;
        PodSignature new_fragment;
        const FragmentPlugin* fragment = subject.instance.fragment;
        bool is_signed = fragment != nullptr && fragment->AppendFragment(pod, &old_fragment) &&
                         fragment->AppendFragment(changed, &new_fragment);
        if (!is_signed || VerdictsOf(subject, changed) == before[index]) continue;
        ++changes[subject.name];
        EXPECT_FALSE(old_fragment == new_fragment)
            << subject.name << " reads " << perturbation.name;
      }
    }
  }
  // These have fragments only for pods that their rule does not affect.
  constexpr std::string_view kClusterDependent[] = {"PodTopologySpread", "InterPodAffinity",
                                                    "VolumeRestrictions"};
  for (const auto& subject : subjects_) {
    if (subject->instance.fragment == nullptr) continue;
    bool is_cluster_dependent =
        std::ranges::find(kClusterDependent, subject->name) != std::end(kClusterDependent);
    EXPECT_EQ(changes[subject->name] > 0, !is_cluster_dependent) << subject->name;
  }
}

}  // namespace
}  // namespace stowage
