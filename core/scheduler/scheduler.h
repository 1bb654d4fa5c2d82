// Scheduler is the engine behind one handle: data in (Apply), decisions out (Run), questions
// answered without changing anything (Evaluate, Inspect).
//
// It has no clock and no thread: `now` comes with each call and is constant in it. Equal inputs
// give equal outputs, byte for byte. Counterpart: scheduler.go, v1.36.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/rng.h"
#include "core/cache/cache.h"
#include "core/config/types.h"
#include "core/framework/extender.h"
#include "core/framework/registry.h"
#include "core/loop/answered_calls.h"
#include "core/loop/loop.h"
#include "core/queue/nominator.h"
#include "core/scheduler/evaluation.h"
#include "core/scheduler/event_handlers.h"
#include "core/scheduler/inbox.h"
#include "core/scheduler/object_store.h"
#include "core/scheduler/pending_pods.h"
#include "core/scheduler/scheduler_options.h"
#include "core/scheduler/scheduling_cycle.h"
#include "core/scheduler/simulated_api.h"
#include "core/scheduler/sync_tracker.h"

namespace stowage {

class Scheduler {
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

  // Takes a batch in; appends an ApplyResult. Bad items are reported there and cost only
  // themselves. While a cycle waits for an answer what comes in is kept, and taken in when the
  // cycle has ended; what is wrong with it then becomes an InputError record.
  void Apply(Instant now, std::string_view bytes, BatchFormat format, std::string* out);
  // Goes on with the cycle that waits, if its answer is there, and runs at most `max_cycles` new
  // ones; appends the calls that are to be made, a record per decision and a Turn.
  void Run(Instant now, size_t max_cycles, std::string* out);
  // Appends an Evaluation, or the calls whose answers it needs, or an error document and gives
  // false. `pod` is an object, or empty when the options name a known pod.
  bool Evaluate(Instant now, std::string_view options, std::string_view pod, std::string* out);
  // Appends the answer to a query ({}, {"node"}, {"pod"}, and in the middle of a cycle {"row"} and
  // {"row","pods":true}), or an error document and gives false.
  bool Inspect(std::string_view query, std::string* out) const;

 private:
  friend class BatchReceiver;

  explicit Scheduler(SchedulerOptions options);

  std::optional<OptionError> Register(const PluginMaker& make_plugin);
  std::optional<ConfigurationError> Build();
  std::optional<ConfigurationError> BuildProfiles();
  ProfileRuntime& ProfileOf(const Pod& pod);
  void SetNow(Instant now);

  void EvaluateUnbound(const Pod& pod, const EvaluationOptions& options, AnsweredCalls& calls,
                       std::string* out);
  bool InspectRow(int64_t row, bool has_pods, std::string* out) const;
  bool InspectPod(const ObjectKey& key, std::string_view name, std::string* out) const;

  bool HasCycleToRun() const;
  void RunNextCycle();
  void RunCommand(const ObjectKey& key);
  // Starts a cycle, which may come to wait.
  void Start(std::shared_ptr<QueuedPodInfo> queued);
  bool IsCycleWaiting() const { return cycle_task_ && !cycle_task_->IsDone(); }
  void EndCycle();
  void DrainInbox();
  Task<void> ScheduleOne(std::shared_ptr<QueuedPodInfo> queued);
  void Reserve(const Framework& framework, const Pod& pod, ScheduleResult* result) const;
  void Place(const QueuedPodInfo& queued, const Symbol& node);
  void HandleFailure(std::shared_ptr<QueuedPodInfo> queued, const ScheduleResult& result);
  void WriteSkipped(const ObjectKey& key, std::string_view message);

  SchedulerOptions options_;
  Features features_;
  KubeSchedulerConfiguration configuration_;
  Registry registry_;
  Rng rng_;
  Instant now_;
  uint64_t seq_ = 0;
  uint64_t num_cycles_ = 0;

  ObjectStore store_;
  Cache cache_;
  Snapshot snapshot_;
  TopologyIndex topology_index_{snapshot_.table()};
  Nominator nominator_;
  SyncTracker sync_;
  std::map<Symbol, ProfileRuntime> profiles_;
  std::unique_ptr<PendingPods> pending_;
  std::unique_ptr<EventHandlers> handlers_;
  std::unique_ptr<SimulatedApi> simulated_api_;  // null in host mode
  std::unique_ptr<SchedulingCycle> cycle_;
  std::deque<ObjectKey> commands_;  // SCHEDULE_ONE, in order
  std::set<std::string> reported_kinds_;

  Loop loop_;
  Extenders extenders_;
  std::string records_;           // of the turn under way
  std::vector<InboxItem> inbox_;  // came in while a cycle waited
  std::optional<Task<void>> cycle_task_;
};

}  // namespace stowage
