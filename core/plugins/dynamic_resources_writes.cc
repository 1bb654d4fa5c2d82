#include "core/plugins/dynamic_resources_writes.h"

#include <memory>
#include <utility>

#include "core/base/format.h"
#include "core/dra/claim_text.h"
#include "core/plugins/dynamic_resources_claims.h"

namespace stowage {
namespace {

constexpr std::string_view kDeleteOptions =
    R"({"kind":"DeleteOptions","apiVersion":"resource.k8s.io/v1"})";

}  // namespace

ClaimWriter::ClaimWriter(ApiClient& api, Calls& calls, const Pod& pod)
    : api_(api), calls_(calls), pod_(NamespacedNameOf(pod.metadata)) {}

// A key without a name is that of all claims of the namespace.
Task<ClaimAnswer> ClaimWriter::Send(std::string_view verb, std::string_view method, ObjectKey key,
                                    std::string_view subresource, std::string body) {
  ApiRequest request;
  request.verb = verb;
  request.method = method;
  request.path =
      Format("/apis/resource.k8s.io/v1/namespaces/{}/resourceclaims", key.namespace_.view());
  if (!key.name.empty()) request.path += Format("/{}{}", key.name.view(), subresource);
  if (!body.empty()) {
    request.content_type =
        verb == "patch" ? "application/strategic-merge-patch+json" : "application/json";
  }
  request.body = std::move(body);
  request.pod = pod_;
  ApiResponse response = co_await api_.Send(calls_, request);
  ClaimAnswer answer;
  if (response.ok()) {
    answer.claim = ClaimOfText(response.body);
  } else {
    answer.error = response.message.empty() ? "no answer" : response.message;
    answer.is_conflict = response.reason == "Conflict";
  }
  co_return answer;
}

// Here and below, arguments are named first: GCC 12 destroys a temporary that is written with
// braces within co_await twice.
Task<ClaimAnswer> ClaimWriter::Create(ResourceClaimRef claim) {
  ObjectKey key = ObjectKey::Of(claim->metadata);
  key.name = Symbol();
  std::string body = ClaimText(*claim);
  ClaimAnswer answer = co_await Send("create", "POST", std::move(key), "", std::move(body));
  if (answer.ok() && answer.claim == nullptr) answer.error = "the answer holds no claim";
  co_return answer;
}

Task<ClaimAnswer> ClaimWriter::Get(ObjectKey key) {
  std::string no_body;
  ClaimAnswer answer = co_await Send("get", "GET", std::move(key), "", std::move(no_body));
  if (answer.ok() && answer.claim == nullptr) answer.error = "the answer holds no claim";
  co_return answer;
}

Task<ClaimAnswer> ClaimWriter::Update(ResourceClaimRef claim) {
  return Replace(std::move(claim), "");
}

Task<ClaimAnswer> ClaimWriter::UpdateStatus(ResourceClaimRef claim) {
  return Replace(std::move(claim), "/status");
}

// A server need not return the object.
Task<ClaimAnswer> ClaimWriter::Replace(ResourceClaimRef claim, std::string_view subresource) {
  ObjectKey key = ObjectKey::Of(claim->metadata);
  std::string body = ClaimText(*claim);
  ClaimAnswer answer = co_await Send("update", "PUT", std::move(key), subresource, std::move(body));
  if (answer.ok() && answer.claim == nullptr) answer.claim = std::move(claim);
  co_return answer;
}

Task<ClaimAnswer> ClaimWriter::Delete(ObjectKey key) {
  return Send("delete", "DELETE", std::move(key), "", std::string(kDeleteOptions));
}

Task<ClaimAnswer> ClaimWriter::PatchReservation(ResourceClaimRef claim, Symbol pod_uid) {
  std::string body;
  JsonWriter json(&body);
  json.BeginObject().Key("metadata").BeginObject();
  json.StringMember("uid", claim->metadata.uid.view()).EndObject();
  json.Key("status").BeginObject().Key("reservedFor").BeginArray().BeginObject();
  json.StringMember("$patch", "delete").StringMember("uid", pod_uid.view());
  json.EndObject().EndArray().EndObject().EndObject();
  return Send("patch", "PATCH", ObjectKey::Of(claim->metadata), "/status", std::move(body));
}

Task<std::string> DeleteClaim(ClaimWriter* writer, Calls* calls, ResourceClaimRef claim) {
  const ObjectKey key = ObjectKey::Of(claim->metadata);
  for (int tries = 1; HasFinalizer(*claim); ++tries) {
    auto changed = std::make_shared<ResourceClaim>(*claim);
    SetFinalizer(false, changed.get());
    ClaimAnswer updated = co_await writer->Update(std::move(changed));
    if (updated.ok()) break;
    if (!updated.is_conflict || tries == kConflictTriesMax) co_return updated.error;
    co_await calls->Sleep(kConflictDelayUs);
    ClaimAnswer read = co_await writer->Get(key);
    if (!read.ok()) co_return read.error;
    claim = std::move(read.claim);
  }
  ClaimAnswer deleted = co_await writer->Delete(key);
  co_return deleted.error;
}

}  // namespace stowage
