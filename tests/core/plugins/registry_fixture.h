// Shared parts of the tests of all plugins of the registry: a random cluster with volumes, and the
// results of a plugin in it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/well_known_labels.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/in_tree_registry.h"
#include "tests/support/fake_handle.h"
#include "tests/support/from_json.h"
#include "tests/support/plugin_forms.h"
#include "tests/support/random_cluster.h"

namespace stowage {

inline constexpr size_t kRegistryNodes = 70;  // one full chunk and one partial chunk
inline constexpr uint64_t kRegistrySeed = 20260301;

// All results of a plugin for a pod and its nodes, in snapshot order.
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
  RegistryTest() : random_(kRegistrySeed) {
    for (size_t index = 0; index < kRegistryNodes; ++index) {
      Node node = random_.RandomNode("n" + std::to_string(index));
      node.metadata.labels.Set(Symbol(kLabelTopologyZone),
                               *node.metadata.labels.Find(Symbol("zone")));
      handle_.Add(std::move(node));
    }
    AddVolumes();
    AddDevices();
    for (size_t index = 0; index < 2 * kRegistryNodes; ++index) {
      Pod pod = RandomPod("running-" + std::to_string(index));
      pod.spec.node_name = Symbol("n" + std::to_string(random_.rng().Below(kRegistryNodes)));
      handle_.Add(std::move(pod));
    }
    subjects_ =
        BuildSubjects(InTreeRegistry(), KubeSchedulerProfile(), handle_.features(), handle_);
  }

  NodeList nodes() const { return handle_.snapshot().nodes(); }

  // Adds volumes of the zones z0, z1 and z2 and their claims c0, c1 and c2. Only one pod may use
  // c2; a node attaches one or two volumes. c3 and c4 wait for their first pod: there is a free
  // volume for c3 in z2, else c3 is provisioned in z0; c4 in any zone.
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
    for (int index : {3, 4}) {
      handle_.fake_listers().Add(MakePersistentVolumeClaim(fmt::format(
          R"({{"metadata":{{"name":"c{0}","namespace":"default"}},"spec":{{
              "storageClassName":"s{0}","accessModes":["ReadWriteOnce"]}}}})",
          index)));
      handle_.fake_listers().Add(MakeStorageClass(fmt::format(
          R"({{"metadata":{{"name":"s{0}"}},"provisioner":"d",{1}
              "volumeBindingMode":"WaitForFirstConsumer"}})",
          index,
          index == 3 ? R"("allowedTopologies":[{"matchLabelExpressions":[
              {"key":"zone","values":["z0"]}]}],)"
                     : "")));
    }
    handle_.fake_listers().Add(MakePersistentVolume(
        R"({"metadata":{"name":"free"},"status":{"phase":"Available"},"spec":{
            "storageClassName":"s3","accessModes":["ReadWriteOnce"],
            "csi":{"driver":"d","volumeHandle":"free"},
            "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[
              {"key":"zone","operator":"In","values":["z2"]}]}]}}}})"));
    for (size_t index = 0; index < kRegistryNodes; ++index) {
      handle_.fake_listers().Add(MakeCsiNode(fmt::format(
          R"({{"metadata":{{"name":"n{}"}},"spec":{{"drivers":[
                {{"name":"d","allocatable":{{"count":{}}}}}]}}}})",
          index, 1 + random_.rng().Below(2))));
    }
  }

  // Adds a device for every second node, and claims: "free" has no device yet, "held" has the one
  // of n0.
  void AddDevices() {
    DraManager& dra = handle_.dra();
    dra.PutDeviceClass(
        std::make_shared<const DeviceClass>(MakeDeviceClass(R"({"metadata":{"name":"gpu"}})")));
    for (size_t index = 0; index < kRegistryNodes; index += 2) {
      dra.MutableSlices().Put(std::make_shared<const ResourceSlice>(MakeResourceSlice(fmt::format(
          R"({{"metadata":{{"name":"n{0}"}},"spec":{{"driver":"d","nodeName":"n{0}",
                "pool":{{"name":"n{0}","generation":1,"resourceSliceCount":1}},
                "devices":[{{"name":"x"}}]}}}})",
          index))));
    }
    constexpr std::string_view kAllocation = R"({"devices":{"results":[{"request":"r",
        "driver":"d","pool":"n0","device":"x"}]},"nodeSelector":{"nodeSelectorTerms":[
        {"matchFields":[{"key":"metadata.name","operator":"In","values":["n0"]}]}]}})";
    for (std::string_view name : {"free", "held"}) {
      dra.claims().Put(std::make_shared<const ResourceClaim>(MakeResourceClaim(fmt::format(
          R"({{"metadata":{{"name":"{0}","namespace":"default","uid":"{0}"}},"spec":{{"devices":{{
                "requests":[{{"name":"r","exactly":{{"deviceClassName":"gpu",
                "allocationMode":"ExactCount","count":1}}}}]}}}},"status":{{"allocation":{1}}}}})",
          name, name == "held" ? kAllocation : "null"))));
    }
  }

  // Every third pod has a claim, every third a disk, every third devices.
  Pod RandomPod(std::string_view name) {
    Pod pod = random_.RandomPod(name);
    constexpr std::string_view kNumbers[] = {"0", "1", "2", "3", "4"};
    std::string_view number = kNumbers[random_.rng().Below(3)];
    if (random_.Chance(3)) {
      if (random_.Chance(3)) number = kNumbers[3 + random_.rng().Below(2)];
      pod.spec.volumes.push_back(
          MakeVolume(fmt::format(R"("persistentVolumeClaim":{{"claimName":"c{}"}})", number)));
    }
    if (random_.Chance(3)) {
      pod.spec.volumes.push_back(
          MakeVolume(fmt::format(R"("gcePersistentDisk":{{"pdName":"d{}"}})", number)));
    }
    if (random_.Chance(3)) {
      PodResourceClaim& entry = pod.spec.resource_claims.emplace_back();
      entry.name = Symbol("devices");
      entry.resource_claim_name = Symbol(random_.Chance(2) ? "free" : "held");
    }
    return pod;
  }

  // With what `derived` holds, unless null.
  Verdicts VerdictsOf(const PluginSubject& subject, const Pod& pod,
                      const CycleState* derived = nullptr) const {
    Verdicts verdicts;
    CycleState state(0, derived);
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

  // The results by node name.
  using NodeVerdicts = std::map<Symbol, std::pair<Status, int64_t>>;

  NodeVerdicts ByNode(const PluginSubject& subject, const Pod& pod) const {
    Verdicts verdicts = VerdictsOf(subject, pod);
    NodeVerdicts by_node;
    for (size_t row = 0; row < nodes().size(); ++row) {
      auto& [status, score] = by_node[nodes()[row]->name()];
      if (!verdicts.filter.empty()) status = verdicts.filter[row];
      if (!verdicts.raw_scores.empty()) score = verdicts.raw_scores[row];
    }
    return by_node;
  }

  FakeHandle handle_;
  RandomCluster random_;
  std::vector<std::unique_ptr<PluginSubject>> subjects_;
};

}  // namespace stowage
