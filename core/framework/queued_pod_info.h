// QueuedPodInfo is a pending pod with what the queue knows about it.
// Counterpart: framework.QueuedPodInfo, v1.36.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/instant.h"
#include "core/framework/pod_info.h"

namespace stowage {

struct QueuedPodInfo {
  PodInfoRef pod_info;
  Instant timestamp;      // when the pod entered this round of queueing
  uint32_t attempts = 0;  // scheduling attempts so far
  uint64_t sequence = 0;  // order of arrival, decides what the timestamp leaves open
  // The next attempt follows the pod's own preemption, whose victims are gone already.
  bool follows_preemption = false;

  const Pod& pod() const { return *pod_info->pod; }
};

}  // namespace stowage
