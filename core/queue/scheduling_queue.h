// SchedulingQueue decides which pod is scheduled next, and when a rejected pod is retried (spec
// 03).
//
// A pod is in at most one place: the active queue, a backoff queue, the unschedulable pool, or in
// flight. Nothing blocks and nothing runs by itself: set_now provides the time, and the caller
// triggers flushes.
// Counterpart: PriorityQueue of backend/queue/scheduling_queue.go, v1.36.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object_key.h"
#include "core/base/hash_map.h"
#include "core/config/features.h"
#include "core/framework/handle.h"
#include "core/framework/interface.h"
#include "core/framework/metrics.h"
#include "core/queue/backoff.h"
#include "core/queue/in_flight_events.h"
#include "core/queue/nominator.h"
#include "core/queue/queueing_hints.h"
#include "core/queue/unschedulable_pods.h"

namespace stowage {

// Receives what the queue does with pods.
class QueueObserver {
 public:
  virtual ~QueueObserver() = default;
  // A PreEnqueue plugin gates the pod for the first time, or for a new reason.
  virtual void OnGated(const QueuedPodInfo& pod, const Status& status) = 0;
  // A pod moved to another queue, or came back to one. `from` is empty for a new pod.
  virtual void OnMove(const QueuedPodInfo& pod, std::string_view from) = 0;
};

class SchedulingQueue : public PodActivator {
 public:
  struct Options {
    int64_t initial_backoff_us = 1'000'000;
    int64_t max_backoff_us = 10'000'000;  // 0: no backoff
    int64_t max_in_unschedulable_pods_us = int64_t{300} * 1'000'000;
    // The first flush of the unschedulable pool; it repeats every 30 s.
    Instant start_time;
    // Whether the observer reads the moves. Else it may miss those of gated pods that stay gated.
    bool has_moves = true;
  };
  struct Profile {
    QueueingHintMap hints;
    // Runs PreEnqueue of all plugins, that of the plugin `first` before the others.
    std::function<Status(const Pod&, const Symbol& first)> pre_enqueue;
  };
  using PreCheck = std::function<bool(const Pod&)>;

  // `profiles` is keyed by scheduler name; it and all references must outlive the queue.
  SchedulingQueue(const Options& options, const std::map<Symbol, Profile>& profiles,
                  const Features& features, const QueueSortPlugin& queue_sort, Nominator& nominator,
                  QueueObserver& observer, Metrics& metrics);

  void set_now(Instant now) { now_ = now; }
  // Takes the queued pods of another queue with the same profiles. Pods in flight are left to it.
  void CopyStateFrom(const SchedulingQueue& other);
  // Exchanges the pods of two queues with the same profiles, those in flight included.
  void Swap(SchedulingQueue* other);

  void Add(const PodInfoRef& pod);
  void Update(const PodRef& old_pod, const PodInfoRef& new_pod);
  void Delete(const Pod& pod);

  // Whether Pop would return a pod.
  bool HasPodToPop() const;
  // Pops the next pod, which is then in flight; null if there is none. An idle scheduler takes pods
  // out of backoff early, except those that are in backoff after an error.
  QueuedPodRef Pop();
  // Reads what Pop will read of the next active pod (base/read_ahead.h) and returns the pod; null
  // if no pod is active.
  const Pod* ReadNextAhead() const;
  // Takes this pod out of its queue; it is then in flight. Null if it is in no queue, or if it is
  // gated: then `*gated` is the status.
  QueuedPodRef PopSpecific(const ObjectKey& key, Status* gated);
  bool IsInFlight(const Symbol& uid) const { return in_flight_.Contains(uid); }
  void Done(const Symbol& uid) { in_flight_.Done(uid); }
  // Whether a pod waits for events, or a pod in flight may need them later.
  bool HasListeners() const { return !unschedulable_.empty() || !in_flight_.empty(); }
  // Returns a pod to the queue after a failed attempt. If a pod of that name is queued already,
  // returns an error in upstream's words.
  std::optional<std::string> AddUnschedulableIfNotPresent(const QueuedPodRef& pod);

  // Moves the pods whose rejectors consider the event relevant. `pre_check` may be empty.
  void MoveAllToActiveOrBackoffQueue(const ClusterEvent& event, const EventObjects& objects,
                                     const PreCheck& pre_check = nullptr);
  void Activate(const std::vector<PodRef>& pods) override;

  // Moves what is due: pods whose backoff is over, and pods that have been unschedulable for too
  // long.
  void FlushBackoffQCompleted();
  void FlushUnschedulablePodsLeftover();
  // When the next flush with any pod to move is due; nullopt if there is none.
  std::optional<Instant> NextBackoffFlush();
  std::optional<Instant> NextLeftoverFlush() const;

  // Whether any plugin registered such events; and for which kinds of change of a resource.
  bool IsInterestedIn(const ClusterEvent& event) const;
  ActionType ActionsFor(EventResource resource, const Symbol& other = {}) const;

  size_t NumActive() const { return active_.size(); }
  size_t NumBackoff() const { return backoff_.size() + error_backoff_.size(); }
  // In the order of Pop.
  std::vector<QueuedPodRef> ActivePods() const { return PodsOf(active_); }
  std::vector<QueuedPodRef> BackoffPods() const { return PodsOf(backoff_); }
  // Sorted by end of backoff, then by name.
  std::vector<QueuedPodRef> ErrorBackoffPods() const;
  std::vector<QueuedPodRef> UnschedulablePodList() const { return unschedulable_.Pods(); }
  std::vector<PodRef> InFlightPods() const { return in_flight_.Pods(); }
  // Sets the gauges of pending pods and of events kept for pods in flight.
  void SetGauges() const;
  Instant BackoffExpirationOf(const QueuedPodRef& pod) const {
    return backoff_time_.ExpirationOf(*pod);
  }
  // The pod's record and the name of its queue; null if it is in no queue.
  QueuedPodRef Find(const ObjectKey& key, std::string_view* queue) const;

