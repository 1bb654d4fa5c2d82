#include "core/queue/scheduling_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace stowage {
namespace {

constexpr int64_t kLeftoverFlushPeriodUs = int64_t{30} * 1'000'000;

constexpr std::string_view kScheduleAttemptFailure = "ScheduleAttemptFailure";
constexpr std::string_view kBackoffComplete = "BackoffComplete";
constexpr std::string_view kPopFromBackoffQ = "PopFromBackoffQ";

ObjectKey KeyOf(const QueuedPodInfo& pod) { return ObjectKey::Of(pod.pod().metadata); }

Rejectors RejectorsOf(const QueuedPodInfo& pod) {
  return {pod.unschedulable_plugins, pod.pending_plugins};
}

}  // namespace

bool SchedulingQueue::ActiveOrder::operator()(const QueuedPodRef& a, const QueuedPodRef& b) const {
  if (queue_sort->Less(*a, *b)) return true;
  if (queue_sort->Less(*b, *a)) return false;
  return a->sequence < b->sequence;
}

bool SchedulingQueue::BackoffOrder::operator()(const QueuedPodRef& a, const QueuedPodRef& b) const {
  Instant a_end = backoff->ExpirationOf(*a);
  Instant b_end = backoff->ExpirationOf(*b);
  if (a_end != b_end) return a_end < b_end;
  if (queue_sort == nullptr) return a->sequence < b->sequence;
  return ActiveOrder{queue_sort}(a, b);
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
                    features.scheduler_pop_from_backoff_q),
      now_(options.start_time),
      active_(ActiveOrder{&queue_sort}),
      backoff_(BackoffOrder{features.scheduler_pop_from_backoff_q ? &queue_sort : nullptr,
                            &backoff_time_}),
      error_backoff_(BackoffOrder{nullptr, &backoff_time_}) {}

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

// A turn has one time; the sequence keeps pods apart that enter a queue in the same turn.
void SchedulingQueue::Stamp(QueuedPodInfo* pod) {
  pod->timestamp = now_;
  pod->sequence = ++sequence_;
}

void SchedulingQueue::Insert(const QueuedPodRef& pod, Place place) {
  bool is_new = slots_.emplace(KeyOf(*pod), Slot{pod, place}).second;
  CHECK(is_new);
  switch (place) {
    case Place::kActive:
      active_.insert(pod);
      break;
    case Place::kBackoff:
      backoff_.insert(pod);
      break;
    case Place::kErrorBackoff:
      error_backoff_.insert(pod);
      break;
    case Place::kUnschedulable:
      unschedulable_.Add(pod);
      break;
  }
}

void SchedulingQueue::Remove(const ObjectKey& key) {
  auto found = slots_.find(key);
  if (found == slots_.end()) return;
  const auto& [pod, place] = found->second;
  switch (place) {
    case Place::kActive:
      active_.erase(pod);
      break;
    case Place::kBackoff:
      backoff_.erase(pod);
      break;
    case Place::kErrorBackoff:
      error_backoff_.erase(pod);
      break;
    case Place::kUnschedulable:
      unschedulable_.Remove(pod);
      break;
  }
  slots_.erase(found);
}

void SchedulingQueue::Add(const PodInfoRef& pod) {
  auto queued = std::make_shared<QueuedPodInfo>();
  queued->pod_info = pod;
  Stamp(queued.get());
  ClusterEvent event = UnscheduledPodEvent(action::kAdd);
  MoveToActive(queued, {event.Label(), {}, {}, {}, now_}, false);
}

void SchedulingQueue::ReplacePod(const QueuedPodRef& queued, Place place, const Pod& old_pod,
                                 const PodInfoRef& new_pod) {
  Remove(KeyOf(*queued));
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
    Stamp(queued.get());
    ClusterEvent event = UnscheduledPodEvent(action::kUpdate);
    MoveToActive(queued, {event.Label(), {}, {}, {}, now_}, false);
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
  // Elsewhere the gauge keeps the pod, as upstream's does.
  bool is_in_pool = found != slots_.end() && found->second.place == Place::kUnschedulable;
  if (is_in_pool) AddToUnschedulablePods(*found->second.pod, -1);
  Remove(key);
}

bool SchedulingQueue::HasPodToPop() const {
  if (!active_.empty()) return true;
  return features_.scheduler_pop_from_backoff_q && !backoff_.empty();
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
    QueuedPodRef pod = is_early ? *backoff_.begin() : *active_.begin();
    pod->popped_from = is_early ? "backoff" : "active";
    if (is_early) CountIncoming(Place::kActive, kPopFromBackoffQ);
    Remove(KeyOf(*pod));
    if (GoInFlight(pod)) return pod;
  }
  return nullptr;
}

