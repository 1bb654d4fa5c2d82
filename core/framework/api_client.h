// ApiClient writes to the API server on behalf of the scheduler: bindings, status patches,
// evictions, events, and the writes of plugins (spec 05 §9, §10, §15; 06 §8).
//
// Implementations send the writes through the host, or apply them to a simulated API. Counterpart:
// client-go's clientset as pkg/scheduler/util/utils.go and its callers use it, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod_group.h"
#include "core/base/instant.h"
#include "core/loop/call.h"
#include "core/loop/task.h"

namespace stowage {

// The outcome of a write.
struct ApiResponse {
  int32_t status = 0;   // HTTP status code; 0: there was no answer
  std::string reason;   // reason in a failure's metav1.Status: "Conflict", "NotFound"
  std::string message;  // as client-go's error prints it
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
  bool IsNotFound() const { return status == 404; }
};

// A write without a method of its own. The views are of constants.
struct ApiRequest {
  std::string_view verb;          // "create", "update", "patch", "delete"
  std::string_view method;        // "POST"
  std::string path;               // below the server's base URL
  std::string_view content_type;  // empty without a body
  std::string body;
  std::string pod;  // "namespace/name" of the pod that the write is for
};

// The changes of a status patch; absent members stay unchanged.
struct PodStatusPatch {
  std::optional<PodCondition> condition = {};  // replaces the condition of the same type
  std::optional<Symbol> nominated_node_name = {};
  Shared<PodExtendedResourceClaimStatus> extended_resource_claim_status = {};
  NodeAllocatableResourceClaimStatuses node_allocatable_resource_claim_statuses =
      {};  // empty: none

  // Whether the patch would change `status`. A new observedGeneration alone does not count.
  bool IsNeededFor(const PodStatus& status) const;
};

// One event of a pod, as passed to the event recorder. The views are of constants.
struct PodEvent {
  bool is_warning = false;
  std::string_view reason;  // "FailedScheduling"
  std::string_view action;  // "Scheduling"
  std::string note;
  // The other object that the event concerns, "namespace/name". Passed to the recorder but, as
  // upstream, not sent.
  std::string related = {};
};

class ApiClient {
 public:
  virtual ~ApiClient() = default;

  // Arguments passed by reference must outlive the task. The request leaves through `calls` before
  // the task first waits.
  virtual Task<ApiResponse> Bind(Calls& calls, const Pod& pod, const Symbol& node) = 0;
  // `pod` is the pod as last seen. Succeeds at once if the patch would not change it.
  virtual Task<ApiResponse> PatchPodStatus(Calls& calls, const Pod& pod,
                                           const PodStatusPatch& patch) = 0;
  // Replaces the condition of the same type.
  virtual Task<ApiResponse> PatchPodGroupStatus(Calls& calls, const PodGroup& group,
                                                const PodCondition& condition) = 0;
  virtual Task<ApiResponse> DeletePod(Calls& calls, const Pod& pod) = 0;
  virtual Task<ApiResponse> Send(Calls& calls, const ApiRequest& request) = 0;
  // Fire and forget: no task waits for events.
  virtual void RecordEvent(const Pod& pod, const Symbol& scheduler_name, PodEvent event) = 0;
};

}  // namespace stowage
