// Attempt follows one pod from the choice of its node to the end of its binding.
#pragma once

#include <cstdint>
#include <memory>

#include "core/framework/cycle_state.h"
#include "core/framework/queued_pod_info.h"
#include "core/scheduler/profiles.h"

namespace stowage {

struct Attempt {
  QueuedPodRef queued;
  ProfileRuntime& profile;
  CycleState state;
  PodInfoRef assumed = nullptr;  // the pod with its node; set before the binding cycle starts
  // The object of `assumed`, if only its node distinguishes it from the queued pod. Null once the
  // binding cycle has waited, because then others may have the assumed version.
  std::shared_ptr<Pod> draft = nullptr;
  uint64_t decision = 0;    // number of its Decision record
  bool is_waiting = false;  // waits in Permit

  // Both require `assumed`.
  const Pod& pod() const { return *assumed->pod; }
  const Symbol& node() const { return assumed->pod->spec.node_name; }
};

}  // namespace stowage
