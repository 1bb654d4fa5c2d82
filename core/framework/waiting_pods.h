// WaitingPods holds the pods that Permit plugins delay before they are bound, and PodsInPreBind the
// pods whose PreBind plugins are running (spec 05 §8, §9; 06 §8).
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

// The longest time that a Permit plugin lets a pod wait.
struct PermitWait {
  Symbol plugin;
  int64_t timeout_us = 0;
};

class WaitingPods;

class WaitingPod {
 public:
  // The timeouts start at `now`.
  WaitingPod(PodRef pod, const std::vector<PermitWait>& waits, Instant now);

  const PodRef& pod() const { return pod_; }
  // The plugins that still delay the pod, in order, with their deadlines.
  struct Pending {
    Symbol plugin;
    Instant deadline;
    int64_t timeout_us;
  };
  const std::vector<Pending>& pending() const { return pending_; }
  std::optional<Instant> NextDeadline() const;
  const std::optional<Status>& outcome() const { return outcome_; }

  // Records the plugin's approval; after the last plugin's approval, the pod is allowed.
  void Allow(const Symbol& plugin);
  // Returns false if the outcome was settled before.
  bool Reject(const Symbol& plugin, std::string_view message);
  bool Preempt(const Symbol& plugin, std::string_view message);
  // Rejects the pod if a plugin's deadline has passed.
  void Expire(Instant now);

 private:
  friend class WaitingPods;
  bool Settle(Status outcome);

  PodRef pod_;
  std::vector<Pending> pending_;
  std::optional<Status> outcome_;
  std::coroutine_handle<> waiting_;
  WaitingPods* owner_ = nullptr;  // set once the pod is in it
};

// WaitingPods finds settled pods and the next deadline without visiting every waiting pod.
class WaitingPods {
 public:
  WaitingPods() = default;
  WaitingPods(const WaitingPods&) = delete;
  WaitingPods& operator=(const WaitingPods&) = delete;

  void Add(WaitingPod pod);
  // Null if no such pod waits.
  WaitingPod* Get(const Symbol& uid);
  const WaitingPod* Get(const Symbol& uid) const;
  // Removes the pod if it waits.
  void Remove(const Symbol& uid);
  // Sorted by uid.
  const std::map<Symbol, WaitingPod>& pods() const { return pods_; }
  // Exchanges the pods. A pod must be back before anything decides on it.
  void Swap(WaitingPods* other) {
    pods_.swap(other->pods_);
    settled_.swap(other->settled_);
    deadlines_.swap(other->deadlines_);
  }

  // Expires each pod that is due.
  void Expire(Instant now);
  std::optional<Instant> NextDeadline() const;

  // co_await WaitOn(uid) removes the pod and returns its outcome. The pod must be in the map.
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
  // Whether Resume has work.
  bool HasSettled() const;
  // Resumes the tasks of settled pods, in order of uid.
  void Resume();

 private:
  friend class WaitingPod;
  using Deadline = std::pair<Instant, Symbol>;  // the time and the pod's uid

  Status Take(const Symbol& uid);
  // Adds the pod to the settled ones, or by its deadline.
  void Index(const WaitingPod& pod);
  void Unindex(const WaitingPod& pod);

  std::map<Symbol, WaitingPod> pods_;
  std::set<Symbol> settled_;
  std::set<Deadline> deadlines_;  // of the pods that are not settled
};

class PodsInPreBind {
 public:
  void Add(const Symbol& uid) { cancellations_[uid]; }
  // Returns why the pod was cancelled, if it was.
  std::optional<std::string> Remove(const Symbol& uid);
  // Returns false if no such pod is in PreBind. Only the first cause counts.
  bool Cancel(const Symbol& uid, std::string_view cause);
  void Swap(PodsInPreBind* other) { cancellations_.swap(other->cancellations_); }
  // Why the pod was cancelled; null if it was not.
  const std::string* CauseOf(const Symbol& uid) const;

 private:
  std::map<Symbol, std::optional<std::string>> cancellations_;
};

}  // namespace stowage
