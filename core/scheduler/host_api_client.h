// HostApiClient writes through the host: requests leave as calls of kind "api", in the form that
// kube-scheduler's own client sends (spec 05 §9, §10; 06 §8).
//
// A status patch is tried up to four times, every other write once.
// Counterpart: client-go's clientset and PatchPodStatus of pkg/scheduler/util/utils.go, v1.36.
#pragma once

#include <cstdint>

#include "core/base/rng.h"
#include "core/framework/api_client.h"
#include "core/loop/loop.h"
#include "core/scheduler/event_broadcaster.h"
#include "core/scheduler/record_log.h"

namespace stowage {

struct HostApiClientOptions {
  int64_t call_timeout_us = 0;  // 0: calls never time out
};

class HostApiClient final : public ApiClient {
 public:
  // `rng` spreads retries in time.
  struct Parts {
    EventBroadcaster& events;
    RecordLog& records;
    Rng& rng;
  };

  // All parts must outlive the tasks.
  HostApiClient(Parts parts, HostApiClientOptions options) : parts_(parts), options_(options) {}

  Task<ApiResponse> Bind(Calls& calls, const Pod& pod, const Symbol& node) override;
  Task<ApiResponse> PatchPodStatus(Calls& calls, const Pod& pod,
                                   const PodStatusPatch& patch) override;
  Task<ApiResponse> PatchPodGroupStatus(Calls& calls, const PodGroup& group,
                                        const PodCondition& condition) override;
  Task<ApiResponse> DeletePod(Calls& calls, const Pod& pod) override;
  Task<ApiResponse> Send(Calls& calls, const ApiRequest& request) override;
  void RecordEvent(const Pod& pod, const Symbol& scheduler_name, PodEvent event) override {
    parts_.records.WriteEvent(pod, event);
    parts_.events.Record(pod, scheduler_name, std::move(event));
  }

 private:
  // `calls` must outlive the task.
  Task<ApiResponse> SendUpTo(int tries_max, Calls& calls, ApiRequest request);

  Parts parts_;
  HostApiClientOptions options_;
};

}  // namespace stowage
