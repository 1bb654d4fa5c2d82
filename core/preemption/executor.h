// Executor carries a preemption out: it evicts the victims and takes nominations of lower priority
// away from the node (spec 06 §8).
// Counterpart: pkg/scheduler/framework/preemption/executor.go, v1.36.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/framework/extender.h"
#include "core/framework/handle.h"

namespace stowage {

// What is to be done for one preemptor.
struct PreparedCandidate {
  PodRef preemptor;
  PreemptionVictims victims;
  std::vector<PodInfoRef> cleared_nominations;
};

class Executor {
 public:
  // `plugin` evicts in its name.
  Executor(Handle& handle, std::string_view plugin) : handle_(handle), plugin_(plugin) {}

  // Evicts all victims at once and then clears nominations. An Error when a victim stays. The
  // candidate outlives the task.
  Task<Status> PrepareCandidate(const PreparedCandidate& candidate);
  // The same in the background: nominations first, and the last victim after all others. A failure
  // activates the preemptor.
  void PrepareCandidateAsync(PreparedCandidate candidate);

  // Whether the pod has to wait for evictions under way. It need not where the last victim is known
  // to be leaving.
  bool IsPodRunningPreemption(const Symbol& uid) const;

 private:
  // The victims of one preemption that are evicted at the same time.
  struct Batch {
    const PreparedCandidate& candidate;
    std::vector<PodInfoRef> victims;
    size_t next = 0;
    std::optional<std::string> error = {};  // the first
  };

  Task<void> PrepareInBackground(PreparedCandidate candidate);
  // False when a nomination could not be cleared; the nominee finds out by itself.
  Task<bool> ClearNominations(Calls& calls, const PreparedCandidate& candidate);
  Task<void> EvictAll(Calls& calls, Batch* batch);
  Task<void> EvictInTurn(Calls& calls, Batch* batch);
  // The message of what went wrong, if anything did.
  Task<std::optional<std::string>> PreemptPod(Calls& calls, const PreparedCandidate& candidate,
                                              PodInfoRef victim);
  void ObserveVictims(const PreparedCandidate& candidate);
  void RecordPreempted(const PreparedCandidate& candidate, const Pod& victim, bool is_in_memory);

  Handle& handle_;
  Symbol plugin_;
  // By the uid of the preemptor: its last victim once the others are gone.
  std::map<Symbol, PodInfoRef> preempting_;
};

}  // namespace stowage
