// Goal: for no list of any length does a plugin take more than n log n. Method: every plugin of the
// registry runs completely for a pod, with every shape of input, whose size doubles each time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config/defaults.h"
#include "core/framework/pod_signature.h"
#include "core/plugins/in_tree_registry.h"
#include "core/table/row_key.h"
#include "tests/core/plugins/growth_shapes.h"
#include "tests/support/fake_handle.h"
#include "tests/support/from_json.h"
#include "tests/support/growth.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

constexpr size_t kNodes = 3;
constexpr size_t kSize = 4'000;

Pod PodOf(std::string_view name, std::string_view labels, std::string_view spec) {
  return FromJson<Pod>(ObjectKind::kPod,
                       fmt::format(R"({{"metadata":{{"name":"{0}","namespace":"default","uid":"{0}",
                            "labels":{{{1}}}}},"spec":{{{2}}}}})",
                                   name, labels, spec));
}

// The items of a shape, one per line.
std::vector<std::string> ItemsOf(std::string_view lines) {
  std::vector<std::string> items;
  while (!lines.empty()) {
    size_t end = std::min(lines.find(",\n"), lines.size());
    items.emplace_back(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 2, lines.size()));
  }
  return items;
}

// A small cluster of one shape and size, and a pod to be placed in it.
class GrownCluster {
 public:
  explicit GrownCluster(const GrowthInput& input)
      : pod(PodOf("asked", input.pod_labels, input.pod_spec)),
        running(PodOf("running", R"("app":"web")", input.running_spec)) {
    for (size_t index = 0; index < kNodes; ++index) AddNode(index, input);
    running.spec.node_name = Symbol("n0");
    handle.Add(running);
    AddStorage(input);
  }

  FakeHandle handle;
  Pod pod;
  Pod running;

 private:
  void AddNode(size_t index, const GrowthInput& input) {
    std::string_view comma = input.node_labels.empty() ? "" : ",";
    handle.Add(FromJson<Node>(
        ObjectKind::kNode,
        fmt::format(R"({{"metadata":{{"name":"n{0}","uid":"n{0}","labels":{{"zone":"z{0}",
             "topology.kubernetes.io/zone":"z{0}","kubernetes.io/hostname":"n{0}"{1}{2}}}}},
             "spec":{{{3}}},"status":{{{4}}}}})",
                    index, comma, input.node_labels, input.node_spec, input.node_status)));
    handle.fake_listers().Add(MakeCsiNode(fmt::format(
        R"({{"metadata":{{"name":"n{}"}},"spec":{{"drivers":[
             {{"name":"d","allocatable":{{"count":1000000}}}}]}}}})",
        index)));
  }

  void AddStorage(const GrowthInput& input) {
    handle.fake_listers().Add(MakeStorageClass(
        R"({"metadata":{"name":"late","uid":"late"},"provisioner":"kubernetes.io/no-provisioner",
            "volumeBindingMode":"WaitForFirstConsumer"})"));
    for (const std::string& claim : ItemsOf(input.claims)) {
      handle.fake_listers().Add(MakePersistentVolumeClaim(claim));
    }
    for (const std::string& volume : ItemsOf(input.volumes)) {
      handle.fake_listers().Add(MakePersistentVolume(volume));
    }
  }
};

// A plugin that runs in such a cluster.
class PluginAtWork {
 public:
  PluginAtWork(const Registry::Entry& entry, std::shared_ptr<GrownCluster> cluster)
      : cluster_(std::move(cluster)) {
    args_ = NewPluginArgs(entry.name);
    SetArgsDefaults(handle_.features(), &args_);
    plugin_ = entry.factory({handle_.features(), handle_, args_}).Take();
  }

  void Run() {
    handle_.topology_index().Forget();
    if (plugin_.pre_enqueue != nullptr) plugin_.pre_enqueue->PreEnqueue(pod_);
    Sign();
    CycleState state;
    if (PassesPreFilter(&state)) {
      DryRun(state);
      Filter(state);
    }
    Score(&state);
    HearOfChanges();
  }

 private:
  void Sign() {
    PodSignature signature;
    if (plugin_.fragment != nullptr) plugin_.fragment->AppendFragment(pod_, &signature);
    if (plugin_.classes != nullptr) {
      CycleState derived;
      RowKey key;
      plugin_.classes->AppendClassFragment(pod_, &signature);
      plugin_.classes->Derive(pod_, derived, &key);
    }
    if (plugin_.sign != nullptr && plugin_.sign->CanSign(pod_)) {
      plugin_.sign->SignPod(pod_, &signature);
    }
  }

  NodeList nodes() const { return handle_.snapshot().nodes(); }

  bool PassesPreFilter(CycleState* state) {
    if (plugin_.pre_filter == nullptr) return plugin_.filter != nullptr;
    PreFilterResult ignored;
    Status status = plugin_.pre_filter->PreFilter(*state, pod_, nodes(), &ignored);
    return status.IsSuccess() && plugin_.filter != nullptr;
  }

