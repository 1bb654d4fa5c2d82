// FakePlugin is a plugin whose answers a test sets.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/framework/registry.h"

namespace stowage {

// A plugin's answers. It has the extension points with an answer. Plugins run in the order in which
// they are added.
struct FakeBehavior {
  std::string name;
  int64_t weight = 1;

  std::function<Status(const Pod&)> pre_enqueue = {};
  std::function<Status(CycleState&, const Pod&, PreFilterResult*)> pre_filter = {};
  std::function<Status(CycleState&, const PodInfo& added, const NodeInfo&)> add_pod = {};
  std::function<Status(CycleState&, const PodInfo& removed, const NodeInfo&)> remove_pod = {};
  std::function<Status(const CycleState&, const Pod&, const NodeInfo&)> filter = {};
  std::function<Status(const NodeToStatus&, PostFilterResult*)> post_filter = {};
  std::function<Status(NodeList)> pre_score = {};
  std::function<Result<int64_t, Status>(const NodeInfo&)> score = {};
  std::function<Status(std::span<NodeScore>)> normalize = {};
  std::function<Status(const Pod&, const Symbol& node)> reserve = {};
  std::function<void()> unreserve = {};  // of `reserve`
  std::function<Status(int64_t* timeout_us)> permit = {};
  std::function<Status()> pre_bind_pre_flight = {};  // of `pre_bind`; otherwise Success
  std::function<Task<Status>()> pre_bind = {};
  std::function<Status()> bind = {};
  std::function<void(const Pod&, const Symbol& node)> post_bind = {};
  std::function<bool(const Pod&, PodSignature*)> append_fragment = {};
  // nullopt: it registers no events, and so receives all of them.
  std::optional<std::vector<ClusterEventWithHint>> events = {};
};

class FakePlugin final : public Plugin,
                         public PreEnqueuePlugin,
                         public QueueSortPlugin,
                         public PreFilterPlugin,
                         public PreFilterExtensions,
                         public PerNodeFilter<FakePlugin>,
                         public PostFilterPlugin,
                         public PreScorePlugin,
                         public PerNodeScore<FakePlugin>,
                         public ScoreExtensions,
                         public ReservePlugin,
                         public PermitPlugin,
                         public PreBindPlugin,
                         public BindPlugin,
                         public PostBindPlugin,
                         public EnqueueExtensions,
                         public FragmentPlugin {
 public:
  explicit FakePlugin(const FakeBehavior& behavior) : behavior_(behavior) {}

  std::string_view Name() const override { return behavior_.name; }
  Status PreEnqueue(const Pod& pod) const override { return behavior_.pre_enqueue(pod); }
  bool Less(const QueuedPodInfo& a, const QueuedPodInfo& b) const override {
    return a.sequence < b.sequence;
  }
  Status PreFilter(CycleState& state, const Pod& pod, NodeList,
                   PreFilterResult* result) const override {
    return behavior_.pre_filter(state, pod, result);
  }
  const PreFilterExtensions* Extensions() const override {
    return behavior_.add_pod || behavior_.remove_pod ? this : nullptr;
  }
  Status AddPod(CycleState& state, const Pod&, const PodInfo& added,
                const NodeInfo& node) const override {
    return behavior_.add_pod ? behavior_.add_pod(state, added, node) : Status::Success();
  }
  Status RemovePod(CycleState& state, const Pod&, const PodInfo& removed,
                   const NodeInfo& node) const override {
    return behavior_.remove_pod ? behavior_.remove_pod(state, removed, node) : Status::Success();
  }
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override {
    return behavior_.filter(state, pod, node);
  }
  Task<Status> PostFilter(CycleState&, const Pod&, const NodeToStatus& statuses,
                          PostFilterResult* result) override {
    co_return behavior_.post_filter(statuses, result);
  }
  Status PreScore(CycleState&, const Pod&, NodeList nodes) const override {
    return behavior_.pre_score(nodes);
  }
  Result<int64_t, Status> Score(const CycleState&, const Pod&,
                                const NodeInfo& node) const override {
    return behavior_.score(node);
  }
  const ScoreExtensions* Normalizer() const override {
    return behavior_.normalize ? this : nullptr;
  }
  Status NormalizeScore(const CycleState&, const Pod&, std::span<NodeScore> scores) const override {
    return behavior_.normalize(scores);
  }
  Status Reserve(CycleState&, const Pod& pod, const Symbol& node) override {
    return behavior_.reserve(pod, node);
  }
  void Unreserve(CycleState&, const Pod&, const Symbol&) override {
    if (behavior_.unreserve) behavior_.unreserve();
  }
  Status Permit(CycleState&, const Pod&, const Symbol&, int64_t* timeout_us) override {
    return behavior_.permit(timeout_us);
  }
  Status PreBindPreFlight(CycleState&, const Pod&, const Symbol&) override {
    return behavior_.pre_bind_pre_flight ? behavior_.pre_bind_pre_flight() : Status::Success();
  }
  Task<Status> PreBind(CycleState&, const Pod&, const Symbol&) override {
    return behavior_.pre_bind();
  }
  Task<Status> Bind(CycleState&, const Pod&, const Symbol&) override { co_return behavior_.bind(); }
  Task<void> PostBind(CycleState&, const Pod& pod, const Symbol& node) override {
    behavior_.post_bind(pod, node);
    co_return;
  }
  std::vector<ClusterEventWithHint> EventsToRegister() const override { return *behavior_.events; }
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override {
    return behavior_.append_fragment(pod, signature);
  }

 private:
  FakeBehavior behavior_;
};

inline ExtensionPointSet FakePointsOf(const FakeBehavior& behavior) {
  ExtensionPointSet points;
  auto add = [&points](bool has_answer, ExtensionPoint point) {
    if (has_answer) points.Add(point);
  };
  add(behavior.pre_enqueue != nullptr, ExtensionPoint::kPreEnqueue);
  add(behavior.pre_filter != nullptr, ExtensionPoint::kPreFilter);
  add(behavior.filter != nullptr, ExtensionPoint::kFilter);
  add(behavior.post_filter != nullptr, ExtensionPoint::kPostFilter);
  add(behavior.pre_score != nullptr, ExtensionPoint::kPreScore);
  add(behavior.score != nullptr, ExtensionPoint::kScore);
  add(behavior.reserve != nullptr, ExtensionPoint::kReserve);
  add(behavior.permit != nullptr, ExtensionPoint::kPermit);
  add(behavior.pre_bind != nullptr, ExtensionPoint::kPreBind);
  add(behavior.bind != nullptr, ExtensionPoint::kBind);
  add(behavior.post_bind != nullptr, ExtensionPoint::kPostBind);
  return points;
}

inline PluginInstance Instantiate(const FakeBehavior& behavior, ExtensionPointSet points) {
  auto plugin = std::make_unique<FakePlugin>(behavior);
  FakePlugin* raw = plugin.get();
  PluginInstance instance;
  instance.plugin = std::move(plugin);
  if (points.Has(ExtensionPoint::kPreEnqueue)) instance.pre_enqueue = raw;
  if (points.Has(ExtensionPoint::kQueueSort)) instance.queue_sort = raw;
  if (points.Has(ExtensionPoint::kPreFilter)) instance.pre_filter = raw;
  if (points.Has(ExtensionPoint::kFilter)) instance.filter = raw;
  if (points.Has(ExtensionPoint::kPostFilter)) instance.post_filter = raw;
  if (points.Has(ExtensionPoint::kPreScore)) instance.pre_score = raw;
  if (points.Has(ExtensionPoint::kScore)) instance.score = raw;
  if (points.Has(ExtensionPoint::kReserve)) instance.reserve = raw;
  if (points.Has(ExtensionPoint::kPermit)) instance.permit = raw;
  if (points.Has(ExtensionPoint::kPreBind)) instance.pre_bind = raw;
  if (points.Has(ExtensionPoint::kBind)) instance.bind = raw;
  if (points.Has(ExtensionPoint::kPostBind)) instance.post_bind = raw;
  if (behavior.append_fragment) instance.fragment = raw;
  if (behavior.events) instance.enqueue_extensions = raw;
  return instance;
}

inline Registry::Entry EntryOf(const FakeBehavior& behavior, ExtensionPointSet points) {
  return {behavior.name, points,
          [behavior, points](const PluginContext&) { return Instantiate(behavior, points); }};
}

}  // namespace stowage
