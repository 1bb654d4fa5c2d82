// What holds for every plugin of the registry, whatever its rule.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/api/well_known_labels.h"
#include "core/config/defaults.h"
#include "core/plugins/in_tree_registry.h"
#include "core/plugins/inter_pod_affinity.h"
#include "tests/core/config/in_tree_points.h"
#include "tests/support/fake_handle.h"
#include "tests/support/from_json.h"
#include "tests/support/plugin_forms.h"
#include "tests/support/random_cluster.h"

namespace stowage {
namespace {

constexpr size_t kNodes = 70;  // one full chunk and one that is not
constexpr uint64_t kSeed = 20260301;

TEST(InTreeRegistry, HoldsThePluginsOfTheReference) {
  Registry registry = InTreeRegistry();
  EXPECT_EQ(registry.entries().size(), 23u);
  for (const Registry::Entry& entry : registry.entries()) {
    EXPECT_EQ(InTreePoints(entry.name), entry.points) << entry.name;
    EXPECT_EQ(registry.Find(entry.name), &entry) << "listed twice: " << entry.name;
  }
  for (const PluginRef& plugin : DefaultMultiPoint(Features()).enabled) {
    EXPECT_NE(registry.Find(plugin.name), nullptr) << plugin.name;
  }
}

// Everything that a plugin says about a pod and its nodes, in snapshot order.
struct Verdicts {
  Status pre_filter;
  std::optional<std::vector<Symbol>> narrowed;
  std::vector<Status> filter;
  Status pre_score;
  std::vector<int64_t> raw_scores;
  Status score_fault;

  friend bool operator==(const Verdicts&, const Verdicts&) = default;
};

// A random cluster and all plugins that filter or score, with default arguments.
class RegistryTest : public testing::Test {
 protected:
  RegistryTest() : random_(kSeed) {
    for (size_t index = 0; index < kNodes; ++index) {
      Node node = random_.RandomNode("n" + std::to_string(index));
      node.metadata.labels.Set(Symbol(kLabelTopologyZone),
                               *node.metadata.labels.Find(Symbol("zone")));
      handle_.Add(std::move(node));
    }
    AddVolumes();
    for (size_t index = 0; index < 2 * kNodes; ++index) {
      Pod pod = RandomPod("running-" + std::to_string(index));
      pod.spec.node_name = Symbol("n" + std::to_string(random_.rng().Below(kNodes)));
      handle_.Add(std::move(pod));
    }
    subjects_ =
        BuildSubjects(InTreeRegistry(), KubeSchedulerProfile(), handle_.features(), handle_);
  }

  NodeList nodes() const { return handle_.snapshot().nodes(); }

