// Scheduler is the engine behind one handle: Apply takes data in, Run returns decisions and calls,
// and Evaluate and Inspect answer queries without changing anything.
//
// It is a facade: it builds the parts from options and configuration, connects them, and passes
// calls on. Turns orders the work of a turn, CycleRunner runs scheduling cycles, BindingCycles runs
// the binding cycles after them, FailureHandler handles failed attempts, and ScheduleCommands and
// BatchReceiver take input. Each part lists what it uses in its Parts.
//
// There is no clock and no thread: `now` comes with each call and is constant in it. Binding cycles
// and evictions, which are goroutines upstream, are tasks of a Loop that run between scheduling
// cycles. Equal inputs give equal outputs, byte for byte. Counterpart: scheduler.go, v1.36.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/rng.h"
#include "core/cache/cache.h"
#include "core/config/types.h"
#include "core/dra/dra_manager.h"
#include "core/framework/extender.h"
#include "core/framework/metrics.h"
#include "core/framework/registry.h"
#include "core/loop/answered_calls.h"
#include "core/loop/loop.h"
#include "core/queue/nominator.h"
#include "core/queue/scheduling_queue.h"
#include "core/scheduler/bindings_in_flight.h"
#include "core/scheduler/evaluation.h"
#include "core/scheduler/event_broadcaster.h"
#include "core/scheduler/event_handlers.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/profiles.h"
#include "core/scheduler/record_log.h"
#include "core/scheduler/scheduler_options.h"
#include "core/scheduler/scheduling_cycle.h"
#include "core/scheduler/simulated_api.h"
#include "core/scheduler/simulated_claims.h"
#include "core/scheduler/simulated_volumes.h"
#include "core/scheduler/sync_tracker.h"
#include "core/scheduler/turn.h"

namespace stowage {

class Scheduler final : private QueueObserver, private PodActivator, private WatchSink {
 public:
  using CreationError = std::variant<OptionError, ConfigurationError>;
  // Makes the registry entry of a plugin that is not in-tree.
  using PluginMaker = std::function<Registry::Entry(const PluginDeclaration&)>;

  // `options`: JSON as for ReadSchedulerOptions. `configuration`: a KubeSchedulerConfiguration in
  // JSON; empty for kube-scheduler's defaults. `make_plugin` may be empty if the options declare no
  // plugins.
  static Result<std::unique_ptr<Scheduler>, CreationError> New(
      std::string_view options, std::string_view configuration,
      const PluginMaker& make_plugin = nullptr);
  ~Scheduler() override;

  // Whether the options declare plugins, which Fork needs a `make_plugin` for.
  bool has_declared_plugins() const { return !options_.plugins.empty(); }
  // Whether Fork can be called: no cycle waits for an answer.
  bool CanFork() const { return !cycles_->IsWaiting(); }
  // A scheduler in the same state, which goes on as this one would. The two share what neither
  // changes. Binding cycles and evictions under way stay here: in the fork their pods are assumed
  // on their nodes, until events of these pods confirm or delete them.
  std::unique_ptr<Scheduler> Fork(const PluginMaker& make_plugin = nullptr) const;

  // Transactions nest: each Begin needs a Revert or a Commit, the latest first.
  //
  // Begin requires CanFork. The tasks under way and the calls that they wait for are held until
  // Revert, as Fork leaves them to the original. Revert restores the state byte for byte; caches
  // stay warm, because what has changed since counts as changed again.
  void Begin();
  bool HasTransaction() const { return !savepoints_.empty(); }
  void Revert();
  // Whether Commit can be called: no cycle waits, and the latest Begin holds no tasks.
  bool CanCommit() const;
  void Commit();

  // Applies the items of a batch in order and appends an ApplyResult. Bad items are reported there
  // and skipped. While a cycle waits for an answer, items are stored and applied when it ends;
  // their errors then become InputError records.
  void Apply(Instant now, std::string_view bytes, BatchFormat format, std::string* out);
  // Whether ApplyAgain can take the objects of `other`: it keeps them, as they would be read here.
  bool CanApplyAgain(const Scheduler& other) const;
  // Applies the objects that `other` was given, in their order, as if their batches were read once
  // more. What a batch has besides objects is not repeated, nor are errors of reading.
  void ApplyAgain(Instant now, const Scheduler& other, std::string* out);
  // Runs a turn: fires due timers, resumes tasks whose answers have arrived, and starts at most
  // `max_cycles` scheduling cycles. Appends the calls to make, the records and a Turn.
  void Run(Instant now, size_t max_cycles, std::string* out);
  // Appends an Evaluation, or the calls whose answers it needs, and returns true; or appends an
  // error document and returns false. `pod` is an object; empty if the options name a known pod.
  bool Evaluate(Instant now, std::string_view options, std::string_view pod, std::string* out);
  // Appends the answer to a query ({}, {"cache":true}, {"waiting":true}, {"metrics":true},
  // {"madeUp":true}, {"node"}, {"pod"}, {"objects","name"}, and during a cycle {"row"} and
  // {"row","pods":true}) and returns true; or appends an error document and returns false.
  bool Inspect(std::string_view query, std::string* out);

