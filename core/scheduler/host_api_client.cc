#include "core/scheduler/host_api_client.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/api/encode/json_writer.h"
#include "core/base/cold.h"
#include "core/scheduler/api_call.h"
#include "core/scheduler/pod_status_patch.h"

namespace stowage {
namespace {

constexpr int kPatchTriesMax = 4;
constexpr int64_t kFirstDelayUs = 10'000;
constexpr int64_t kDelayFactor = 5;
constexpr int64_t kRetryJitterPercent = 10;

// Failures that are worth a retry. An answer without a reason is matched by its code.
struct PassingFailure {
  std::string_view reason;
  int32_t status;
};
constexpr PassingFailure kPassingFailures[] = {
    {"InternalError", 500}, {"ServiceUnavailable", 503}, {"Conflict", 409}};

STOWAGE_COLD bool MayPass(const ApiResponse& response) {
  for (const PassingFailure& failure : kPassingFailures) {
    if (response.reason == failure.reason) return true;
    if (response.reason.empty() && response.status == failure.status) return true;
  }
  return false;
}

// A request about `pod`; `subresource` begins with a slash.
ApiRequest PodRequest(const Pod& pod, std::string_view verb, std::string_view method,
                      std::string_view subresource) {
  std::string_view namespace_ = pod.metadata.namespace_.view();
  std::string_view name = pod.metadata.name.view();
  ApiRequest request;
  request.verb = verb;
  request.method = method;
  request.path = Joined({"/api/v1/namespaces/", namespace_, "/pods/", name, subresource});
  request.content_type = kJson;
  request.pod = Joined({namespace_, "/", name});
  return request;
}

std::string BindingBody(const Pod& pod, const Symbol& node) {
  std::string body;
  JsonWriter json(&body);
  json.BeginObjectWith<R"({"kind":"Binding","apiVersion":"v1","metadata":)">()
      .BeginObject()
      .StringMember<"name">(pod.metadata.name.view())
      .StringMember<"namespace">(pod.metadata.namespace_.view())
      .StringMember<"uid">(pod.metadata.uid.view())
      .EndObject();
  json.Key<"target">().BeginObjectWith<R"({"kind":"Node","name":)">().String(node.view());
  json.EndObject().EndObject();
  return body;
}

STOWAGE_COLD Task<ApiResponse> NothingToDo() {
  ApiResponse response;
  response.status = 200;
  co_return response;
}

}  // namespace

Task<ApiResponse> HostApiClient::Bind(Calls& calls, const Pod& pod, const Symbol& node) {
  ApiRequest request = PodRequest(pod, "bind", "POST", "/binding");
  request.body = BindingBody(pod, node);
  return SendUpTo(1, calls, std::move(request));
}

STOWAGE_COLD Task<ApiResponse> HostApiClient::PatchPodStatus(Calls& calls, const Pod& pod,
                                                             const PodStatusPatch& patch) {
  if (!patch.IsNeededFor(pod.status)) return NothingToDo();
  ApiRequest request = PodRequest(pod, "patch", "PATCH", "/status");
  request.content_type = kStrategicMergePatch;
  request.body = StatusPatchBody(pod.status, patch);
  if (request.body == "{}") return NothingToDo();
  return SendUpTo(kPatchTriesMax, calls, std::move(request));
}

STOWAGE_COLD Task<ApiResponse> HostApiClient::PatchPodGroupStatus(Calls& calls,
                                                                  const PodGroup& group,
                                                                  const PodCondition& condition) {
  std::string_view namespace_ = group.metadata.namespace_.view();
  ApiRequest request;
  request.verb = "patch";
  request.method = "PATCH";
  request.path = Joined({"/apis/scheduling.k8s.io/v1alpha2/namespaces/", namespace_, "/podgroups/",
                         group.metadata.name.view(), "/status"});
  request.content_type = kStrategicMergePatch;
  JsonWriter json(&request.body);
  json.BeginObject().Key("status").BeginObject().Key("conditions").BeginArray();
  WriteGroupCondition(condition, &json);
  json.EndArray().EndObject().EndObject();
  return SendUpTo(kPatchTriesMax, calls, std::move(request));
}

STOWAGE_COLD Task<ApiResponse> HostApiClient::DeletePod(Calls& calls, const Pod& pod) {
  ApiRequest request = PodRequest(pod, "delete", "DELETE", "");
  request.body = R"({"kind":"DeleteOptions","apiVersion":"v1"})";
  return SendUpTo(1, calls, std::move(request));
}

STOWAGE_COLD Task<ApiResponse> HostApiClient::Send(Calls& calls, const ApiRequest& request) {
  return SendUpTo(1, calls, request);
}

Task<ApiResponse> HostApiClient::SendUpTo(int tries_max, Calls& calls, ApiRequest request) {
  int64_t delay_us = kFirstDelayUs;
  for (int tries = 1;; ++tries) {
    uint64_t id = calls.Send(tries < tries_max ? ApiCallOf(request, options_.call_timeout_us)
                                               : TakeApiCall(&request, options_.call_timeout_us));
    Completion answer = co_await calls.Answer(id);
    bool has_no_connection = answer.fault == CallFault::kNetwork;
    ApiResponse response = ApiResponseOf(request, std::move(answer));
    bool may_pass = has_no_connection || MayPass(response);
    if (!may_pass || tries == tries_max) co_return response;
    co_await calls.Sleep(JitteredUs(delay_us, kRetryJitterPercent, parts_.rng));
    delay_us *= kDelayFactor;
  }
}

}  // namespace stowage
