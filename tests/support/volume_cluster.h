// VolumeCluster is a cluster with volumes and the plugin VolumeBinding.
//
// It has the nodes n1 in zone z1 and n2 in zone z2, and the storage classes "wait" (bound with the
// first pod, without a provisioner), "make" (the same, with the provisioner example.com) and "now"
// (bound at once).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/plugins/volume_binding.h"
#include "tests/support/make_pv.h"
#include "tests/support/plugin_runner.h"

namespace stowage {

class VolumeCluster {
 public:
  explicit VolumeCluster(VolumeBindingArgs args = {}, Features features = {})
      : runner_(std::move(args), features) {
    Add(MakeNode().Name("n1").Label("zone", "z1"));
    Add(MakeNode().Name("n2").Label("zone", "z2"));
    AddClass("wait", "kubernetes.io/no-provisioner");
    AddClass("make", "example.com");
    AddClass("now", "example.com", R"("volumeBindingMode":"Immediate")");
  }

  VolumeCluster& Add(Node node) {
    listers().Add(node);
    handle().Add(std::move(node));
    return *this;
  }
  VolumeCluster& Add(PersistentVolume volume) { return Store(std::move(volume)); }
  VolumeCluster& Add(PersistentVolumeClaim claim) { return Store(std::move(claim)); }
  VolumeCluster& Add(StorageClass storage_class) { return Store(std::move(storage_class)); }
  VolumeCluster& Add(CsiNode node) { return Store(std::move(node)); }
  VolumeCluster& Add(CsiDriver driver) { return Store(std::move(driver)); }
  VolumeCluster& Add(CsiStorageCapacity capacity) { return Store(std::move(capacity)); }
  template <typename Objects>
  VolumeCluster& AddAll(const Objects& objects) {
    for (const auto& object : objects) Add(object);
    return *this;
  }
  // `members` are those besides the provisioner.
  VolumeCluster& AddClass(
      std::string_view name, std::string_view provisioner,
      std::string_view members = R"("volumeBindingMode":"WaitForFirstConsumer")") {
    return Add(MakeStorageClass(R"({"metadata":{"name":")" + std::string(name) +
                                R"("},"provisioner":")" + std::string(provisioner) + R"(",)" +
                                std::string(members) + "}"));
  }
  // The node's plugins of these names ("a,b") are migrated to CSI drivers.
  VolumeCluster& Migrate(std::string_view node, std::string_view plugins) {
    return Add(MakeCsiNode(R"({"metadata":{"name":")" + std::string(node) +
                           R"(","annotations":{"storage.alpha.kubernetes.io/migrated-plugins":")" +
                           std::string(plugins) + R"("}}})"));
  }
  void Remove(ObjectKind kind, std::string_view name, std::string_view namespace_ = "") {
    CHECK(listers().Remove(kind, {Symbol(namespace_), Symbol(name)}).has_value());
  }

  PluginRunner<VolumeBinding>& runner() { return runner_; }
  VolumeBinding& plugin() { return runner_.plugin(); }
  FakeHandle& handle() { return runner_.handle(); }
  FakeListers& listers() { return handle().fake_listers(); }
  FakeApiClient& api() { return handle().fake_background().api; }
  const Node& node(std::string_view name) { return *handle().node(name).node(); }

  Status PreFilter(const Pod& pod) { return runner_.PreFilter(pod); }
  // Runs PreFilter and Filter on a state of their own.
  Status Filter(const Pod& pod, std::string_view node) { return runner_.Filter(pod, node); }

 private:
  template <typename T>
  VolumeCluster& Store(T object) {
    listers().Add(std::move(object));
    return *this;
  }

  PluginRunner<VolumeBinding> runner_;
};

// A pod's path through VolumeBinding to the node n1, on a state of its own. It begins with
// PreFilter and, if that succeeds, Filter; tests call the later points one by one.
class BindingRun {
 public:
  BindingRun(VolumeCluster& cluster, Pod pod)
      : cluster_(cluster), plugin_(cluster.plugin()), pod_(std::move(pod)) {
    PreFilterResult result;
    filtered_ = plugin_.PreFilter(state_, pod_, {}, &result);
    if (filtered_.IsSuccess()) {
      filtered_ = plugin_.Filter(state_, pod_, cluster.handle().node("n1"));
    }
  }

  const Status& filtered() const { return filtered_; }
  Status Reserve() { return plugin_.Reserve(state_, pod_, node_); }
  void Unreserve() { plugin_.Unreserve(state_, pod_, node_); }
  Status PreBindPreFlight() { return plugin_.PreBindPreFlight(state_, pod_, node_); }

  // At time 0.
  void StartPreBind() {
    start_ = cluster_.handle().now();
    cluster_.handle().set_now(start_);
    task_.emplace(plugin_.PreBind(state_, pod_, node_));
    task_->Start();
    NoteOutcome();
  }
  // Advances the clock.
  void GoTo(int64_t millis) {
    constexpr int64_t kMicrosPerMilli = 1'000;
    FakeHandle& handle = cluster_.handle();
    handle.set_now(Instant::FromMicros(start_.ToMicros() + millis * kMicrosPerMilli));
    handle.loop().Resume();
    NoteOutcome();
  }
  // Of PreBind; nullopt while it waits.
  const std::optional<Status>& outcome() const { return outcome_; }
  // "..." while it waits; "" for Success.
  std::string OutcomeText() const { return outcome_ ? outcome_->Message() : "..."; }

 private:
  void NoteOutcome() {
    if (!outcome_ && task_->IsDone()) outcome_ = task_->Take();
  }

  VolumeCluster& cluster_;
  VolumeBinding& plugin_;
  Pod pod_;
  Symbol node_{"n1"};
  CycleState state_;
  Status filtered_;
  Instant start_;
  std::optional<Task<Status>> task_;
  std::optional<Status> outcome_;
};

}  // namespace stowage
