#include "core/queue/scheduling_queue.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

constexpr int64_t kLeftoverFlushPeriodUs = int64_t{30} * 1'000'000;

constexpr std::string_view kScheduleAttemptFailure = "ScheduleAttemptFailure";
constexpr std::string_view kBackoffComplete = "BackoffComplete";
constexpr std::string_view kPopFromBackoffQ = "PopFromBackoffQ";

Rejectors RejectorsOf(const QueuedPodInfo& pod) {
  return {pod.unschedulable_plugins, pod.pending_plugins};
}

}  // namespace

bool SchedulingQueue::Order::operator()(const Entry& a, const Entry& b) const {
  if (a.backoff_end != b.backoff_end) return a.backoff_end < b.backoff_end;
  if (queue_sort == nullptr) return a.sequence < b.sequence;
  if (a.key) {
    if (*a.key != *b.key) return *a.key < *b.key;
  } else {
    if (queue_sort->Less(*a.pod, *b.pod)) return true;
    if (queue_sort->Less(*b.pod, *a.pod)) return false;
  }
  return a.sequence < b.sequence;
}

SchedulingQueue::SchedulingQueue(const Options& options, const std::map<Symbol, Profile>& profiles,
                                 const Features& features, const QueueSortPlugin& queue_sort,
                                 Nominator& nominator, QueueObserver& observer, Metrics& metrics)
    : options_(options),
      profiles_(profiles),
      features_(features),
      nominator_(nominator),
      observer_(observer),
      metrics_(metrics),
      backoff_time_(options.initial_backoff_us, options.max_backoff_us,
                    features.scheduler_pop_from_backoff_q,
                    features.behaviour.backoff_counts_failures),
      queue_sort_(queue_sort),
      now_(options.start_time),
      active_(Order{&queue_sort}),
      backoff_(Order{features.scheduler_pop_from_backoff_q ? &queue_sort : nullptr}),
      error_backoff_(Order{nullptr}) {}

std::string_view SchedulingQueue::NameOf(Place place) {
  switch (place) {
    case Place::kActive:
      return "active";
    case Place::kBackoff:
    case Place::kErrorBackoff:
      return "backoff";
    case Place::kUnschedulable:
      return "unschedulable";
  }
  CHECK(false);
}

// All of a turn has one time; the sequence orders pods that enter a queue in the same turn.
void SchedulingQueue::SetTimestamp(QueuedPodInfo* pod) {
  pod->timestamp = now_;
  pod->sequence = ++sequence_;
}

SchedulingQueue::SortedPods* SchedulingQueue::SortedPodsOf(Place place) {
  switch (place) {
    case Place::kActive:
      return &active_;
    case Place::kBackoff:
      return &backoff_;
    case Place::kErrorBackoff:
      return &error_backoff_;
    case Place::kUnschedulable:
      return nullptr;
  }
  CHECK(false);
}

STOWAGE_COLD void SchedulingQueue::CopyStateFrom(const SchedulingQueue& other) {
  CHECK(slots_.empty() && in_flight_.empty());
  now_ = other.now_;
  sequence_ = other.sequence_;
  last_leftover_flush_ = other.last_leftover_flush_;
  CopyPods(other.active_, Place::kActive);
  CopyPods(other.backoff_, Place::kBackoff);
  CopyPods(other.error_backoff_, Place::kErrorBackoff);
  for (const QueuedPodRef& pod : other.unschedulable_.Pods()) {
    auto copy = std::make_shared<QueuedPodInfo>(*pod);
    slots_.try_emplace(KeyOf(*copy), Slot{copy, Place::kUnschedulable, {}});
    unschedulable_.Add(copy);
  }
}

STOWAGE_COLD void SchedulingQueue::Swap(SchedulingQueue* other) {
  std::swap(now_, other->now_);
  std::swap(sequence_, other->sequence_);
  std::swap(last_leftover_flush_, other->last_leftover_flush_);
  active_.swap(other->active_);
  backoff_.swap(other->backoff_);
  error_backoff_.swap(other->error_backoff_);
  std::swap(unschedulable_, other->unschedulable_);
  std::swap(slots_, other->slots_);
  std::swap(in_flight_, other->in_flight_);
}

