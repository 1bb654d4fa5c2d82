// ApiClient writes to the API server for whom the scheduler acts: bindings, status patches,
// evictions, events, and whatever plugins write (spec 05 §9, §10, §15; 06 §8).
//
// Who performs a write is not known here: the host, or a simulated API. Counterpart: client-go's
// clientset as pkg/scheduler/util/utils.go and its callers use it, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/base/instant.h"
#include "core/loop/call.h"
#include "core/loop/task.h"

namespace stowage {

// What became of a write.
struct ApiResponse {
  int32_t status = 0;   // HTTP's; 0: there was no answer
  std::string reason;   // of the metav1.Status of a failure: "Conflict", "NotFound"
  std::string message;  // as client-go's error prints it
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
  bool IsNotFound() const { return status == 404; }
};

// A write that has no method of its own.
struct ApiRequest {
  std::string verb;          // "create", "update", "patch", "delete"
  std::string method;        // "POST"
  std::string path;          // below the server's base URL
  std::string content_type;  // empty without a body
  std::string body;
  std::string pod;  // "namespace/name", on whose behalf
};

// What a status patch is to change; what is absent stays.
struct PodStatusPatch {
  std::optional<PodCondition> condition = {};  // replaces the one of its type
  std::optional<Symbol> nominated_node_name = {};

  // Whether it would change anything of `status`. A new observedGeneration alone does not count.
  bool IsNeededFor(const PodStatus& status) const;
};

// One event of a pod, as it is handed to the recorder.
struct PodEvent {
  bool is_warning = false;
  std::string reason;  // "FailedScheduling"
  std::string action;  // "Scheduling"
  std::string note;
  // Whom else it is about, "namespace/name"; told to the recorder and, as upstream, not sent on.
  std::string related = {};
};

class ApiClient {
 public:
  virtual ~ApiClient() = default;

  // All arguments by reference outlive the task. The request leaves, through `calls`, before the
  // task first waits.
  virtual Task<ApiResponse> Bind(Calls& calls, const Pod& pod, const Symbol& node) = 0;
  // Success at once where the patch would change nothing of `pod`, which is the pod as last seen.
  virtual Task<ApiResponse> PatchPodStatus(Calls& calls, const Pod& pod,
                                           const PodStatusPatch& patch) = 0;
  virtual Task<ApiResponse> DeletePod(Calls& calls, const Pod& pod) = 0;
  virtual Task<ApiResponse> Send(Calls& calls, const ApiRequest& request) = 0;
  // Nobody waits for events.
  virtual void RecordEvent(const Pod& pod, const Symbol& scheduler_name, PodEvent event) = 0;
};

}  // namespace stowage
