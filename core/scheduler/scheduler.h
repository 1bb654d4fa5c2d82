// Scheduler is the engine behind one handle: data in (Apply), decisions and calls out (Run),
// questions answered without changing anything (Evaluate, Inspect).
//
// It has no clock and no thread: `now` comes with each call and is constant in it. What upstream
// does in goroutines, binding cycles and evictions, are tasks of a Loop that go on between
// scheduling cycles. Equal inputs give equal outputs, byte for byte. Counterpart: scheduler.go and
// schedule_one.go, v1.36.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/rng.h"
#include "core/cache/cache.h"
#include "core/config/types.h"
#include "core/framework/extender.h"
#include "core/framework/metrics.h"
#include "core/framework/registry.h"
#include "core/loop/answered_calls.h"
#include "core/loop/loop.h"
#include "core/queue/nominator.h"
#include "core/queue/scheduling_queue.h"
#include "core/scheduler/bindings_under_way.h"
#include "core/scheduler/evaluation.h"
#include "core/scheduler/event_broadcaster.h"
#include "core/scheduler/event_handlers.h"
#include "core/scheduler/inbox.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/record_log.h"
#include "core/scheduler/scheduler_options.h"
#include "core/scheduler/scheduling_cycle.h"
#include "core/scheduler/simulated_api.h"
#include "core/scheduler/simulated_volumes.h"
#include "core/scheduler/sync_tracker.h"

namespace stowage {

class Scheduler final : private QueueObserver, private PodActivator, private WatchSink {
 public:
  using CreationError = std::variant<OptionError, ConfigurationError>;
  // Makes the registry's entry of a plugin that is not in-tree.
  using PluginMaker = std::function<Registry::Entry(const PluginDeclaration&)>;

  // `options` as ReadSchedulerOptions has it; `configuration` a KubeSchedulerConfiguration in JSON,
  // empty for kube-scheduler's defaults.
  // `make_plugin` may be empty where the options declare no plugins.
  static Result<std::unique_ptr<Scheduler>, CreationError> New(
      std::string_view options, std::string_view configuration,
      const PluginMaker& make_plugin = nullptr);
  ~Scheduler() override;

  // Takes a batch in, in order; appends an ApplyResult. Bad items are reported there and cost only
  // themselves. While a cycle waits for an answer what comes in is kept, and taken in when the
  // cycle has ended; what is wrong with it then becomes an InputError record.
  void Apply(Instant now, std::string_view bytes, BatchFormat format, std::string* out);
  // Fires the timers that are due, goes on with what answers have come for, and begins at most
  // `max_cycles` scheduling cycles. Appends the calls that are to be made, the records and a Turn.
  void Run(Instant now, size_t max_cycles, std::string* out);
  // Appends an Evaluation, or the calls whose answers it needs, or an error document and gives
  // false. `pod` is an object, or empty when the options name a known pod.
  bool Evaluate(Instant now, std::string_view options, std::string_view pod, std::string* out);
  // Appends the answer to a query ({}, {"cache":true}, {"waiting":true}, {"metrics":true},
  // {"madeUp":true}, {"node"}, {"pod"}, {"objects","name"}, and in the middle of a cycle {"row"}
  // and {"row","pods":true}), or an error document and gives false.
  bool Inspect(std::string_view query, std::string* out);

 private:
  friend class BatchReceiver;

  // One pod between the choice of its node and the end of its binding.
  struct Attempt {
    QueuedPodRef queued;
    ProfileRuntime& profile;
    CycleState state;
    PodInfoRef assumed = nullptr;  // with the node
    uint64_t decision = 0;
    bool is_waiting = false;  // in Permit

    const Pod& pod() const { return *assumed->pod; }
    const Symbol& node() const { return assumed->pod->spec.node_name; }
  };
  // What the failure handler is told.
  struct Failure {
    bool is_rejected = false;
    std::string message;
    std::set<Symbol> unschedulable_plugins = {};
    std::set<Symbol> pending_plugins = {};
    std::optional<Symbol> nominated_node_name = {};  // overrides; empty: clears
  };

  explicit Scheduler(SchedulerOptions options);

  std::optional<OptionError> Register(const PluginMaker& make_plugin);
  std::optional<ConfigurationError> Build();
  std::optional<ConfigurationError> BuildProfiles();
  void BuildQueue();
  ProfileRuntime& ProfileOf(const Pod& pod);
  void SetNow(Instant now);

  void OnGated(const QueuedPodInfo& pod, const Status& status) override;
  void OnMove(const QueuedPodInfo& pod, std::string_view from) override;
  void Activate(const std::vector<PodRef>& pods) override { queue_->Activate(pods); }
  void OnPodPut(PodRef pod) override;
  void OnPodDeleted(PodRef pod) override;
  PodRef LatestPod(const ObjectKey& key) const override;
  void OnObjectPut(AnyObject object) override;