// The keys of the entries stay: they are as of the pods' insertion.
STOWAGE_COLD void SchedulingQueue::CopyPods(const SortedPods& from, Place place) {
  SortedPods& to = *SortedPodsOf(place);
  for (Entry entry : from) {
    entry.pod = std::make_shared<QueuedPodInfo>(*entry.pod);
    QueuedPodRef pod = entry.pod;
    slots_.try_emplace(KeyOf(*pod), Slot{pod, place, to.insert(to.end(), std::move(entry))});
  }
}

void SchedulingQueue::Insert(const QueuedPodRef& pod, Place place) {
  auto [key, slot, is_new] = slots_.try_emplace(KeyOf(*pod), Slot{pod, place, {}});
  CHECK(is_new);
  SortedPods* sorted = SortedPodsOf(place);
  if (sorted == nullptr) {
    pod->moved = ++sequence_;  // earlier moves of other pods are not its own
    return unschedulable_.Add(pod);
  }
  Instant backoff_end = sorted == &active_ ? Instant() : backoff_time_.ExpirationOf(*pod);
  auto [position, is_other] =
      sorted->insert({backoff_end, queue_sort_.KeyOf(*pod), pod->sequence, pod});
  CHECK(is_other);
  slot.position = position;
}

void SchedulingQueue::Remove(Slots::const_iterator slot) {
  const auto& [pod, place, position] = slot->second;
  if (SortedPods* sorted = SortedPodsOf(place); sorted != nullptr) {
    sorted->erase(position);
  } else {
    unschedulable_.Remove(pod);
  }
  slots_.erase(slot);
}

std::string_view SchedulingQueue::RemoveIfQueued(const ObjectKey& key) {
  auto slot = slots_.find(key);
  if (slot == slots_.end()) return {};
  std::string_view from = NameOf(slot->second.place);
  Remove(slot);
  return from;
}

void SchedulingQueue::Add(const PodInfoRef& pod) {
  auto queued = std::make_shared<QueuedPodInfo>();
  queued->pod_info = pod;
  SetTimestamp(queued.get());
  static const Symbol kLabel(UnscheduledPodEvent(action::kAdd).Label());
  MoveToActive(queued, {kLabel, {}, {}, {}, now_}, false);
}

void SchedulingQueue::ReplacePod(const QueuedPodRef& queued, Place place, const Pod& old_pod,
                                 const PodInfoRef& new_pod) {
  RemoveIfQueued(KeyOf(*queued));
  queued->pod_info = new_pod;
  Insert(queued, place);
  nominator_.UpdateNominatedPod(old_pod, new_pod);
}

void SchedulingQueue::Update(const PodRef& old_pod, const PodInfoRef& new_pod) {
  EventObjects objects{AnyObject(old_pod), AnyObject(new_pod->pod)};
  std::vector<ClusterEvent> events =
      PodSchedulingPropertiesChange(*old_pod, *new_pod->pod, features_);
  if (in_flight_.Contains(new_pod->uid())) {
    for (const ClusterEvent& event : events) in_flight_.AddEvent(event, objects);
    return;
  }
  auto found = slots_.find(ObjectKey::Of(new_pod->pod->metadata));
  if (found == slots_.end()) {
    auto queued = std::make_shared<QueuedPodInfo>();
    queued->pod_info = new_pod;
    SetTimestamp(queued.get());
    ClusterEvent event = UnscheduledPodEvent(action::kUpdate);
    MoveToActive(queued, {Symbol(event.Label()), {}, {}, {}, now_}, false);
    return;
  }
  Slot slot = found->second;
  ReplacePod(slot.pod, slot.place, *old_pod, new_pod);
  if (slot.place != Place::kUnschedulable) return;
  for (const ClusterEvent& event : events) {
    QueueingVerdict verdict = WorthOf(*slot.pod, event, objects);
    if (verdict.strategy == QueueingStrategy::kSkip) continue;
    if (Requeue(slot.pod, verdict, event.Label())) return;
  }
}

void SchedulingQueue::Delete(const Pod& pod) {
  nominator_.DeleteNominatedPod(pod.metadata.uid);
  ObjectKey key = ObjectKey::Of(pod.metadata);
  auto found = slots_.find(key);
  // For pods in the other queues the gauge is not decremented, as upstream.
  bool is_in_pool = found != slots_.end() && found->second.place == Place::kUnschedulable;
  if (is_in_pool) AddToUnschedulablePods(*found->second.pod, -1);
  if (found != slots_.end()) Remove(found);
}

