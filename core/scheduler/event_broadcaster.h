// EventBroadcaster sends the events of pods to the API server as events.k8s.io/v1 (spec 05 §15) and
// folds equal ones into series.
//
// Equal are events of the same type, action, reason and reporter that regard the same state of the
// same pod (its resourceVersion included, as upstream has it); their notes are not compared. The
// first is created. The second makes it a series, which is one PATCH; later ones only count. Every
// 30 minutes all series are sent again. Every 6 minutes what was last seen longer than 6 minutes
// ago is forgotten, a series with a last PATCH. Both grids begin with the first event kept, so that
// without events nothing is due.
//
// Bounds: at most 4096 events are kept for folding (upstream: any number), those last seen longest
// ago are forgotten first; at most 1000 wait for another try, more are lost.
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
  int64_t call_timeout_us = 0;  // 0: calls wait as long as they take
};

class EventBroadcaster {
 public:
  static constexpr size_t kKeptMax = 4096;
  static constexpr size_t kRetriesMax = 1000;

  // Calls leave through `background`, which also resumes what waits for their answers; `rng`
  // spreads retries. Both must outlive the broadcaster, and it the tasks.
  EventBroadcaster(Loop& background, Rng& rng, EventBroadcasterOptions options)
      : background_(background), rng_(rng), options_(std::move(options)) {}

  // The time at which events happen.
  void set_now(Instant now) { now_ = now; }

  // What is to be sent leaves before this returns.
  void Record(const Pod& pod, const Symbol& scheduler_name, PodEvent event);

  // When FireTimers has something to do; never while no event is kept.
  std::optional<Instant> NextDeadline() const;
  // Does what is due by `now`, which becomes the time. A grid point that was missed is not made up.
  void FireTimers(Instant now);

  size_t num_kept() const { return kept_.size(); }

 private:
  // By what equal events are known.
  struct Key {
    bool is_warning = false;
    Symbol action;
    Symbol reason;
    Symbol scheduler_name;
    Symbol namespace_;
    Symbol pod_name;
    Symbol pod_uid;
    Symbol pod_resource_version;

    friend bool operator==(const Key&, const Key&) = default;
  };
  // What an event says for good.
  struct First {
    Key key;
    std::string name;
    std::string note;
    Instant event_time;
  };
  struct Event {
    std::shared_ptr<const First> first;
    int32_t series_count = 0;  // 0: seen once
    Instant last_observed;     // of a series

    bool is_series() const { return series_count > 0; }
    Instant last_seen() const { return is_series() ? last_observed : first->event_time; }
  };
  using Kept = std::list<Event>::iterator;
  // Finds kept events by their keys.
  struct KeyHash {
    using is_transparent = void;
    size_t operator()(const Key& key) const;
    size_t operator()(const Kept& kept) const { return (*this)(kept->first->key); }
  };
  struct KeyEqual {
    using is_transparent = void;
    static const Key& KeyOf(const Key& key) { return key; }
    static const Key& KeyOf(const Kept& kept) { return kept->first->key; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return KeyOf(a) == KeyOf(b);
    }
  };
  struct Grids {
    Instant finish_at;
    Instant refresh_at;
  };

  static Key KeyOf(const Pod& pod, const Symbol& scheduler_name, const PodEvent& event);
  std::string NameOf(const Symbol& pod_name);
  std::string BodyOf(const Event& event);
  void Keep(Event event);
  void Repeat(Kept kept);
  // The one last seen longest ago ends.
  void ForgetFirst();
  // Creates the event, or patches its series; tried up to `tries_max` times.
  void Write(const Event& event, int tries_max);
  uint64_t SendWrite(const Event& event, bool is_patch);
  Task<void> Follow(uint64_t id, Event event, int tries_max);
  bool MayRetry(const Completion& answer) const;

  Loop& background_;
  Rng& rng_;
  EventBroadcasterOptions options_;
  Instant now_;
  // Events of one turn have one time.
  Instant text_time_;
  std::string time_text_ = text_time_.ToMicroTime();
  int64_t last_name_nanos_ = 0;
  size_t num_retries_ = 0;  // that sleep now
  std::list<Event> kept_;   // those seen last at the end
  std::unordered_set<Kept, KeyHash, KeyEqual> by_key_;
  std::optional<Grids> grids_;  // while events are kept
};

}  // namespace stowage
