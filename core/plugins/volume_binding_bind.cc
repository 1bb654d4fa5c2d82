// Binds volumes beside the scheduling cycles: writes, then polls until the controllers are done.

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/meta_schema.h"
#include "core/api/decode/source.h"
#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/plugins/volume_binding_binder.h"

namespace stowage {

// The fields of a written object that are read from the answer.
struct WrittenObject {
  ObjectMeta metadata;
};

inline constexpr auto kVersionFields =
    Fields(Field<&ObjectMeta::resource_version>("resourceVersion"));
inline constexpr TypeInfo kVersionOfWritten = ObjectTypeInfo(kVersionFields);

template <>
struct Schema<WrittenObject> {
  static constexpr auto kFields =
      Fields(FieldAs<&WrittenObject::metadata>("metadata", &kVersionOfWritten));
};

namespace {

// The object as sent, with its new resource version.
template <typename T>
std::shared_ptr<const T> Written(const std::shared_ptr<const T>& sent, const Symbol& version) {
  auto written = std::make_shared<T>(*sent);
  if (!version.empty()) written->metadata.resource_version = version.str();
  return written;
}

// An answer need not contain the object.
Result<Symbol, std::string> VersionIn(const ApiResponse& response) {
  if (response.body.empty()) return Symbol();
  WrittenObject written;
  DecodeReport report = DecodeJson(response.body, DecodeOptions(), &written);
  if (report.syntax_error) return report.syntax_error->message;
  if (!report.field_errors.empty()) return report.field_errors.front().message;
  return Symbol(written.metadata.resource_version);
}

std::string BodyOf(const ObjectMeta& metadata, std::string_view kind) {
  CHECK(metadata.source != nullptr);
  std::string body = *metadata.source;
  // Items of lists lack kind and apiVersion.
  SetStringAt({"kind"}, kind, &body);
  SetStringAt({"apiVersion"}, "v1", &body);
  return body;
}

uint64_t VersionOf(const ObjectMeta& metadata) {
  std::string_view text = metadata.resource_version;
  uint64_t version = 0;
  auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), version);
  return fault == std::errc() && end == text.data() + text.size() ? version : 0;
}

// Whether the object in the watch is from before the write.
bool IsOlder(const ObjectMeta& seen, const ObjectMeta& written) {
  return VersionOf(seen) < VersionOf(written);
}

std::string UnreachableMessage(const PersistentVolume& volume, const Node& node,
                               std::string_view fault) {
  return Format("pv \"{}\" node affinity doesn't match node \"{}\": {}",
                volume.metadata.name.view(), node.metadata.name.view(), fault);
}

}  // namespace

// Sends an update; returns the object's new resource version.
Task<Result<Symbol, Status>> VolumeBinder::Update(const Pod& pod, std::string path,
                                                  std::string body) {
  ApiRequest request;
  request.verb = "update";
  request.method = "PUT";
  request.path = std::move(path);
  request.content_type = "application/json";
  request.body = std::move(body);
  request.pod = Format("{}/{}", pod.metadata.namespace_.view(), pod.metadata.name.view());
  Background* background = handle_.background();
  // A pod that is being preempted must not write any more.
  if (background->pods_in_pre_bind.CauseOf(pod.metadata.uid) != nullptr) {
    co_return Status::Error("context canceled");
  }
  ApiResponse response = co_await background->api.Send(background->calls, request);
  if (!response.ok()) co_return Status::Error(response.message);
  Result<Symbol, std::string> version = VersionIn(response);
  if (!version.ok()) co_return Status::Error(version.fault());
  co_return version.Take();
}

Task<Status> VolumeBinder::BindPodVolumes(const Pod& pod, const Symbol& node, PodVolumes* volumes) {
  Background* background = handle_.background();
  Status written = co_await BindApiUpdate(pod, volumes);
  if (!written.IsSuccess()) co_return written;
  const int64_t interval_us = background->pre_bind_poll_interval_us;
  const int64_t end_us = handle_.now().ToMicros() + bind_timeout_us_;
  while (true) {
    int64_t left_us = end_us - handle_.now().ToMicros();
    co_await background->calls.Sleep(std::min(left_us, interval_us));
    if (background->pods_in_pre_bind.CauseOf(pod.metadata.uid) != nullptr) {
      co_return Status::Error("binding volumes: context canceled");
    }
    if (handle_.now().ToMicros() >= end_us) {
      co_return Status::Error("binding volumes: context deadline exceeded");
    }
    Result<bool, std::string> is_bound = CheckBindings(pod, node, *volumes);
    if (!is_bound.ok()) {
      co_return Status::Error(Format("binding volumes: {}", is_bound.fault()));
    }
    if (*is_bound) co_return Status::Success();
  }
}

