// QueueFixture is a SchedulingQueue with one profile whose hints and gates a test sets.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/queue/scheduling_queue.h"
#include "tests/support/fake_handle.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

inline constexpr int64_t kSecondUs = 1'000'000;

// Orders like PrioritySort.
class ByPriority : public QueueSortPlugin {
 public:
  bool Less(const QueuedPodInfo& a, const QueuedPodInfo& b) const override {
    int32_t a_priority = a.pod().spec.priority.value_or(0);
    int32_t b_priority = b.pod().spec.priority.value_or(0);
    if (a_priority != b_priority) return a_priority > b_priority;
    return a.timestamp < b.timestamp;
  }
};

class KeyedByPriority final : public ByPriority {
 public:
  std::optional<QueueSortKey> KeyOf(const QueuedPodInfo& pod) const override {
    return QueueSortKey{-int64_t{pod.pod().spec.priority.value_or(0)}, pod.timestamp};
  }
};

class QueueFixture : public testing::Test, protected QueueObserver {
 protected:
  using Plugins = std::set<Symbol>;

  // Builds the queue. Without a call, the first use builds it with default options.
  SchedulingQueue& Build(SchedulingQueue::Options options = {}) {
    options.start_time = now_;
    SchedulingQueue::Profile& profile = profiles_[Symbol("default-scheduler")];
    profile.pre_enqueue = [this](const Pod& pod, const Symbol& first) {
      return PreEnqueue(pod, first);
    };
    queue_.emplace(options, profiles_, features_, *queue_sort_, nominator_,
                   static_cast<QueueObserver&>(*this), metrics_);
    return *queue_;
  }
  SchedulingQueue& queue() { return queue_ ? *queue_ : Build(); }
  QueueingHintMap& hints() { return profiles_[Symbol("default-scheduler")].hints; }
  // Registers `plugin` for the event, with its hint.
  void Listen(std::string_view plugin, ClusterEvent event, QueueingHintFn hint = nullptr) {
    hints().Add(Symbol(plugin), {{event, std::move(hint)}});
  }
  // Adds the pod to the listers, as an informer would have done before.
  PodInfoRef Info(const Pod& pod) {
    listers_.Add(pod);
    return MakePodInfo(std::make_shared<const Pod>(pod), features_);
  }

  void Add(const Pod& pod) { queue().Add(Info(pod)); }
  void Add(std::string_view name, int32_t priority = 0) {
    Add(MakePod().Name(name).Priority(priority).Obj());
  }
  void Update(const Pod& old_pod, const Pod& new_pod) {
    queue().Update(std::make_shared<const Pod>(old_pod), Info(new_pod));
  }
  // The name of the popped pod; "-" if there is none.
  std::string Pop() {
    QueuedPodRef pod = queue().Pop();
    if (pod == nullptr) return "-";
    popped_[pod->pod().metadata.name.str()] = pod;
    return pod->pod().metadata.name.str();
  }
  // The names of all pods that can be popped, each followed by a space.
  std::string PopAll() {
    std::string names;
    for (std::string name = Pop(); name != "-"; name = Pop()) names += name + " ";
    return names;
  }
  QueuedPodRef PopNamed(std::string_view name) {
    Status gated;
    QueuedPodRef pod = queue().PopSpecific(KeyOf(name), &gated);
    EXPECT_NE(pod, nullptr) << name;
    popped_[std::string(name)] = pod;
    return pod;
  }
  // Sets an attempt's result on a pod in flight, and returns the pod to the queue.
  std::optional<std::string> Return(std::string_view name, Plugins rejectors,
                                    Plugins pending = {}) {
    QueuedPodRef pod = popped_.at(std::string(name));
    pod->unschedulable_plugins = std::move(rejectors);
    pod->pending_plugins = std::move(pending);
    return queue().AddUnschedulableIfNotPresent(pod);
  }
  // Adds a new pod, pops it and rejects it.
  void AddRejected(const Pod& pod, Plugins rejectors, Plugins pending = {}) {
    Add(pod);
    std::string name = pod.metadata.name.str();
    PopNamed(name);
    EXPECT_EQ(Return(name, std::move(rejectors), std::move(pending)), std::nullopt);
  }
  void AddRejected(std::string_view name, Plugins rejectors, Plugins pending = {}) {
    AddRejected(MakePod().Name(name).Obj(), std::move(rejectors), std::move(pending));
  }
  void Move(const ClusterEvent& event, const EventObjects& objects = {},
            const SchedulingQueue::PreCheck& pre_check = nullptr) {
    queue().MoveAllToActiveOrBackoffQueue(event, objects, pre_check);
  }
  // Moves the time without flushing anything.
  void Sleep(int64_t us) {
    now_ = Instant::FromMicros(now_.ToMicros() + us);
    queue().set_now(now_);
  }

  QueuedPodRef Find(std::string_view name) {
    std::string_view place;
    return queue().Find(KeyOf(name), &place);
  }
  // "active", "backoff", "error", "unschedulable", "inFlight", or "-" if the pod is in none of
  // these.
  std::string WhereIs(std::string_view name) {
    std::string_view place = "-";
    QueuedPodRef pod = queue().Find(KeyOf(name), &place);
    for (const QueuedPodRef& failed : queue().ErrorBackoffPods()) {
      if (failed == pod && pod != nullptr) return "error";
    }
    if (pod == nullptr && queue().IsInFlight(Symbol(name))) return "inFlight";
    return std::string(place);
  }
  // The names in order, each followed by a space.
  static std::string Names(const std::vector<QueuedPodRef>& pods) {
    std::string names;
    for (const QueuedPodRef& pod : pods) names += pod->pod().metadata.name.str() + " ";
    return names;
  }

  static ObjectKey KeyOf(std::string_view name) { return {Symbol("default"), Symbol(name)}; }
  static ClusterEvent NodeAdd() { return {EventResource::kNode, action::kAdd}; }

  Instant now_{1000, 0};
  Features features_;
  ByPriority by_priority_;
  const QueueSortPlugin* queue_sort_ = &by_priority_;
  FakeListers listers_;
  Nominator nominator_{listers_};
  // By pod name, the plugins that gate the pod, in calling order.
  std::map<std::string, std::vector<std::string>> gates_;
  std::string gated_;  // the observer's OnGated calls: "pod:plugin "
  std::string moves_;  // "pod:event:from>to "
  Metrics metrics_{true};

 private:
  Status PreEnqueue(const Pod& pod, const Symbol& first) {
    std::vector<std::string>& gates = gates_[pod.metadata.name.str()];
    if (gates.empty()) return Status::Success();
    std::string gate = gates[0];
    for (const std::string& one : gates) {
      if (first == one) gate = one;
    }
    return Status::Unschedulable("held by " + gate).WithPlugin(Symbol(gate));
  }
  void OnGated(const QueuedPodInfo& pod, const Status& status) override {
    gated_ += pod.pod().metadata.name.str() + ":" + status.plugin().str() + " ";
  }
  void OnMove(const QueuedPodInfo& pod, std::string_view from) override {
    moves_ += pod.pod().metadata.name.str() + ":" + pod.last_move->event.str() + ":" +
              std::string(from) + ">" + std::string(pod.last_move->queue) + " ";
  }

  std::map<Symbol, SchedulingQueue::Profile> profiles_;
  std::optional<SchedulingQueue> queue_;
  std::map<std::string, QueuedPodRef> popped_;
};

}  // namespace stowage