QueuedPodRef SchedulingQueue::PopSpecific(const ObjectKey& key, Status* gated) {
  auto found = slots_.find(key);
  if (found == slots_.end()) return nullptr;
  Slot slot = found->second;
  if (slot.place == Place::kUnschedulable) {
    const auto& profile = profiles_.find(slot.pod->pod().spec.scheduler_name);
    CHECK(profile != profiles_.end());
    *gated = profile->second.pre_enqueue(slot.pod->pod(), slot.pod->gating_plugin);
    if (!gated->IsSuccess()) return nullptr;
  }
  slot.pod->popped_from = NameOf(slot.place);
  Remove(key);
  slot.pod->gating_plugin = Symbol();
  slot.pod->gating_message.clear();
  return GoInFlight(slot.pod) ? slot.pod : nullptr;
}

std::optional<std::string> SchedulingQueue::AddUnschedulableIfNotPresent(const QueuedPodRef& pod) {
  Symbol uid = pod->pod_info->uid();
  if (auto found = slots_.find(KeyOf(*pod)); found != slots_.end()) {
    Done(uid);
    bool is_active = found->second.place == Place::kActive;
    return fmt::format("Pod {}/{} is already present in {} queue",
                       pod->pod().metadata.namespace_.view(), pod->pod().metadata.name.view(),
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
  Stamp(pod.get());
  pod->backoff_expiration.reset();
  pod->was_flushed_from_unschedulable = false;
  AddToUnschedulablePods(*pod, 1);
  std::string label(kScheduleAttemptFailure);
  QueueingVerdict verdict = StrategyForInFlight(*pod, &label);
  Requeue(pod, verdict, label);
  Done(uid);
  return std::nullopt;
}

QueuedPodRef SchedulingQueue::Find(const ObjectKey& key, std::string_view* queue) const {
  auto found = slots_.find(key);
  if (found == slots_.end()) return nullptr;
  *queue = NameOf(found->second.place);
  return found->second.pod;
}

void SchedulingQueue::FlushBackoffQCompleted() {
  Instant tick = FloorToSecond(now_);
  for (BackoffSet* queue : {&backoff_, &error_backoff_}) {
    while (!queue->empty()) {
      QueuedPodRef pod = *queue->begin();
      if (backoff_time_.IsBackingOff(*pod, tick)) break;
      MoveToActive(pod, {std::string(kBackoffComplete), {}, {}, {}, now_}, true);
    }
  }
}

std::optional<Instant> SchedulingQueue::NextBackoffFlush() {
  std::optional<Instant> next;
  for (const BackoffSet* queue : {&backoff_, &error_backoff_}) {
    if (queue->empty()) continue;
    Instant end = backoff_time_.ExpirationOf(**queue->begin());
    Instant flush{end.seconds + 1, 0};
    if (!next || flush < *next) next = flush;
  }
  return next;
}

void SchedulingQueue::FlushUnschedulablePodsLeftover() {
  int64_t since_start_us = now_.ToMicros() - options_.start_time.ToMicros();
  if (since_start_us < 0) return;
  Instant tick = Instant::FromMicros(now_.ToMicros() - since_start_us % kLeftoverFlushPeriodUs);
  if (last_leftover_flush_ && tick <= *last_leftover_flush_) return;
  last_leftover_flush_ = tick;
  Moves leftover;
  for (const auto& [key, group] : unschedulable_.groups()) {
    for (const auto& [name, pod] : group) {
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
  // The first flush strictly after the pod's time is up, and not one that has been.
  int64_t ripe_us = oldest->ToMicros() + options_.max_in_unschedulable_pods_us - start_us;
  int64_t flush_us = start_us + (ripe_us / kLeftoverFlushPeriodUs + 1) * kLeftoverFlushPeriodUs;
  if (last_leftover_flush_) {
    flush_us = std::max(flush_us, last_leftover_flush_->ToMicros() + kLeftoverFlushPeriodUs);
  }
  return Instant::FromMicros(flush_us);
}

std::vector<QueuedPodRef> SchedulingQueue::ActivePods() const {
  return {active_.begin(), active_.end()};
}

std::vector<QueuedPodRef> SchedulingQueue::BackoffPods() const {
  return {backoff_.begin(), backoff_.end()};
}

std::vector<QueuedPodRef> SchedulingQueue::ErrorBackoffPods() const {
  std::vector<QueuedPodRef> pods(error_backoff_.begin(), error_backoff_.end());
  std::stable_sort(pods.begin(), pods.end(), [this](const auto& a, const auto& b) {
    Instant a_end = backoff_time_.ExpirationOf(*a);
    Instant b_end = backoff_time_.ExpirationOf(*b);
    return a_end != b_end ? a_end < b_end : KeyOf(*a) < KeyOf(*b);
  });
  return pods;
}

}  // namespace stowage