  bool EvaluateUnbound(const Pod& pod, const EvaluationOptions& options, AnsweredCalls& calls,
                       std::string* out);
  bool InspectNode(const std::string& name, std::string* out) const;
  bool InspectRow(int64_t row, bool has_pods, std::string* out) const;
  bool InspectPod(const ObjectKey& key, std::string_view name, std::string* out) const;
  void InspectAll(bool has_cache, std::string* out);
  bool InspectMetrics(std::string* out);

  // stored_objects.cc
  bool InspectObjects(std::string_view kind, std::string_view name, std::string* out) const;
  std::vector<AnyObject> ObjectsOf(const KindKey& kind) const;
  std::vector<ObjectKey> KeysInOrder(const KindKey& kind) const;

  // turn.cc
  void Step();
  void GoOnBesideCycles();
  void SyncSimulatedVolumes();
  void FireTimers();
  std::optional<Instant> NextDeadline();
  void FlushBackoffQ() { queue_->FlushBackoffQCompleted(); }
  void FlushLeftover() { queue_->FlushUnschedulablePodsLeftover(); }
  void ExpireWaitingPods() { waiting_pods_.Expire(now_); }
  void ExpireAssumedPods();
  void FireEventTimers() { event_broadcaster_.FireTimers(now_); }
  void FireLoopTimers() { loop_.FireTimers(); }
  bool HasCycleToRun() const;
  void RunNextCycle();
  void RunCommand(const ObjectKey& key);
  void StartCycle(QueuedPodRef queued);
  bool IsCycleWaiting() const { return cycle_task_ && !cycle_task_->IsDone(); }
  void EndCycle();
  void DrainInbox();
  void WriteTurn(std::string* out);

  // schedule_one.cc
  Task<void> ScheduleOne(QueuedPodRef queued);
  bool SkipPodSchedule(const QueuedPodInfo& queued);
  // Whether somebody takes events; their texts need not be made where nobody does.
  bool HasEventSink() const { return simulated_api_ == nullptr || options_.records.has_events; }
  void PrepareForBinding(Attempt* attempt, ScheduleResult* result);
  void Reject(Status status, const Symbol& node, ScheduleResult* result) const;

  // binding_cycle.cc
  Task<void> RunBindingCycle(Attempt attempt);
  Task<void> NominateExpectedNode(const Attempt& attempt);
  Task<Status> Bind(Attempt* attempt);
  Task<Status> BindByExtenders(Attempt* attempt);
  void FinishBinding(const Attempt& attempt);
  void CountScheduled(const QueuedPodInfo& queued);
  void HandleBindingFailure(Attempt* attempt, std::string_view phase, const Status& status);

  // failure_handler.cc
  void HandleSchedulingFailure(const QueuedPodRef& queued, Failure failure);
  Task<void> PatchStatus(PodRef pod, PodStatusPatch patch);

  SchedulerOptions options_;
  Features features_;
  KubeSchedulerConfiguration configuration_;
  Registry registry_;
  Rng rng_;     // for decisions
  Rng jitter_;  // for the times of retries
  Instant now_;
  Metrics metrics_;
  uint64_t num_cycles_ = 0;

  ObjectStore store_;
  Cache cache_;
  Snapshot snapshot_;
  StepBudget steps_;
  TopologyIndex topology_index_{snapshot_.table(), steps_};
  Nominator nominator_{store_};
  SyncTracker sync_;
  RecordLog records_;

  Outbox outbox_;
  Loop cycle_loop_{outbox_};  // what the cycle under way waits for
  Loop loop_{outbox_};        // everything else
  WaitingPods waiting_pods_;
  PodsInPreBind pods_in_pre_bind_;
  BindingsUnderWay bindings_under_way_;
  EventBroadcaster event_broadcaster_;
  SimulatedApi* simulated_api_ = nullptr;                // null in host mode
  std::unique_ptr<SimulatedVolumes> simulated_volumes_;  // null where the host has volumes bound
  std::unique_ptr<ApiClient> api_;
  std::optional<Background> background_;
  Extenders extenders_;

  std::map<Symbol, ProfileRuntime> profiles_;
  std::map<Symbol, SchedulingQueue::Profile> queue_profiles_;
  std::unique_ptr<SchedulingQueue> queue_;
  std::unique_ptr<EventHandlers> handlers_;
  std::unique_ptr<SchedulingCycle> cycle_;
  // Bound pods that are still assumed, by when they are given up; empty where they never are.
  std::set<std::pair<Instant, Symbol>> assumed_until_;

  std::deque<ObjectKey> commands_;  // SCHEDULE_ONE, in order
  std::set<std::string> reported_kinds_;
  std::vector<InboxItem> inbox_;  // came in while a cycle waited
  bool is_in_cycle_ = false;      // the snapshot is being read
  std::optional<Task<void>> cycle_task_;
};

}  // namespace stowage
