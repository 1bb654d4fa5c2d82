// EventBroadcaster sends the events of pods to the API server as events.k8s.io/v1 (spec 05 §15) and
// folds equal ones into series.
//
// Two events are equal if they have the same type, action, reason and reporter and regard the same
// pod in the same state (its resourceVersion included, as upstream does). Their notes are not
// compared. The first one creates an Event. The second turns it into a series with one PATCH; later
// ones only raise the count. Every 30 minutes all series are sent again. Every 6 minutes, events
// that were last seen more than 6 minutes ago are dropped; a series gets a last PATCH first. Both
// periods start at the first kept event, so no timer runs while there are no events.
//
// Bounds: at most 4096 events are kept for folding (upstream: any number); beyond that, the events
// last seen longest ago are dropped first. At most 1000 wait for a retry; further failures are
// lost.
// Counterpart: client-go tools/events/event_broadcaster.go and event_recorder.go, v1.36.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "core/api/pod.h"
#include "core/base/instant.h"
#include "core/base/rng.h"
#include "core/framework/api_client.h"
#include "core/loop/loop.h"

namespace stowage {

struct EventBroadcasterOptions {
  std::string hostname;         // reportingInstance is "<scheduler name>-<hostname>"
  int64_t call_timeout_us = 0;  // 0: calls never time out
};

class EventBroadcaster {
 public:
  static constexpr size_t kEventsMax = 4096;
  static constexpr size_t kRetriesMax = 1000;

  // `background` sends the calls and resumes the tasks that wait for their answers; `rng` spreads
  // retries. Both must outlive the broadcaster, and the broadcaster must outlive its tasks.
  EventBroadcaster(Loop& background, Rng& rng, EventBroadcasterOptions options)
      : background_(background), rng_(rng), options_(std::move(options)) {}

  // Takes the kept events of another broadcaster, without the writes that are under way.
  void CopyStateFrom(const EventBroadcaster& other);
  // The number of writes that wait for a retry, which goes with their tasks.
  size_t num_retries() const { return num_retries_; }
  void set_num_retries(size_t num_retries) { num_retries_ = num_retries; }

  // Sets the time of the events recorded from now on.
  void set_now(Instant now) { now_ = now; }

  // Records an event. If it needs a call, the call is sent before this returns.
  void Record(const Pod& pod, const Symbol& scheduler_name, PodEvent event);

  // The next time at which FireTimers has work; nullopt while no event is kept.
  std::optional<Instant> NextDeadline() const;
  // Sets the time to `now` and does the work that is due. Missed periods are not made up for.
  void FireTimers(Instant now);

  size_t num_events() const { return events_.size(); }

 private:
  // Identifies equal events. The views are of constants.
  struct Key {
    bool is_warning = false;
    std::string_view action;
    std::string_view reason;
    Symbol scheduler_name;
    Symbol namespace_;
    Symbol pod_name;
    Symbol pod_uid;
    std::string pod_resource_version;

    friend bool operator==(const Key&, const Key&) = default;
  };
  // The fields of an event that never change.
  struct First {
    Key key;
    int64_t name_nanos = 0;  // distinguishes the names of one pod's events
    std::string note;
    Instant event_time;
  };
  struct Event {
    std::shared_ptr<const First> first;
    int32_t series_count = 0;  // 0: seen once only
    Instant last_observed;     // of a series

    bool is_series() const { return series_count > 0; }
    Instant last_seen() const { return is_series() ? last_observed : first->event_time; }
  };
  using EventRef = std::list<Event>::iterator;
  // Finds kept events by their keys.
  struct KeyHash {
    using is_transparent = void;
    size_t operator()(const Key& key) const;
    size_t operator()(const EventRef& event) const { return (*this)(event->first->key); }
  };
  struct KeyEqual {
    using is_transparent = void;
    static const Key& KeyOf(const Key& key) { return key; }
    static const Key& KeyOf(const EventRef& event) { return event->first->key; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return KeyOf(a) == KeyOf(b);
    }
  };
  struct Deadlines {
    Instant finish_at;
    Instant refresh_at;
  };

  static Key KeyOf(const Pod& pod, const Symbol& scheduler_name, const PodEvent& event);
  static std::string NameOf(const First& first);
  std::string BodyOf(const Event& event);
  void Add(Event event);
  void ExtendSeries(EventRef event);
  // Ends the event that was last seen longest ago.
  void FinishOldest();
  // Creates the event, or patches its series, in at most `tries_max` tries.
  void Write(const Event& event, int tries_max);
  uint64_t SendWrite(const Event& event, bool is_patch);
  Task<void> Follow(uint64_t id, Event event, int tries_max);
  bool MayRetry(const Completion& answer) const;

  Loop& background_;
  Rng& rng_;
  EventBroadcasterOptions options_;
  Instant now_;
  // The time and its text. All events of one turn have the same time, so the text is reused.
  Instant text_time_;
  std::string time_text_ = text_time_.ToMicroTime();
  int64_t last_name_nanos_ = 0;
  size_t num_retries_ = 0;   // number of retries that wait
  std::list<Event> events_;  // ordered by when last seen, latest at the end
  std::unordered_set<EventRef, KeyHash, KeyEqual> by_key_;
  std::optional<Deadlines> deadlines_;  // set while events are kept
};

}  // namespace stowage