// If a write fails, the volumes and claims not written yet are reverted; the written ones stay.
Task<Status> VolumeBinder::BindApiUpdate(const Pod& pod, PodVolumes* volumes) {
  PodVolumes unwritten = *volumes;
  for (BindingInfo& binding : volumes->static_bindings) {
    const ObjectMeta& metadata = binding.volume->metadata;
    Result<Symbol, Status> version =
        co_await Update(pod, Format("/api/v1/persistentvolumes/{}", metadata.name.view()),
                        BodyOf(metadata, "PersistentVolume"));
    if (!version.ok()) {
      RevertAssumedPodVolumes(unwritten);
      co_return version.fault();
    }
    unwritten.static_bindings.erase(unwritten.static_bindings.begin());
    binding.volume = Written(binding.volume, *version);
  }
  for (DynamicProvision& provision : volumes->dynamic_provisions) {
    const ObjectMeta& metadata = provision.claim->metadata;
    Result<Symbol, Status> version =
        co_await Update(pod,
                        Format("/api/v1/namespaces/{}/persistentvolumeclaims/{}",
                               metadata.namespace_.view(), metadata.name.view()),
                        BodyOf(metadata, "PersistentVolumeClaim"));
    if (!version.ok()) {
      RevertAssumedPodVolumes(unwritten);
      co_return version.fault();
    }
    unwritten.dynamic_provisions.erase(unwritten.dynamic_provisions.begin());
    provision.claim = Written(provision.claim, *version);
  }
  co_return Status::Success();
}

// Reads what the API server has, not the assumed objects: another cycle may have assumed them
// since.
Result<bool, std::string> VolumeBinder::CheckBindings(const Pod& pod, const Symbol& node_name,
                                                      const PodVolumes& volumes) const {
  const Listers& listers = handle_.listers();
  NodeRef node = listers.GetNode(node_name);
  if (node == nullptr) {
    return Format("failed to get node \"{}\": {}", node_name.view(),
                  NotFoundMessage("node", node_name));
  }
  CsiNodeRef csi_node = listers.GetCsiNode(node_name);
  if (listers.GetPod(pod.metadata.namespace_, pod.metadata.name) == nullptr) {
    return Format("pod does not exist any more: {}", NotFoundMessage("pod", pod.metadata.name));
  }
  for (const BindingInfo& binding : volumes.static_bindings) {
    Result<bool, std::string> is_bound = CheckBinding(binding, *node, csi_node.get());
    if (!is_bound.ok() || !*is_bound) return is_bound;
  }
  for (const DynamicProvision& provision : volumes.dynamic_provisions) {
    Result<bool, std::string> is_bound = CheckProvision(*provision.claim, *node, csi_node.get());
    if (!is_bound.ok() || !*is_bound) return is_bound;
  }
  return true;
}

Result<bool, std::string> VolumeBinder::CheckBinding(const BindingInfo& binding, const Node& node,
                                                     const CsiNode* csi_node) const {
  ObjectKey volume_key = ObjectKey::Of(binding.volume->metadata);
  PersistentVolumeRef volume = volumes_.GetStored(volume_key);
  if (volume == nullptr) {
    return Format("failed to check binding: {}", NotStoredMessage("persistentvolumes", volume_key));
  }
  ObjectKey claim_key = ObjectKey::Of(binding.claim->metadata);
  PersistentVolumeClaimRef claim = claims_.GetStored(claim_key);
  if (claim == nullptr) {
    return Format("failed to check binding: {}",
                  NotStoredMessage("persistentvolumeclaims", claim_key));
  }
  if (IsOlder(volume->metadata, binding.volume->metadata)) return false;
  Result<AffinityFault, std::string> fault = BoundVolumeAffinity(*volume).Check(node, csi_node);
  if (!fault.ok()) return Format("failed to translate pv to csi: {}", fault.fault());
  if (*fault) return UnreachableMessage(*volume, node, **fault);
  const std::optional<ClaimReference>& reference = volume->spec.claim_ref;
  if (!reference || reference->uid.empty()) {
    return Format("ClaimRef got reset for pv \"{}\"", volume->metadata.name.view());
  }
  return IsFullyBound(*claim);
}

Result<bool, std::string> VolumeBinder::CheckProvision(const PersistentVolumeClaim& written,
                                                       const Node& node,
                                                       const CsiNode* csi_node) const {
  ObjectKey key = ObjectKey::Of(written.metadata);
  PersistentVolumeClaimRef claim = claims_.GetStored(key);
  if (claim == nullptr) {
    return Format("failed to check provisioning pvc: {}",
                  NotStoredMessage("persistentvolumeclaims", key));
  }
  if (IsOlder(claim->metadata, written.metadata)) return false;
  const LabelMap& annotations = claim->metadata.annotations;
  if (annotations.empty()) {
    return Format("selectedNode annotation reset for PVC \"{}\"", key.name.view());
  }
  // A provisioner that fails removes the annotation.
  const Symbol* selected = annotations.Find(Annotations().selected_node);
  if (selected == nullptr || *selected != node.metadata.name) {
    return Format("provisioning failed for PVC \"{}\"", key.name.view());
  }
  if (!claim->spec.volume_name.empty()) {
    PersistentVolumeRef volume = volumes_.GetStored({Symbol(), claim->spec.volume_name});
    if (volume == nullptr) return false;
    Result<AffinityFault, std::string> fault = BoundVolumeAffinity(*volume).Check(node, csi_node);
    if (!fault.ok()) return fault.fault();
    if (*fault) return UnreachableMessage(*volume, node, **fault);
  }
  return IsFullyBound(*claim);
}

}  // namespace stowage