  // Volumes of the zones z0, z1 and z2 and their claims c0, c1 and c2, of which the last is for one
  // pod; a node takes one volume or two.
  void AddVolumes() {
    for (int index : {0, 1, 2}) {
      handle_.fake_listers().Add(MakePersistentVolume(fmt::format(
          R"({{"metadata":{{"name":"v{0}","labels":{{"{1}":"z{0}"}}}},"spec":{{
              "csi":{{"driver":"d","volumeHandle":"h{0}"}},
              "nodeAffinity":{{"required":{{"nodeSelectorTerms":[{{"matchExpressions":[
                {{"key":"zone","operator":"In","values":["z{0}"]}}]}}]}}}}}}}})",
          index, kLabelTopologyZone)));
      handle_.fake_listers().Add(MakePersistentVolumeClaim(fmt::format(
          R"({{"metadata":{{"name":"c{0}","namespace":"default",
                "annotations":{{"pv.kubernetes.io/bind-completed":"yes"}}}},
              "spec":{{"volumeName":"v{0}","accessModes":["{1}"]}}}})",
          index, index == 2 ? "ReadWriteOncePod" : "ReadWriteMany")));
    }
    for (size_t index = 0; index < kNodes; ++index) {
      handle_.fake_listers().Add(MakeCsiNode(fmt::format(
          R"({{"metadata":{{"name":"n{}"}},"spec":{{"drivers":[
                {{"name":"d","allocatable":{{"count":{}}}}}]}}}})",
          index, 1 + random_.rng().Below(2))));
    }
  }

  // Every third one has a claim, every third one a disk.
  Pod RandomPod(std::string_view name) {
    Pod pod = random_.RandomPod(name);
    constexpr std::string_view kNumbers[] = {"0", "1", "2"};
    std::string_view number = kNumbers[random_.rng().Below(3)];
    if (random_.Chance(3)) {
      pod.spec.volumes.push_back(
          MakeVolume(fmt::format(R"("persistentVolumeClaim":{{"claimName":"c{}"}})", number)));
    }
    if (random_.Chance(3)) {
      pod.spec.volumes.push_back(
          MakeVolume(fmt::format(R"("gcePersistentDisk":{{"pdName":"d{}"}})", number)));
    }
    return pod;
  }

  Verdicts VerdictsOf(const PluginSubject& subject, const Pod& pod) const {
    Verdicts verdicts;
    CycleState state;
    const PluginInstance& plugin = subject.instance;
    if (plugin.pre_filter != nullptr) {
      PreFilterResult result;
      verdicts.pre_filter = plugin.pre_filter->PreFilter(state, pod, nodes(), &result);
      verdicts.narrowed = result.node_names;
    }
    if (plugin.filter != nullptr && verdicts.pre_filter.IsSuccess()) {
      for (const NodeInfo* node : nodes()) {
        verdicts.filter.push_back(plugin.filter->Filter(state, pod, *node));
      }
    }
    if (plugin.pre_score != nullptr) {
      verdicts.pre_score = plugin.pre_score->PreScore(state, pod, nodes());
    }
    if (plugin.score != nullptr && verdicts.pre_score.IsSuccess()) {
      for (const NodeInfo* node : nodes()) {
        Result<int64_t, Status> score = plugin.score->Score(state, pod, *node);
        if (!score.ok()) {
          verdicts.score_fault = score.fault();
          break;
        }
        verdicts.raw_scores.push_back(*score);
      }
    }
    return verdicts;
  }

  FakeHandle handle_;
  RandomCluster random_;
  std::vector<std::unique_ptr<PluginSubject>> subjects_;
};

// Goal: the forms over 64 nodes say what the per-node forms say, for any subset of candidates.
TEST_F(RegistryTest, ChunkFormEqualsNodeForm) {
  FormsTally tally;
  for (size_t round = 0; round < 200; ++round) {
    const Pod pod = RandomPod("p");
    for (const auto& subject : subjects_) {
      ASSERT_EQ(CompareForms(*subject, pod, handle_.snapshot(), &random_.rng(), &tally), "");
    }
  }
  for (const auto& subject : subjects_) {
    bool has_rule =
        subject->instance.filter != nullptr && subject->instance.not_implemented == nullptr;
    EXPECT_EQ(tally.refusals[subject->name] > 0, has_rule) << subject->name;
  }
}

// Goal: Filter and Score leave no traces. Method: ask again, in the other order and on a clone.
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
      for (size_t row = kNodes; row > 0; --row) {
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
    ASSERT_NE(subject->instance.fragment, nullptr) << subject->name;
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
    // In a cluster full of terms some term concerns every pod.
    if (subject->name == InterPodAffinity::kName) continue;
    EXPECT_GT(doubles, 0u) << subject->name;
  }
}

// A field of the pod, taken over from another pod.
struct Perturbation {
  std::string_view name;
  void (*apply)(Pod& pod, const Pod& other);
};

template <auto Field>
void TakeMeta(Pod& pod, const Pod& other) {
  pod.metadata.*Field = other.metadata.*Field;
}

template <auto Field>
void TakeSpec(Pod& pod, const Pod& other) {
  pod.spec.*Field = other.spec.*Field;
}

// A field of the first entry of a list, where both pods have one.
template <auto List, auto Field>
void TakeFirst(Pod& pod, const Pod& other) {
  auto& to = (pod.spec.*List).Mutable();
  const auto& from = other.spec.*List;
  if (!to.empty() && !from.empty()) to.front().*Field = from.front().*Field;
}

// A field of the first port of the last container.
template <auto Field>
void TakePort(Pod& pod, const Pod& other) {
  if (pod.spec.containers.empty() || other.spec.containers.empty()) return;
  auto& to = pod.spec.containers.Mutable().back().ports;
  const auto& from = other.spec.containers.back().ports;
  if (!to.empty() && !from.empty()) to.front().*Field = from.front().*Field;
}