  void DryRun(const CycleState& state) {
    const PreFilterExtensions* extensions =
        plugin_.pre_filter == nullptr ? nullptr : plugin_.pre_filter->Extensions();
    if (extensions == nullptr) return;
    CycleState clone = state.Clone();
    std::unique_ptr<NodeInfo> node = handle_.node("n0").Clone();
    PodInfoRef running = node->pods().front();
    node->RemovePod(running->uid());
    extensions->RemovePod(clone, pod_, *running, *node);
    node->AddPod(running);
    extensions->AddPod(clone, pod_, *running, *node);
    plugin_.filter->Filter(clone, pod_, *node);
  }

  void Filter(const CycleState& state) {
    for (const NodeInfo* node : nodes()) plugin_.filter->Filter(state, pod_, *node);
    NodeChunk chunk = handle_.snapshot().table().Chunk(0);
    ChunkStatuses statuses;
    plugin_.filter->FilterChunk(state, pod_, chunk, chunk.all(), &statuses);
  }

  void Score(CycleState* state) {
    if (plugin_.pre_score != nullptr &&
        !plugin_.pre_score->PreScore(*state, pod_, nodes()).IsSuccess()) {
      return;
    }
    if (plugin_.score == nullptr) return;
    std::vector<NodeScore> scores;
    for (const NodeInfo* node : nodes()) {
      Result<int64_t, Status> score = plugin_.score->Score(*state, pod_, *node);
      if (!score.ok()) return;
      scores.push_back({node, *score});
    }
    NodeChunk chunk = handle_.snapshot().table().Chunk(0);
    ChunkScores chunk_scores;
    plugin_.score->ScoreChunk(*state, pod_, chunk, chunk.all(), &chunk_scores);
    const uint64_t all = chunk.all();
    std::array<int32_t, NodeTable::kChunkRows> totals{};
    plugin_.score->AddScores(*state, pod_, chunk, std::span(&all, 1), 1, totals.data());
    if (plugin_.score->Normalizer() != nullptr) {
      plugin_.score->Normalizer()->NormalizeScore(*state, pod_, scores);
    }
  }

  void HearOfChanges() {
    if (plugin_.enqueue_extensions == nullptr) return;
    const Node& node = *handle_.node("n0").node();
    Node bare = node;
    bare.metadata.labels = {};
    bare.spec.taints.clear();
    for (const ClusterEventWithHint& registered : plugin_.enqueue_extensions->EventsToRegister()) {
      if (registered.hint == nullptr) continue;
      if (registered.event.resource == EventResource::kNode) {
        registered.hint(pod_, WasUpdated(bare, node));
        registered.hint(pod_, WasUpdated(node, bare));
      } else if (registered.event.resource == EventResource::kPod) {
        registered.hint(pod_, WasDeleted(running_));
        registered.hint(pod_, WasAdded(running_));
        registered.hint(pod_, WasUpdated(running_, pod_));
      }
    }
  }

  const std::shared_ptr<GrownCluster> cluster_;
  FakeHandle& handle_ = cluster_->handle;
  const Pod& pod_ = cluster_->pod;
  const Pod& running_ = cluster_->running;
  PluginArgs args_;
  PluginInstance plugin_;
};

TEST(Growth, NoPluginIsQuadratic) {
  const Registry registry = InTreeRegistry();
  for (const GrowthShape& shape : GrowthShapes()) {
    std::map<size_t, std::shared_ptr<GrownCluster>> clusters;
    for (const Registry::Entry& entry : registry.entries()) {
      auto make_work = [&](size_t size) -> std::function<void()> {
        std::shared_ptr<GrownCluster>& cluster = clusters[size];
        if (cluster == nullptr) cluster = std::make_shared<GrownCluster>(shape.Make(size));
        auto work = std::make_shared<PluginAtWork>(entry, cluster);
        return [work] { work->Run(); };
      };
      EXPECT_FALSE(GrowsWithTheSquare(make_work, kSize)) << entry.name << ": " << shape.name;
    }
  }
}

// Goal: the check detects quadratic growth. A processor that changes its speed meanwhile can hide
// it from one try.
TEST(Growth, QuadraticGrowthIsDetected) {
  auto compare_all = [](size_t size) -> std::function<void()> {
    return [size] {
      volatile size_t sum = 0;
      for (size_t a = 0; a < size; ++a) {
        for (size_t b = 0; b < size; ++b) sum = sum + (a ^ b);
      }
    };
  };
  bool is_detected = false;
  for (int tries = 0; tries < 5 && !is_detected; ++tries) {
    is_detected = GrowsWithTheSquare(compare_all, kSize);
  }
  EXPECT_TRUE(is_detected);
}

}  // namespace
}  // namespace stowage
