#include "core/scheduler/event_broadcaster.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/api/encode/json_writer.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/scheduler/api_call.h"

namespace stowage {
namespace {

constexpr int64_t kMinuteUs = 60'000'000;
constexpr int64_t kFinishUs = 6 * kMinuteUs;
constexpr int64_t kRefreshUs = 30 * kMinuteUs;

constexpr int kTriesMax = 12;
constexpr int64_t kRetryUs = 10'000'000;
constexpr int64_t kEventJitterPercent = 25;

constexpr std::string_view kNamespaces = "/apis/events.k8s.io/v1/namespaces/";
constexpr std::string_view kEvents = "/events";

constexpr size_t kNameSizeMax = 253;
constexpr size_t kBodySize = 800;  // more than most events take
constexpr int32_t kSecondOfSeries = 2;
constexpr int32_t kNotFound = 404;

Instant After(Instant start, int64_t duration_us) {
  return Instant::FromMicros(start.ToMicros() + duration_us);
}

// The first time after `now` that is a whole number of periods after `at`, which is past.
Instant NextPeriod(Instant at, int64_t period_us, Instant now) {
  int64_t passed = (now.ToMicros() - at.ToMicros()) / period_us;
  return After(at, (passed + 1) * period_us);
}

STOWAGE_COLD void WriteSeries(int32_t count, Instant last_observed, JsonWriter* json) {
  json->Key("series")
      .BeginObject()
      .IntMember("count", count)
      .StringMember("lastObservedTime", last_observed.ToMicroTime())
      .EndObject();
}

STOWAGE_COLD std::string SeriesPatch(int32_t count, Instant last_observed) {
  std::string body;
  JsonWriter json(&body);
  json.BeginObject();
  WriteSeries(count, last_observed, &json);
  json.EndObject();
  return body;
}

template <JsonName kName>
void WriteUnlessEmpty(std::string_view value, JsonWriter* json) {
  if (!value.empty()) json->StringMember<kName>(value);
}

}  // namespace

// The other fields rarely tell two events apart, so the hash leaves them out.
size_t EventBroadcaster::KeyHash::operator()(const Key& key) const {
  size_t hash = SymbolHash()(key.pod_uid) * 31 + SymbolHash()(key.pod_name);
  for (char digit : key.pod_resource_version) hash = hash * 31 + static_cast<size_t>(digit);
  return hash;
}

STOWAGE_COLD void EventBroadcaster::CopyStateFrom(const EventBroadcaster& other) {
  now_ = other.now_;
  text_time_ = other.text_time_;
  time_text_ = other.time_text_;
  last_name_nanos_ = other.last_name_nanos_;
  deadlines_ = other.deadlines_;
  by_key_.clear();
  events_ = other.events_;
  for (auto event = events_.begin(); event != events_.end(); ++event) by_key_.insert(event);
}

EventBroadcaster::Key EventBroadcaster::KeyOf(const Pod& pod, const Symbol& scheduler_name,
                                              const PodEvent& event) {
  Key key;
  key.is_warning = event.is_warning;
  key.action = event.action;
  key.reason = event.reason;
  key.scheduler_name = scheduler_name;
  key.namespace_ = pod.metadata.namespace_;
  key.pod_name = pod.metadata.name;
  key.pod_uid = pod.metadata.uid;
  key.pod_resource_version = pod.metadata.resource_version;
  return key;
}

// "web-0.18e9f51d54d1d72a": the pod's name and the nanoseconds in hexadecimal. The last digits
// number the events of one instant.
// DIVERGENCE(event-name): a pod name that is too long is cut; upstream takes a random UUID for the
// whole name.
std::string EventBroadcaster::NameOf(const First& first) {
  std::string suffix = Format(".{:x}", first.name_nanos);
  std::string_view name = first.key.pod_name.view().substr(0, kNameSizeMax - suffix.size());
  name = name.substr(0, name.find_last_not_of("-.") + 1);
  return Joined({name, suffix});
}

void EventBroadcaster::Record(const Pod& pod, const Symbol& scheduler_name, PodEvent event) {
  Key key = KeyOf(pod, scheduler_name, event);
  auto found = by_key_.find(key);
  if (found != by_key_.end()) return ExtendSeries(*found);
  last_name_nanos_ = std::max(now_.ToMicros() * 1000, last_name_nanos_ + 1);
  Event added;
  added.first = std::make_shared<const First>(
      First{std::move(key), last_name_nanos_, std::move(event.note), now_});
  Write(added, kTriesMax);
  Add(std::move(added));
}

void EventBroadcaster::Add(Event event) {
  if (events_.size() == kEventsMax) FinishOldest();
  events_.push_back(std::move(event));
  by_key_.insert(std::prev(events_.end()));
  if (!deadlines_) deadlines_ = Deadlines{After(now_, kFinishUs), After(now_, kRefreshUs)};
}

STOWAGE_COLD void EventBroadcaster::ExtendSeries(EventRef event) {
  bool is_new_series = !event->is_series();
  event->series_count = is_new_series ? kSecondOfSeries : event->series_count + 1;
  event->last_observed = now_;
  events_.splice(events_.end(), events_, event);
  if (is_new_series) Write(*event, kTriesMax);
}

void EventBroadcaster::FinishOldest() {
  const Event& first = events_.front();
  if (first.is_series()) Write(first, kTriesMax);
  by_key_.erase(events_.begin());
  events_.pop_front();
}

std::optional<Instant> EventBroadcaster::NextDeadline() const {
  if (!deadlines_) return std::nullopt;
  return std::min(deadlines_->finish_at, deadlines_->refresh_at);
}

STOWAGE_COLD void EventBroadcaster::FireTimers(Instant now) {
  now_ = now;
  if (!deadlines_) return;
  if (deadlines_->finish_at <= now) {
    Instant oldest = After(now, -kFinishUs);
    while (!events_.empty() && events_.front().last_seen() < oldest) FinishOldest();
    deadlines_->finish_at = NextPeriod(deadlines_->finish_at, kFinishUs, now);
  }
  if (deadlines_->refresh_at <= now) {
    for (const Event& event : events_) {
      if (event.is_series()) Write(event, 1);
    }
    deadlines_->refresh_at = NextPeriod(deadlines_->refresh_at, kRefreshUs, now);
  }
  if (events_.empty()) deadlines_.reset();
}

std::string EventBroadcaster::BodyOf(const Event& event) {
  const First& first = *event.first;
  const Key& key = first.key;
  if (text_time_ != first.event_time) {
    text_time_ = first.event_time;
    time_text_ = text_time_.ToMicroTime();
  }
  std::string body;
  body.reserve(kBodySize);
  JsonWriter json(&body);
  json.BeginObjectWith<R"({"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":)">()
      .BeginObject()
      .StringMember<"name">(NameOf(first))
      .StringMember<"namespace">(key.namespace_.view())
      .EndObject();
  json.StringMember<"eventTime">(time_text_);
  if (event.is_series()) WriteSeries(event.series_count, event.last_observed, &json);
  json.StringMember<"reportingController">(key.scheduler_name.view())
      .StringMember("reportingInstance",
                    Joined({key.scheduler_name.view(), "-", options_.hostname}))
      .StringMember<"action">(key.action)
      .StringMember<"reason">(key.reason);
  json.Key<"regarding">()
      .BeginObjectWith<R"({"kind":"Pod","namespace":)">()
      .String(key.namespace_.view())
      .StringMember<"name">(key.pod_name.view());
  WriteUnlessEmpty<"uid">(key.pod_uid.view(), &json);
  json.StringMember<"apiVersion">("v1");
  WriteUnlessEmpty<"resourceVersion">(key.pod_resource_version, &json);
  json.EndObject();
  json.StringMember<"note">(first.note).StringMember<"type">(key.is_warning ? "Warning" : "Normal");
  json.Raw<
      R"("deprecatedSource":{},"deprecatedFirstTimestamp":null,"deprecatedLastTimestamp":null)">();
  json.EndObject();
  return body;
}

uint64_t EventBroadcaster::SendWrite(const Event& event, bool is_patch) {
  const First& first = *event.first;
  std::string_view namespace_ = first.key.namespace_.view();
  Call call;
  call.kind = kApi;
  call.verb = is_patch ? "patch" : "create";
  call.method = is_patch ? "PATCH" : "POST";
  call.url = Joined({kNamespaces, namespace_, kEvents});
  if (is_patch) call.url += "/" + NameOf(first);
  call.content_type = is_patch ? kStrategicMergePatch : kJson;
  call.body = is_patch ? SeriesPatch(event.series_count, event.last_observed) : BodyOf(event);
  call.pod = Joined({namespace_, "/", first.key.pod_name.view()});
  call.timeout_us = options_.call_timeout_us;
  return background_.Send(std::move(call));
}

void EventBroadcaster::Write(const Event& event, int tries_max) {
  uint64_t id = SendWrite(event, event.is_series());
  background_.Spawn(Follow(id, event, tries_max));
}

// Only a missing answer is retried: an API server that refused an event would refuse it again.
STOWAGE_COLD bool EventBroadcaster::MayRetry(const Completion& answer) const {
  bool is_silence = answer.fault == CallFault::kTimeout || answer.fault == CallFault::kNetwork;
  return is_silence && num_retries_ < kRetriesMax;
}

STOWAGE_COLD Task<void> EventBroadcaster::Follow(uint64_t id, Event event, int tries_max) {
  for (int tries = 1;; ++tries) {
    Completion answer = co_await background_.Answer(id);
    // The series' event may have expired in the API server: it is created again, with its series.
    if (event.is_series() && answer.fault == CallFault::kNone && answer.status == kNotFound) {
      uint64_t creation = SendWrite(event, false);
      answer = co_await background_.Answer(creation);
    }
    if (tries == tries_max || !MayRetry(answer)) co_return;
    ++num_retries_;
    co_await background_.Sleep(JitteredUs(kRetryUs, kEventJitterPercent, rng_));
    --num_retries_;
    id = SendWrite(event, event.is_series());
  }
}

}  // namespace stowage