constexpr auto kTolerations = &PodSpec::tolerations;
constexpr auto kContainers = &PodSpec::containers;
constexpr auto kInitContainers = &PodSpec::init_containers;

const Perturbation kPerturbations[] = {
    {"metadata.name", TakeMeta<&ObjectMeta::name>},
    {"metadata.namespace", TakeMeta<&ObjectMeta::namespace_>},
    {"metadata.uid", TakeMeta<&ObjectMeta::uid>},
    {"metadata.labels", TakeMeta<&ObjectMeta::labels>},
    {"metadata.annotations", TakeMeta<&ObjectMeta::annotations>},
    {"spec.nodeName", TakeSpec<&PodSpec::node_name>},
    {"spec.priority", TakeSpec<&PodSpec::priority>},
    {"spec.nodeSelector", TakeSpec<&PodSpec::node_selector>},
    {"spec.affinity", TakeSpec<&PodSpec::affinity>},
    {"spec.tolerations", TakeSpec<kTolerations>},
    {"tolerations[0].key", TakeFirst<kTolerations, &Toleration::key>},
    {"tolerations[0].operator", TakeFirst<kTolerations, &Toleration::op>},
    {"tolerations[0].value", TakeFirst<kTolerations, &Toleration::value>},
    {"tolerations[0].effect", TakeFirst<kTolerations, &Toleration::effect>},
    {"spec.containers", TakeSpec<kContainers>},
    {"containers[0].image", TakeFirst<kContainers, &Container::image>},
    {"containers[0].resources", TakeFirst<kContainers, &Container::resources>},
    {"containers[0].ports", TakeFirst<kContainers, &Container::ports>},
    {"ports[0].hostPort", TakePort<&ContainerPort::host_port>},
    {"ports[0].protocol", TakePort<&ContainerPort::protocol>},
    {"ports[0].hostIP", TakePort<&ContainerPort::host_ip>},
    {"spec.initContainers", TakeSpec<kInitContainers>},
    {"initContainers[0].image", TakeFirst<kInitContainers, &Container::image>},
    {"initContainers[0].resources", TakeFirst<kInitContainers, &Container::resources>},
    {"initContainers[0].ports", TakeFirst<kInitContainers, &Container::ports>},
    {"initContainers[0].restartPolicy", TakeFirst<kInitContainers, &Container::restart_policy>},
    {"initContainers[0].restartPolicyRules",
     TakeFirst<kInitContainers, &Container::restart_policy_rules>},
    {"spec.resources", TakeSpec<&PodSpec::resources>},
    {"spec.overhead", TakeSpec<&PodSpec::overhead>},
    {"spec.volumes", TakeSpec<&PodSpec::volumes>},
    {"spec.hostNetwork", TakeSpec<&PodSpec::host_network>},
    {"spec.hostUsers", TakeSpec<&PodSpec::host_users>},
    {"status", [](Pod& pod, const Pod& other) { pod.status = other.status; }},
};

// Goal: a plugin that reads a field has it in its fragment. Method: change one field at a time;
// where the verdicts change, so must the fragment.
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
        bool is_signed = subject.instance.fragment->AppendFragment(pod, &old_fragment) &&
                         subject.instance.fragment->AppendFragment(changed, &new_fragment);
        if (!is_signed || VerdictsOf(subject, changed) == before[index]) continue;
        ++changes[subject.name];
        EXPECT_FALSE(old_fragment == new_fragment)
            << subject.name << " reads " << perturbation.name;
      }
    }
  }
  // Plugins that look at other objects vouch only for pods that they do not concern.
  constexpr std::string_view kLookFurther[] = {"PodTopologySpread",  "InterPodAffinity",
                                               "VolumeRestrictions", "NodeVolumeLimits",
                                               "VolumeBinding",      "VolumeZone"};
  for (const auto& subject : subjects_) {
    bool looks_further = std::ranges::find(kLookFurther, subject->name) != std::end(kLookFurther);
    bool has_fragment = subject->instance.not_implemented == nullptr && !looks_further;
    EXPECT_EQ(changes[subject->name] > 0, has_fragment) << subject->name;
  }
}

}  // namespace
}  // namespace stowage
