// The moves of waiting pods between the queues (spec 03 §4, §6, §7).
#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/stable_sort.h"
#include "core/queue/scheduling_queue.h"

namespace stowage {
namespace {

constexpr std::string_view kPodAdd = "UnschedulablePodAdd";
constexpr std::string_view kPodUpdate = "UnschedulablePodUpdate";

// Whether `status` of PreEnqueue leaves the pod gated as it is.
bool IsGatedAsBefore(const QueuedPodInfo& pod, const Status& status) {
  return !status.IsSuccess() && pod.gating_plugin == status.plugin() &&
         pod.unschedulable_plugins.contains(status.plugin()) &&
         pod.gating_message == status.Message();
}

}  // namespace

void SchedulingQueue::RecordMove(const QueuedPodRef& pod, QueueMove move, std::string_view from) {
  pod->last_move = std::move(move);
  pod->moved = ++sequence_;
  observer_.OnMove(*pod, from);
}

Status SchedulingQueue::RunPreEnqueue(const QueuedPodInfo& pod) const {
  auto profile = profiles_.find(pod.pod().spec.scheduler_name);
  CHECK(profile != profiles_.end());
  bool is_gate_first = features_.behaviour.gating_plugin_selects_events;
  return profile->second.pre_enqueue(pod.pod(), is_gate_first ? pod.gating_plugin : Symbol());
}

// Records the gate that PreEnqueue found, if any. Returns true if the pod is not gated.
bool SchedulingQueue::RecordGate(QueuedPodInfo* pod, const Status& status) {
  if (status.IsSuccess()) {
    pod->gating_plugin = Symbol();
    pod->gating_message.clear();
    return true;
  }
  bool is_counted = pod->unschedulable_plugins.contains(status.plugin()) ||
                    pod->pending_plugins.contains(status.plugin());
  pod->unschedulable_plugins.insert(status.plugin());
  if (!is_counted) {
    metrics_.Add(Metric::kUnschedulablePods,
                 {status.plugin().view(), pod->pod().spec.scheduler_name.view()});
  }
  std::string message = status.Message();
  bool is_changed = pod->gating_plugin != status.plugin() || pod->gating_message != message;
  pod->gating_plugin = status.plugin();
  pod->gating_message = std::move(message);
  if (is_changed) observer_.OnGated(*pod, status);
  return false;
}

// Takes the pod out of its place and returns true if PreEnqueue passes it. Else returns false, and
// the pod goes to the pool. A pod of the pool that is gated as before stays untouched there: an
// event may concern thousands of such pods.
bool SchedulingQueue::PassPreEnqueue(const QueuedPodRef& pod, QueueMove* move,
                                     std::string_view* from) {
  Status status = RunPreEnqueue(*pod);
  auto slot = slots_.find(KeyOf(*pod));
  bool is_in_pool = slot != slots_.end() && slot->second.place == Place::kUnschedulable;
  if (is_in_pool && IsGatedAsBefore(*pod, status)) {
    move->queue = NameOf(Place::kUnschedulable);
    RecordMove(pod, std::move(*move), NameOf(Place::kUnschedulable));
    return false;
  }
  *from = RemoveIfQueued(KeyOf(*pod));
  if (RecordGate(pod.get(), status)) return true;
  Gate(pod, std::move(*move), *from);
  return false;
}

void SchedulingQueue::Gate(const QueuedPodRef& pod, QueueMove move, std::string_view from) {
  Insert(pod, Place::kUnschedulable);
  bool is_new = from != NameOf(Place::kUnschedulable);
  if (is_new) CountIncoming(Place::kUnschedulable, move.event.view());
  move.queue = NameOf(Place::kUnschedulable);
  RecordMove(pod, std::move(move), from);
}

// Returns true if the pod is active now; false if it is gated and in the pool.
bool SchedulingQueue::MoveToActive(const QueuedPodRef& pod, QueueMove move, bool from_backoff) {
  std::string_view from;
  // Without that feature, PreEnqueue runs when a pod leaves backoff, because no pod is popped
  // early.
  if (from_backoff && features_.scheduler_pop_from_backoff_q) {
    from = RemoveIfQueued(KeyOf(*pod));
  } else if (!PassPreEnqueue(pod, &move, &from)) {
    return false;
  }
  if (!pod->initial_attempt_timestamp) pod->initial_attempt_timestamp = now_;
  Insert(pod, Place::kActive);
  CountIncoming(Place::kActive, move.event.view());
  // From now on the nomination in the pod's status counts.
  if (move.event == kPodAdd || move.event == kPodUpdate) {
    nominator_.AddNominatedPod(pod->pod_info, std::nullopt);
  }
  move.queue = NameOf(Place::kActive);
  RecordMove(pod, std::move(move), from);
  return true;
}

bool SchedulingQueue::MoveToBackoff(const QueuedPodRef& pod, QueueMove move) {
  std::string_view from;
  if (!features_.scheduler_pop_from_backoff_q) {
    from = RemoveIfQueued(KeyOf(*pod));
  } else if (!PassPreEnqueue(pod, &move, &from)) {
    return false;
  }
  bool is_error = pod->unschedulable_plugins.empty() && pod->pending_plugins.empty();
  Place place = is_error ? Place::kErrorBackoff : Place::kBackoff;
  Insert(pod, place);
  CountIncoming(place, move.event.view());
  move.queue = NameOf(place);
  RecordMove(pod, std::move(move), from);
  return true;
}

// Returns true if the pod is active or in backoff now.
bool SchedulingQueue::Requeue(const QueuedPodRef& pod, const QueueingVerdict& verdict,
                              std::string_view event) {
  std::string hint = verdict.plugin.empty() ? "" : "Queue";
  QueueMove move{Symbol(event), verdict.plugin, std::move(hint), {}, now_};
  if (verdict.strategy == QueueingStrategy::kSkip) {
    // Reached only after an attempt, when the pod is in no queue.
    move.queue = NameOf(Place::kUnschedulable);
    Insert(pod, Place::kUnschedulable);
    CountIncoming(Place::kUnschedulable, move.event.view());
    RecordMove(pod, std::move(move), {});
    return false;
  }
  bool is_backing_off =
      verdict.strategy == QueueingStrategy::kAfterBackoff && backoff_time_.IsBackingOff(*pod, now_);
  return is_backing_off ? MoveToBackoff(pod, std::move(move))
                        : MoveToActive(pod, std::move(move), false);
}

QueueingVerdict SchedulingQueue::WorthOf(const QueuedPodInfo& pod, const ClusterEvent& event,
                                         const EventObjects& objects) const {
  Rejectors rejectors{pod.unschedulable_plugins, pod.pending_plugins};
  if (rejectors.empty()) return {QueueingStrategy::kAfterBackoff};
  if (event.IsWildcard()) {
    if (!objects.new_object) return {QueueingStrategy::kAfterBackoff};
    const Pod* activated = objects.New<Pod>();
    bool is_meant = activated != nullptr && activated->metadata.uid == pod.pod_info->uid();
    return {is_meant ? QueueingStrategy::kAfterBackoff : QueueingStrategy::kSkip};
  }
  auto profile = profiles_.find(pod.pod().spec.scheduler_name);
  if (profile == profiles_.end()) return {QueueingStrategy::kAfterBackoff};
  return QueueingHintMap::RunHints(profile->second.hints.ListenersOf(event, rejectors),
                                   !pod.pending_plugins.empty(), pod.pod(), objects);
}

QueueingVerdict SchedulingQueue::StrategyForInFlight(const QueuedPodInfo& pod,
                                                     std::string* label) const {
  bool is_rejected = !pod.unschedulable_plugins.empty() || !pod.pending_plugins.empty();
  const Symbol& uid = pod.pod_info->uid();
  bool is_in_group = features_.generic_workload && pod.pod().spec.scheduling_group;
  if (!is_rejected || is_in_group || !in_flight_.Contains(uid)) {
    return {QueueingStrategy::kAfterBackoff};
  }
  QueueingVerdict result;
  for (const InFlightEvents::Event* missed : in_flight_.EventsSince(uid)) {
    QueueingVerdict verdict = WorthOf(pod, missed->event, missed->objects);
    if (verdict.strategy == QueueingStrategy::kSkip) continue;
    bool is_settled =
        verdict.strategy == QueueingStrategy::kImmediately || pod.pending_plugins.empty();
    if (is_settled || result.strategy == QueueingStrategy::kSkip) {
      result = verdict;
      *label = missed->event.Label();
    }
    if (is_settled) break;
  }
  return result;
}

bool SchedulingQueue::IsInterestedIn(const ClusterEvent& event) const {
  if (event.IsWildcard()) return true;
  return std::any_of(profiles_.begin(), profiles_.end(), [&event](const auto& profile) {
    return profile.second.hints.IsInterestedIn(event);
  });
}

ActionType SchedulingQueue::ActionsFor(EventResource resource, const Symbol& other) const {
  ActionType actions = 0;
  for (const auto& [name, profile] : profiles_) {
    actions |= profile.hints.ActionsFor(resource, other);
  }
  return actions;
}

// Only events that its gating plugin registered can ungate a pod; timeouts cannot.
bool SchedulingQueue::MayEventUngate(const UnschedulablePods::GroupKey& key,
                                     const ClusterEvent& event) const {
  if (!features_.behaviour.gating_plugin_selects_events) {
    return !key.unschedulable_plugins.contains(Symbol("SchedulingGates"));
  }
  return std::any_of(profiles_.begin(), profiles_.end(), [&](const auto& profile) {
    return profile.second.hints.HasRegistered(key.gating_plugin, event);
  });
}

void SchedulingQueue::CollectMoves(const UnschedulablePods::GroupKey& key,
                                   const UnschedulablePods::Group& group, const Change& change,
                                   const PreCheck& pre_check, Moves* moves) {
  const ClusterEvent& event = change.event;
  bool is_gated = !key.gating_plugin.empty();
  if (is_gated && !MayEventUngate(key, event)) return;
  Rejectors rejectors{key.unschedulable_plugins, key.pending_plugins};
  auto profile = profiles_.find(key.scheduler_name);
  bool is_hinted = !event.IsWildcard() && !rejectors.empty() && profile != profiles_.end();
  std::vector<QueueingHintMap::Listener> listeners;
  if (is_hinted) {
    listeners = profile->second.hints.ListenersOf(event, rejectors);
    if (listeners.empty()) return;
  }
  if (is_hinted && pre_check == nullptr) {
    bool is_gate_shared = is_gated && listeners[0].registered->IsGateShared();
    if (is_gate_shared && CollectGated(key, listeners, change, moves)) return;
    if (QueueingHintMap::ReadSharedParts(listeners, event)) {
      return CollectAlike(group, listeners, !key.pending_plugins.empty(), change.objects, moves);
    }
  }
  for (const auto& [name, pod] : group.pods) {
    if (pre_check != nullptr && !pre_check(pod->pod())) continue;
    QueueingVerdict verdict =
        is_hinted ? QueueingHintMap::RunHints(listeners, !key.pending_plugins.empty(), pod->pod(),
                                              change.objects)
                  : WorthOf(*pod, event, change.objects);
    if (verdict.strategy != QueueingStrategy::kSkip) moves->emplace_back(pod, verdict);
  }
}

// Asks once for all pods that are alike. The pods move in the order of their names, as they would
// one by one.
void SchedulingQueue::CollectAlike(const UnschedulablePods::Group& group,
                                   const std::vector<QueueingHintMap::Listener>& listeners,
                                   bool has_pending, const EventObjects& objects, Moves* moves) {
  Moves alike;
  for (const auto& [parts, pods] : group.alike) {
    const Pod& first = pods.begin()->second->pod();
    QueueingVerdict verdict = QueueingHintMap::RunHints(listeners, has_pending, first, objects);
    if (verdict.strategy == QueueingStrategy::kSkip) continue;
    for (const auto& [name, pod] : pods) alike.emplace_back(pod, verdict);
  }
  AppendByName(&alike, moves);
}

void SchedulingQueue::AppendByName(Moves* added, Moves* moves) {
  StableSort(added, [](const auto& a, const auto& b) { return KeyOf(*a.first) < KeyOf(*b.first); });
  for (auto& move : *added) moves->push_back(std::move(move));
}

// Asks the gate once for many pods. Returns false if one answer is not enough: other listeners may
// want other pods, another gate may be asked first, pods may enter backoff without PreEnqueue, or
// the observer reads each move.
bool SchedulingQueue::CollectGated(const UnschedulablePods::GroupKey& key,
                                   const Listeners& listeners, const Change& change, Moves* moves) {
  bool is_gate_alone = listeners.size() == 1 && listeners[0].plugin == key.gating_plugin;
  bool is_asked_first = features_.behaviour.gating_plugin_selects_events;
  bool is_asked_always = features_.scheduler_pop_from_backoff_q;
  if (!is_gate_alone || !is_asked_first || !is_asked_always || options_.has_moves) return false;
  const ClusterEventWithHint& registered = *listeners[0].registered;
  GatedPods& gated = unschedulable_.GatedPodsOf(key, registered.is_of_pod_group);
  auto hint_for = [&](const GatedPods::Alike& alike) {
    return QueueingHintMap::RunHints(listeners, !key.pending_plugins.empty(),
                                     alike.pods.begin()->second->pod(), change.objects);
  };
  if (registered.gate_changes != nullptr) {
    CollectUnasked(*registered.gate_changes, hint_for(gated.All()), change.event, &gated.All(),
                   moves);
    return true;
  }
  Moves ungated;
  for (GatedPods::Alike* alike : gated.Of(change.objects)) {
    QueueingVerdict verdict = hint_for(*alike);
    if (verdict.strategy != QueueingStrategy::kSkip) {
      CollectPodGroup(verdict, change.event, alike, &ungated);
    }
  }
  AppendByName(&ungated, moves);
  return true;
}

// If the pods of a pod group stay gated as they are, only their last move changes.
void SchedulingQueue::CollectPodGroup(const QueueingVerdict& verdict, const ClusterEvent& event,
                                      GatedPods::Alike* alike, Moves* moves) {
  const QueuedPodInfo& first = *alike->pods.begin()->second;
  if (IsGatedAsBefore(first, RunPreEnqueue(first))) return ShareMove(verdict, event, alike);
  for (const auto& [name, pod] : alike->pods) moves->emplace_back(pod, verdict);
}

// Only the last move changes of pods that were asked since the last change.
void SchedulingQueue::CollectUnasked(uint64_t gate_changes, const QueueingVerdict& verdict,
                                     const ClusterEvent& event, GatedPods::Alike* alike,
                                     Moves* moves) {
  bool is_same = alike->gate_changes == gate_changes;
  if (is_same) ShareMove(verdict, event, alike);
  for (const auto& [name, pod] : is_same ? alike->unasked : alike->pods) {
    moves->emplace_back(pod, verdict);
  }
  alike->gate_changes = gate_changes;
  alike->unasked.clear();
}

void SchedulingQueue::ShareMove(const QueueingVerdict& verdict, const ClusterEvent& event,
                                GatedPods::Alike* alike) {
  alike->last_move = {Symbol(event.Label()), verdict.plugin, "Queue", NameOf(Place::kUnschedulable),
                      now_};
  alike->moved = ++sequence_;
}

void SchedulingQueue::MoveAllToActiveOrBackoffQueue(const ClusterEvent& event,
                                                    const EventObjects& objects,
                                                    const PreCheck& pre_check) {
  if (!HasListeners() || !IsInterestedIn(event)) return;
  Moves moves;
  for (const auto& [key, group] : unschedulable_.groups()) {
    CollectMoves(key, group, {event, objects}, pre_check, &moves);
  }
  std::string label = moves.empty() ? std::string() : event.Label();
  for (const auto& [pod, verdict] : moves) Requeue(pod, verdict, label);
  in_flight_.AddEvent(event, objects);
}

void SchedulingQueue::Activate(const std::vector<PodRef>& pods) {
  ClusterEvent event = ForceActivateEvent();
  for (const PodRef& pod : pods) {
    auto found = slots_.find(ObjectKey::Of(pod->metadata));
    QueueMove move{Symbol(event.Label()), {}, {}, {}, now_};
    if (found == slots_.end()) {
      if (in_flight_.Contains(pod->metadata.uid)) {
        in_flight_.AddEvent(event, {std::nullopt, AnyObject(pod)});
      }
      continue;
    }
    Slot slot = found->second;
    if (slot.place == Place::kActive) continue;
    MoveToActive(slot.pod, std::move(move), slot.place != Place::kUnschedulable);
  }
}

}  // namespace stowage