bool SchedulingQueue::HasPodToPop() const {
  return !active_.empty() || EarliestInBackoff() != nullptr;
}

// The first pod that may leave backoff early; null if there is none. Pods of groups always return
// to backoff, so they wait until time has passed: without a clock, a group that does not fit would
// be tried without end.
const QueuedPodRef* SchedulingQueue::EarliestInBackoff() const {
  if (!features_.scheduler_pop_from_backoff_q) return nullptr;
  for (const Entry& entry : backoff_) {
    bool is_in_group = features_.generic_workload && entry.pod->pod().spec.scheduling_group;
    if (!is_in_group || entry.pod->timestamp < now_) return &entry.pod;
  }
  return nullptr;
}

bool SchedulingQueue::GoInFlight(const QueuedPodRef& pod) {
  ++pod->attempts;
  if (!in_flight_.AddPod(pod->pod_info->pod)) return false;
  AddToUnschedulablePods(*pod, -1);
  nominator_.ForgetPodInfo(pod->pod());
  return true;
}

QueuedPodRef SchedulingQueue::Pop() {
  while (HasPodToPop()) {
    bool is_early = active_.empty();
    QueuedPodRef pod = is_early ? *EarliestInBackoff() : active_.begin()->pod;
    pod->popped_from = is_early ? "backoff" : "active";
    if (is_early) CountIncoming(Place::kActive, kPopFromBackoffQ);
    RemoveIfQueued(KeyOf(*pod));
    if (GoInFlight(pod)) return pod;
  }
  return nullptr;
}

const Pod* SchedulingQueue::ReadNextAhead() const {
  auto first = active_.begin();
  if (first == active_.end()) return nullptr;
  // Removing the first entry changes its neighbours in the tree.
  if (auto second = std::next(first); second != active_.end()) ReadAhead(*second);
  const QueuedPodInfo& next = *first->pod;
  ReadAhead(next);
  ReadAhead(*next.pod_info);
  ReadAhead(next.pod());
  slots_.ReadAhead(KeyOf(next));
  return &next.pod();
}

STOWAGE_COLD QueuedPodRef SchedulingQueue::PopSpecific(const ObjectKey& key, Status* gated) {
  auto found = slots_.find(key);
  if (found == slots_.end()) return nullptr;
  Slot slot = found->second;
  if (slot.place == Place::kUnschedulable) {
    *gated = RunPreEnqueue(*slot.pod);
    if (!gated->IsSuccess()) return nullptr;
  }
  slot.pod->popped_from = NameOf(slot.place);
  if (!slot.pod->initial_attempt_timestamp) slot.pod->initial_attempt_timestamp = now_;
  Remove(found);
  slot.pod->gating_plugin = Symbol();
  slot.pod->gating_message.clear();
  return GoInFlight(slot.pod) ? slot.pod : nullptr;
}

std::optional<std::string> SchedulingQueue::AddUnschedulableIfNotPresent(const QueuedPodRef& pod) {
  Symbol uid = pod->pod_info->uid();
  if (auto found = slots_.find(KeyOf(*pod)); found != slots_.end()) {
    Done(uid);
    bool is_active = found->second.place == Place::kActive;
    return Format("Pod {}/{} is already present in {} queue", pod->pod().metadata.namespace_.view(),
                  pod->pod().metadata.name.view(),
                  is_active                                      ? "the active"
                  : found->second.place == Place::kUnschedulable ? "unschedulable"
                                                                 : "the backoff");
  }
  if (RejectorsOf(*pod).empty()) {
    ++pod->consecutive_errors_count;
  } else {
    ++pod->unschedulable_count;
    pod->consecutive_errors_count = 0;
  }
  SetTimestamp(pod.get());
  pod->backoff_expiration.reset();
  pod->was_flushed_from_unschedulable = false;
  AddToUnschedulablePods(*pod, 1);
  std::string label(kScheduleAttemptFailure);
  QueueingVerdict verdict = StrategyForInFlight(*pod, &label);
  Requeue(pod, verdict, label);
  Done(uid);
  return std::nullopt;
}

