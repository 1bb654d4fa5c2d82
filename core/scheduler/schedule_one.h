// CycleRunner runs scheduling cycles one at a time: from taking a pod out of the queue to reserving
// a node for it (spec 05 §2, §8). Counterpart: schedule_one.go, v1.36.
#pragma once

#include <optional>
#include <vector>

#include "core/cache/cache.h"
#include "core/framework/waiting_pods.h"
#include "core/queue/nominator.h"
#include "core/scheduler/binding_cycle.h"
#include "core/scheduler/failure_handler.h"
#include "core/scheduler/pod_group_cycle.h"
#include "core/scheduler/profiles.h"
#include "core/scheduler/record_log.h"

namespace stowage {

class CycleRunner {
 public:
  struct Options {
    bool has_node_detail = false;  // records list the nodes
    bool has_event_sink = false;   // false: nothing reads events, so none are created
    bool has_pod_groups = false;   // GenericWorkload
  };
  struct Parts {
    Cache& cache;
    Snapshot& snapshot;
    SchedulingCycle& cycle;
    Profiles& profiles;
    SchedulingQueue& queue;
    Nominator& nominator;
    WaitingPods& waiting_pods;
    RecordLog& records;
    ApiClient& api;
    Loop& loop;  // provides the time
    BindingCycles& bindings;
    FailureHandler& failures;
  };

  CycleRunner(Parts parts, Options options) : parts_(parts), options_(options) {}

  // The number of cycles so far. A runner numbers its cycles on from the number that it is set to;
  // no cycle may be waiting.
  uint64_t num_cycles() const { return num_cycles_; }
  void set_num_cycles(uint64_t num_cycles) {
    CHECK(!IsWaiting());
    num_cycles_ = num_cycles;
  }
  // Ends the cycle that waits, if one does, without a decision.
  void Abandon() {
    task_.reset();
    EndPreemptionTrial();
    is_reading_ = false;
  }
  // Starts the cycle of a pod taken out of the queue. It runs until it ends or waits for an
  // extender. No other cycle may be waiting.
  void Start(QueuedPodRef queued);
  // True while a cycle waits for an answer. Until it ends, nothing may change what it reads.
  bool IsWaiting() const { return task_ && !task_->IsDone(); }
  // True while a cycle reads the snapshot: writes to the simulated API must wait.
  bool IsReadingSnapshot() const { return is_reading_; }
  // Releases a cycle that has ended. Returns false if there is none.
  bool TakeEnded();
  // Whether any cycle has started. Until then evaluations may use the snapshot.
  bool HasStarted() const { return num_cycles_ > 0; }

 private:
  Task<void> ScheduleOne(QueuedPodRef queued);
  bool MustSkip(const Pod& pod) const;
  void SkipPodSchedule(const QueuedPodInfo& queued);
  void PrepareForBinding(Attempt* attempt, ScheduleResult* result);
  Status Place(Attempt* attempt, const Symbol& host, bool is_trial, std::vector<PermitWait>* waits);
  void Reject(Status status, const Symbol& node, ScheduleResult* result) const;

  // Defined in pod_group_cycle.cc.
  std::vector<QueuedPodRef> PopPodGroup(const QueuedPodRef& first);
  Task<void> SchedulePodGroup(QueuedPodRef first);
  PodGroupCycle NewPodGroupCycle(const std::vector<QueuedPodRef>& pods) const;
  static Status DifferentSchedulers(const PodGroupCycle& group);
  void SetPlacement(const std::vector<const NodeInfo*>& nodes);
  Task<void> TryPodGroup(const std::vector<QueuedPodRef>& pods,
                         const std::vector<const NodeInfo*>& all, PodGroupCycle* group);
  Task<void> TryPlacements(const std::vector<QueuedPodRef>& pods,
                           const std::vector<const NodeInfo*>& all, PodGroupCycle* best);
  static Status ChoosePlacement(const Framework& framework,
                                const std::vector<PodGroupCycle>& feasible, size_t* chosen);
  Task<void> PlacePodGroup(PodGroupCycle* group);
  Task<void> PlaceMember(PodGroupMember* member, bool has_post_filter);
  void RevertPodGroup(PodGroupCycle* group);
  void DecidePodGroup(PodGroupCycle* group);
  void SubmitPodGroup(PodGroupCycle* group);
  void ReportPodGroup(const PodGroupCycle& group);
  Task<void> PatchPodGroup(PodGroupRef group, PodCondition condition);
  // Defined in pod_group_preemption.cc.
  Task<void> PreemptForPodGroup(const std::vector<QueuedPodRef>& pods,
                                const std::vector<const NodeInfo*>& all, PodGroupCycle* group);
  Task<Status> SelectVictims(const std::vector<QueuedPodRef>& pods,
                             const std::vector<const NodeInfo*>& all,
                             std::vector<PreemptionUnit>* units);
  void HideUnit(const PreemptionUnit& unit, bool is_hidden);
  void EndPreemptionTrial();

  Parts parts_;
  Options options_;
  uint64_t num_cycles_ = 0;
  bool is_reading_ = false;
  std::optional<Task<void>> task_;
  // The state before a trial that hides the units which a preemption might evict.
  std::optional<Cache::Savepoint> before_trial_;
};

}  // namespace stowage
