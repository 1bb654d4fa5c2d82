// WaitingPods are the pods that Permit plugins hold back before they are bound, and
// PodsInPreBind those whose PreBind plugins are at work (spec 05 §8, §9; 06 §8).
//
// Counterpart: pkg/scheduler/framework/runtime/waiting_pods_map.go and pods_in_prebind_map.go,
// v1.36.
#pragma once

#include <coroutine>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/pod.h"
#include "core/base/instant.h"
#include "core/framework/status.h"

namespace stowage {

// How long a Permit plugin wants a pod to wait at most.
struct PermitWait {
  Symbol plugin;
  int64_t timeout_us = 0;
};

class WaitingPods;

class WaitingPod {
 public:
  // The timeouts count from `now`.
  WaitingPod(PodRef pod, const std::vector<PermitWait>& waits, Instant now);

  const PodRef& pod() const { return pod_; }
  // The plugins that still hold it back, in their order, with the end of their patience.
  struct Pending {
    Symbol plugin;
    Instant deadline;
    int64_t timeout_us;
  };
  const std::vector<Pending>& pending() const { return pending_; }
  std::optional<Instant> NextDeadline() const;
  const std::optional<Status>& outcome() const { return outcome_; }

  // The plugin lets it go; when it was the last one the pod goes on.
  void Allow(const Symbol& plugin);
  // False when the outcome was settled before.
  bool Reject(const Symbol& plugin, std::string_view message);
  bool Preempt(const Symbol& plugin, std::string_view message);
  // Rejects it where a plugin's patience has ended.
  void Expire(Instant now);

 private:
  friend class WaitingPods;
  bool Settle(Status outcome);

  PodRef pod_;
  std::vector<Pending> pending_;
  std::optional<Status> outcome_;
  std::coroutine_handle<> waiting_;
  WaitingPods* owner_ = nullptr;  // once it is one of them
};

// WaitingPods finds what is settled and what is due next without a look at every waiting pod.
class WaitingPods {
 public:
  WaitingPods() = default;
  WaitingPods(const WaitingPods&) = delete;
  WaitingPods& operator=(const WaitingPods&) = delete;

  void Add(WaitingPod pod);
  // Null when no such pod waits.
  WaitingPod* Get(const Symbol& uid);
  const WaitingPod* Get(const Symbol& uid) const;
  // Whether it waits or not.
  void Remove(const Symbol& uid);
  // By uid.
  const std::map<Symbol, WaitingPod>& pods() const { return pods_; }

  // Expires each pod that is due.
  void Expire(Instant now);
  std::optional<Instant> NextDeadline() const;

  // co_await WaitOn(uid) gives the outcome and takes the pod out. It must be in.
  auto WaitOn(const Symbol& uid) {
    struct Awaiter {
      WaitingPods& pods;
      Symbol uid;
      bool await_ready() const { return pods.Get(uid)->outcome_.has_value(); }
      void await_suspend(std::coroutine_handle<> waiting) const {
        pods.Get(uid)->waiting_ = waiting;
      }
      Status await_resume() const { return pods.Take(uid); }
    };
    return Awaiter{*this, uid};
  }
  // Whether Resume has something to do.
  bool HasSettled() const;
  // Resumes, in order of uid, the tasks of pods whose outcome is settled.
  void Resume();

 private:
  friend class WaitingPod;
  using Deadline = std::pair<Instant, Symbol>;  // when, and the pod's uid

  Status Take(const Symbol& uid);
  // Puts the pod where it is found: among the settled ones, or by its deadline.
  void Index(const WaitingPod& pod);
  void Unindex(const WaitingPod& pod);

  std::map<Symbol, WaitingPod> pods_;
  std::set<Symbol> settled_;
  std::set<Deadline> deadlines_;  // of the others
};

class PodsInPreBind {
 public:
  void Add(const Symbol& uid) { cancellations_[uid]; }
  // Gives why it was cancelled, if it was.
  std::optional<std::string> Remove(const Symbol& uid);
  // False when no such pod is in PreBind. The first cause counts.
  bool Cancel(const Symbol& uid, std::string_view cause);
  // Why it was cancelled; null when it was not.
  const std::string* CauseOf(const Symbol& uid) const;

 private:
  std::map<Symbol, std::optional<std::string>> cancellations_;
};

}  // namespace stowage
