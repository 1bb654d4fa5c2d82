// FakeProfile is a Framework over a small cluster whose plugins give the answers that a test sets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/loop/loop.h"
#include "core/runtime/framework.h"
#include "tests/support/fake_plugin.h"
#include "tests/support/plugin_runner.h"

namespace stowage {

class FakeProfile {
 public:
  // Adds a plugin; plugins run in this order at each of their points.
  FakeProfile& Add(FakeBehavior behavior) {
    CHECK(framework_ == nullptr);
    behaviors_.push_back(std::move(behavior));
    return *this;
  }
  FakeProfile& Add(Node node) {
    cache_.AddNode(std::make_shared<const Node>(std::move(node)));
    is_snapshot_stale_ = true;
    return *this;
  }
  // Adds a running pod to the node in its spec.nodeName.
  FakeProfile& Add(Pod pod) {
    auto ref = std::make_shared<const Pod>(std::move(pod));
    CHECK(cache_.AddPod(MakePodInfo(std::move(ref), features_)).IsSuccess());
    is_snapshot_stale_ = true;
    return *this;
  }
  // Adds nodes n0, n1, …
  FakeProfile& AddNodes(size_t count) {
    for (size_t index = 0; index < count; ++index) {
      Add(MakeNode().Name("n" + std::to_string(index)).Obj());
    }
    return *this;
  }
  FakeProfile& Nominate(std::string_view node, const Pod& pod) {
    nominator_.Add(Symbol(node), MakePodInfo(std::make_shared<const Pod>(pod), features_));
    return *this;
  }
  FakeProfile& PercentageOfNodesToScore(int32_t percentage) {
    profile_.percentage_of_nodes_to_score = percentage;
    return *this;
  }

  const Snapshot& snapshot() {
    if (std::exchange(is_snapshot_stale_, false)) cache_.UpdateSnapshot(&snapshot_);
    return snapshot_;
  }
  const NodeInfo& node(std::string_view name) {
    const NodeInfo* info = snapshot().Get(Symbol(name));
    CHECK(info != nullptr);
    return *info;
  }

  // Built on first use.
  Framework& framework() {
    snapshot();
    if (framework_ == nullptr) framework_ = Build().Take();
    return *framework_;
  }
  Result<std::unique_ptr<Framework>, Framework::BuildFault> Build() {
    ExpandedProfile expanded;
    Expand({"Sort"}, {ExtensionPoint::kQueueSort}, &expanded);
    for (const FakeBehavior& behavior : behaviors_) {
      Expand(behavior, FakePointsOf(behavior), &expanded);
    }
    return Framework::New(
        profile_, expanded,
        {snapshot_, topology_index_, cache_.pod_groups(), nominator_, listers_, dra_, features_,
         registry_, extenders_, background_.loop, background_.background, metrics_, steps_});
  }
  // For tests of whole cycles; framework() is empty afterwards.
  std::unique_ptr<Framework> TakeFramework() {
    framework();
    return std::move(framework_);
  }
  Registry& registry() { return registry_; }
  Extenders& extenders() { return extenders_; }
  Loop& loop() { return background_.loop; }
  Outbox& outbox() { return background_.outbox; }
  FakeBackground& fake_background() { return background_; }

 private:
  void Expand(const FakeBehavior& behavior, ExtensionPointSet points, ExpandedProfile* expanded) {
    registry_.Register(EntryOf(behavior, points));
    expanded->plugins.push_back(behavior.name);
    for (ExtensionPoint point : kExtensionPoints) {
      if (!points.Has(point)) continue;
      expanded->points[static_cast<size_t>(point)].push_back({behavior.name, behavior.weight});
    }
  }

  std::vector<FakeBehavior> behaviors_;
  KubeSchedulerProfile profile_;
  Features features_;
  Extenders extenders_;
  Metrics metrics_{true};
  FakeBackground background_;
  Registry registry_;
  Cache cache_;
  Snapshot snapshot_;
  StepBudget steps_;
  TopologyIndex topology_index_{snapshot_.table(), steps_};
  bool is_snapshot_stale_ = false;
  FakeNominator nominator_;
  FakeListers listers_;
  FakeSelectors selectors_;
  DraManager dra_{features_, selectors_};
  std::unique_ptr<Framework> framework_;
};

}  // namespace stowage
