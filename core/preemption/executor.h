// Executor carries out a preemption: it evicts the victims and clears nominations of lower priority
// on the node (spec 06 §8).
// Counterpart: pkg/scheduler/framework/preemption/executor.go, v1.36.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/behaviour.h"
#include "core/framework/extender.h"
#include "core/framework/handle.h"

namespace stowage {

// The preemption to carry out for one preemptor: a pod, or a pod group.
struct PreparedCandidate {
  std::vector<PodRef> preemptors;  // the pod, or the pods of the group
  PreemptionVictims victims;
  std::vector<PodInfoRef> cleared_nominations;
  PodGroupRef group = nullptr;

  const ObjectMeta& preemptor() const {
    return group != nullptr ? group->metadata : preemptors.front()->metadata;
  }
  std::string_view preemptor_type() const { return group != nullptr ? "podgroup" : "pod"; }
};

class Executor {
 public:
  // Evictions name `plugin` as their source.
  Executor(Handle& handle, std::string_view plugin, const Behaviour& behaviour)
      : handle_(handle), plugin_(plugin), behaviour_(behaviour) {}

  // Evicts all victims at once, then clears nominations. An Error if a victim could not be evicted.
  // The candidate must outlive the task.
  Task<Status> PrepareCandidate(const PreparedCandidate& candidate);
  // Does the same in the background: nominations first, and the last victim after all others. A
  // failure activates the preemptors.
  void PrepareCandidateAsync(PreparedCandidate candidate);

  // Whether the pod, or pod group, must wait for evictions that are under way. It need not wait if
  // the last victim is known to be terminating.
  bool IsRunningPreemption(const Symbol& uid) const;

  // The preemptions under way, by the preemptor's uid: its last victim, once the others are gone.
  using Preemptions = std::map<Symbol, PodInfoRef>;
  void SwapPreemptions(Preemptions* other) { preempting_.swap(*other); }

 private:
  // Victims of one preemption that are evicted at the same time.
  struct Batch {
    const PreparedCandidate& candidate;
    std::vector<PodInfoRef> victims;
    size_t next = 0;
    std::optional<std::string> error = {};  // the first
  };

  std::vector<PodInfoRef> VictimsToDelete(const PreparedCandidate& candidate) const;
  Task<void> PrepareInBackground(PreparedCandidate candidate);
  // Returns false if a nomination could not be cleared; that pod finds out in its next attempt.
  Task<bool> ClearNominations(Calls& calls, const PreparedCandidate& candidate);
  Task<void> EvictAll(Calls& calls, Batch* batch);
  Task<void> EvictInTurn(Calls& calls, Batch* batch);
  // Evicts one victim; returns the error message, if any.
  Task<std::optional<std::string>> PreemptPod(Calls& calls, const PreparedCandidate& candidate,
                                              PodInfoRef victim);
  void ObserveVictims(const PreparedCandidate& candidate);
  void RecordPreempted(const PreparedCandidate& candidate, const Pod& victim, bool is_in_memory);

  Handle& handle_;
  Symbol plugin_;
  const Behaviour& behaviour_;
  Preemptions preempting_;
};

}  // namespace stowage