 private:
  struct Savepoint;

  explicit Scheduler(SchedulerOptions options);

  std::optional<OptionError> Register(const PluginMaker& make_plugin);
  std::optional<ConfigurationError> Build();
  std::optional<ConfigurationError> BuildProfiles();
  void BuildQueue();
  std::unique_ptr<SchedulingQueue> NewQueue();
  void BuildCycles();
  void CopyStateFrom(const Scheduler& other);
  void AbandonTasks();
  void SetNow(Instant now);

  void OnGated(const QueuedPodInfo& pod, const Status& status) override;
  void OnMove(const QueuedPodInfo& pod, std::string_view from) override;
  void Activate(const std::vector<PodRef>& pods) override { queue_->Activate(pods); }
  void OnPodPut(PodRef pod) override;
  void OnPodDeleted(PodRef pod) override;
  PodRef LatestPod(const ObjectKey& key) const override;
  void OnObjectPut(AnyObject object) override;
  void OnObjectDeleted(AnyObject object) override;

  bool EvaluateUnbound(const Pod& pod, const EvaluationOptions& options, AnsweredCalls& calls,
                       std::string* out);
  bool InspectNode(const std::string& name, std::string* out) const;
  bool InspectRow(int64_t row, bool has_pods, std::string* out) const;
  bool InspectPod(const ObjectKey& key, std::string_view name, std::string* out) const;
  void InspectAll(bool has_cache, std::string* out);
  bool InspectMetrics(std::string* out);

  // Defined in stored_objects.cc.
  bool InspectObjects(std::string_view kind, std::string_view name, std::string* out) const;
  std::vector<AnyObject> ObjectsOf(const KindKey& kind) const;
  std::vector<ObjectKey> KeysInOrder(const KindKey& kind) const;

  void WriteTurn(std::string* out);

  SchedulerOptions options_;
  Features features_;
  KubeSchedulerConfiguration configuration_;
  Registry registry_;
  Rng rng_;     // for decisions
  Rng jitter_;  // for the timing of retries
  Instant now_;
  Metrics metrics_;

  ObjectStore store_;
  std::unique_ptr<SelectorEvaluator> selectors_;
  std::optional<DraManager> dra_;
  Cache cache_;
  Snapshot snapshot_;
  StepBudget steps_;
  TopologyIndex topology_index_{snapshot_.table(), steps_};
  Nominator nominator_{store_};
  SyncTracker sync_;
  RecordLog records_;

  Outbox outbox_;
  Loop cycle_loop_{outbox_};  // tasks of the current cycle
  Loop loop_{outbox_};        // all other tasks
  WaitingPods waiting_pods_;
  PodsInPreBind pods_in_pre_bind_;
  BindingsInFlight bindings_in_flight_;
  EventBroadcaster event_broadcaster_;
  SimulatedApi* simulated_api_ = nullptr;                // null in host mode
  std::unique_ptr<SimulatedVolumes> simulated_volumes_;  // null if the host binds volumes
  std::unique_ptr<SimulatedClaims> simulated_claims_;    // null if the host plays their controller
  std::unique_ptr<ApiClient> api_;
  std::optional<Background> background_;
  Extenders extenders_;

  Profiles profiles_;
  std::map<Symbol, SchedulingQueue::Profile> queue_profiles_;
  std::unique_ptr<SchedulingQueue> queue_;
  std::unique_ptr<EventHandlers> handlers_;
  std::unique_ptr<SchedulingCycle> cycle_;
  Inbox inbox_;
  std::vector<ObjectChange> kept_batches_;
  std::set<std::string> reported_kinds_;
  // Declared in order of dependency.
  std::optional<FailureHandler> failures_;
  std::optional<BindingCycles> bindings_;
  std::optional<CycleRunner> cycles_;
  std::optional<ScheduleCommands> commands_;
  std::optional<Turns> turns_;
  std::vector<std::unique_ptr<Savepoint>> savepoints_;  // the latest at the end
};

}  // namespace stowage