 private:
  enum class Place : uint8_t { kActive, kBackoff, kErrorBackoff, kUnschedulable };
  // A pod with its sort keys as of its insertion.
  struct Entry {
    Instant backoff_end;  // zero Instant for active pods
    std::optional<QueueSortKey> key;
    uint64_t sequence;
    QueuedPodRef pod;
  };
  // Orders by end of backoff, then by QueueSort; `queue_sort` is null if the order ignores it.
  struct Order {
    const QueueSortPlugin* queue_sort;
    bool operator()(const Entry& a, const Entry& b) const;
  };
  using SortedPods = std::set<Entry, Order>;
  struct Slot {
    QueuedPodRef pod;
    Place place;
    SortedPods::const_iterator position;  // unused in the pool
  };
  using Slots = HashMap<ObjectKey, Slot, ObjectKeyNumber>;

  void CopyPods(const SortedPods& from, Place place);
  static std::string_view NameOf(Place place);
  static ObjectKey KeyOf(const QueuedPodInfo& pod) { return ObjectKey::Of(pod.pod().metadata); }
  static std::vector<QueuedPodRef> PodsOf(const SortedPods& sorted);
  void SetTimestamp(QueuedPodInfo* pod);
  // Null for the pool.
  SortedPods* SortedPodsOf(Place place);
  void Insert(const QueuedPodRef& pod, Place place);
  void Remove(Slots::const_iterator slot);
  // Removes the pod from its queue and returns the queue's name; empty if it is in no queue.
  std::string_view RemoveIfQueued(const ObjectKey& key);
  void RecordMove(const QueuedPodRef& pod, QueueMove move, std::string_view from);
  Status RunPreEnqueue(const QueuedPodInfo& pod) const;
  bool RecordGate(QueuedPodInfo* pod, const Status& status);
  bool PassPreEnqueue(const QueuedPodRef& pod, QueueMove* move, std::string_view* from);
  void Gate(const QueuedPodRef& pod, QueueMove move, std::string_view from);
  bool MoveToActive(const QueuedPodRef& pod, QueueMove move, bool from_backoff);
  bool MoveToBackoff(const QueuedPodRef& pod, QueueMove move);
  bool Requeue(const QueuedPodRef& pod, const QueueingVerdict& verdict, std::string_view event);
  QueueingVerdict WorthOf(const QueuedPodInfo& pod, const ClusterEvent& event,
                          const EventObjects& objects) const;
  QueueingVerdict StrategyForInFlight(const QueuedPodInfo& pod, std::string* label) const;
  bool MayEventUngate(const UnschedulablePods::GroupKey& key, const ClusterEvent& event) const;
  // Pods of one group whose rejectors registered the event, with their hints' verdicts.
  using Moves = std::vector<std::pair<QueuedPodRef, QueueingVerdict>>;
  struct Change {
    const ClusterEvent& event;
    const EventObjects& objects;
  };
  void CollectMoves(const UnschedulablePods::GroupKey& key, const UnschedulablePods::Group& group,
                    const Change& change, const PreCheck& pre_check, Moves* moves);
  static void CollectAlike(const UnschedulablePods::Group& group,
                           const std::vector<QueueingHintMap::Listener>& listeners,
                           bool has_pending, const EventObjects& objects, Moves* moves);
  static void AppendByName(Moves* added, Moves* moves);
  using Listeners = std::vector<QueueingHintMap::Listener>;
  // Virtual for the linker, which would make deferred code with one caller a part of that caller.
  virtual bool CollectGated(const UnschedulablePods::GroupKey& key, const Listeners& listeners,
                            const Change& change, Moves* moves);
  void CollectPodGroup(const QueueingVerdict& verdict, const ClusterEvent& event,
                       GatedPods::Alike* alike, Moves* moves);
  void CollectUnasked(uint64_t gate_changes, const QueueingVerdict& verdict,
                      const ClusterEvent& event, GatedPods::Alike* alike, Moves* moves);
  void ShareMove(const QueueingVerdict& verdict, const ClusterEvent& event,
                 GatedPods::Alike* alike);
  const QueuedPodRef* EarliestInBackoff() const;
  bool GoInFlight(const QueuedPodRef& pod);
  void CountIncoming(Place place, std::string_view event);
  void AddToUnschedulablePods(const QueuedPodInfo& pod, int64_t amount);
  void ReplacePod(const QueuedPodRef& queued, Place place, const Pod& old_pod,
                  const PodInfoRef& new_pod);

  Options options_;
  const std::map<Symbol, Profile>& profiles_;
  const Features& features_;
  Nominator& nominator_;
  QueueObserver& observer_;
  Metrics& metrics_;
  Backoff backoff_time_;
  const QueueSortPlugin& queue_sort_;
  Instant now_;
  uint64_t sequence_ = 0;
  std::optional<Instant> last_leftover_flush_;

  SortedPods active_;
  SortedPods backoff_;
  SortedPods error_backoff_;
  UnschedulablePods unschedulable_;
  Slots slots_;
  InFlightEvents in_flight_;
};

}  // namespace stowage