STOWAGE_COLD QueuedPodRef SchedulingQueue::Find(const ObjectKey& key,
                                                std::string_view* queue) const {
  auto found = slots_.find(key);
  if (found == slots_.end()) return nullptr;
  *queue = NameOf(found->second.place);
  if (found->second.place == Place::kUnschedulable)
    unschedulable_.SettleLastMove(found->second.pod);
  return found->second.pod;
}

void SchedulingQueue::FlushBackoffQCompleted() {
  Instant tick = FloorToSecond(now_);
  for (SortedPods* queue : {&backoff_, &error_backoff_}) {
    while (!queue->empty()) {
      QueuedPodRef pod = queue->begin()->pod;
      if (backoff_time_.IsBackingOff(*pod, tick)) break;
      MoveToActive(pod, {Symbol(kBackoffComplete), {}, {}, {}, now_}, true);
    }
  }
}

std::optional<Instant> SchedulingQueue::NextBackoffFlush() {
  std::optional<Instant> next;
  for (const SortedPods* queue : {&backoff_, &error_backoff_}) {
    if (queue->empty()) continue;
    Instant flush{queue->begin()->backoff_end.seconds + 1, 0};
    if (!next || flush < *next) next = flush;
  }
  return next;
}

STOWAGE_COLD void SchedulingQueue::FlushUnschedulablePodsLeftover() {
  int64_t since_start_us = now_.ToMicros() - options_.start_time.ToMicros();
  if (since_start_us < 0) return;
  Instant tick = Instant::FromMicros(now_.ToMicros() - since_start_us % kLeftoverFlushPeriodUs);
  if (last_leftover_flush_ && tick <= *last_leftover_flush_) return;
  last_leftover_flush_ = tick;
  Moves leftover;
  for (const auto& [key, group] : unschedulable_.groups()) {
    for (const auto& [name, pod] : group.pods) {
      int64_t age_us = tick.ToMicros() - pod->timestamp.ToMicros();
      if (age_us <= options_.max_in_unschedulable_pods_us) continue;
      if (pod->IsGated()) continue;
      leftover.emplace_back(pod, QueueingVerdict{QueueingStrategy::kAfterBackoff});
    }
  }
  if (leftover.empty()) return;
  ClusterEvent event = UnschedulableTimeoutEvent();
  for (const auto& [pod, verdict] : leftover) {
    pod->was_flushed_from_unschedulable = true;
    Requeue(pod, verdict, event.Label());
  }
  in_flight_.AddEvent(event, {});
}

std::optional<Instant> SchedulingQueue::NextLeftoverFlush() const {
  std::optional<Instant> oldest = unschedulable_.OldestTimestamp();
  if (!oldest) return std::nullopt;
  int64_t start_us = options_.start_time.ToMicros();
  // The first flush strictly after the pod's time in the pool is over, and after the last flush.
  int64_t expiry_us = oldest->ToMicros() + options_.max_in_unschedulable_pods_us - start_us;
  int64_t flush_us = start_us + (expiry_us / kLeftoverFlushPeriodUs + 1) * kLeftoverFlushPeriodUs;
  if (last_leftover_flush_) {
    flush_us = std::max(flush_us, last_leftover_flush_->ToMicros() + kLeftoverFlushPeriodUs);
  }
  return Instant::FromMicros(flush_us);
}

STOWAGE_COLD std::vector<QueuedPodRef> SchedulingQueue::PodsOf(const SortedPods& sorted) {
  std::vector<QueuedPodRef> pods;
  for (const Entry& entry : sorted) pods.push_back(entry.pod);
  return pods;
}

STOWAGE_COLD std::vector<QueuedPodRef> SchedulingQueue::ErrorBackoffPods() const {
  std::vector<QueuedPodRef> pods = PodsOf(error_backoff_);
  StableSort(&pods, [this](const auto& a, const auto& b) {
    Instant a_end = backoff_time_.ExpirationOf(*a);
    Instant b_end = backoff_time_.ExpirationOf(*b);
    return a_end != b_end ? a_end < b_end : KeyOf(*a) < KeyOf(*b);
  });
  return pods;
}

}  // namespace stowage
