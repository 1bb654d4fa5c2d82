// Assumes volumes in memory: prepares the objects to be written to bind them.
#include <memory>
#include <utility>

#include "core/api/decode/source.h"
#include "core/api/encode/json_writer.h"
#include "core/api/volume_helpers.h"
#include "core/plugins/volume_binding_binder.h"

namespace stowage {
namespace {

void AddMember(std::string_view name, std::string_view text, JsonWriter* json) {
  if (!text.empty()) json->StringMember(name, text);
}

std::string ReferenceTo(const PersistentVolumeClaim& claim) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject().StringMember("kind", "PersistentVolumeClaim");
  AddMember("namespace", claim.metadata.namespace_.view(), &json);
  AddMember("name", claim.metadata.name.view(), &json);
  AddMember("uid", claim.metadata.uid.view(), &json);
  json.StringMember("apiVersion", "v1");
  AddMember("resourceVersion", claim.metadata.resource_version, &json);
  json.EndObject();
  return text;
}

// Changes the text of an object together with its decoded fields.
template <typename Change>
void ChangeSource(const Change& change, ObjectMeta* metadata) {
  CHECK(metadata->source != nullptr);
  std::string text = *metadata->source;
  change(&text);
  metadata->source = std::make_shared<const std::string>(std::move(text));
}

void SetAnnotation(const Symbol& key, std::string_view value, ObjectMeta* metadata) {
  metadata->annotations.Set(key, Symbol(value));
  ChangeSource(
      [&key, value](std::string* text) {
        SetStringAt({"metadata", "annotations", key.view()}, value, text);
      },
      metadata);
}

// The volume with a reference to the claim; the same object if it already has it.
PersistentVolumeRef GetBindVolumeToClaim(const PersistentVolumeRef& volume,
                                         const PersistentVolumeClaim& claim) {
  const Symbol& by_controller = Annotations().bound_by_controller;
  const std::optional<ClaimReference>& reference = volume->spec.claim_ref;
  bool is_referenced = reference && reference->name == claim.metadata.name &&
                       reference->namespace_ == claim.metadata.namespace_ &&
                       reference->uid == claim.metadata.uid;
  bool needs_annotation =
      !IsBoundToClaim(*volume, claim) && !volume->metadata.annotations.Has(by_controller);
  if (is_referenced && !needs_annotation) return volume;
  auto bound = std::make_shared<PersistentVolume>(*volume);
  if (!is_referenced) {
    const ObjectMeta& metadata = claim.metadata;
    bound->spec.claim_ref = ClaimReference{metadata.namespace_, metadata.name, metadata.uid};
    ChangeSource(
        [&claim](std::string* text) {
          SetJsonAt({"spec", "claimRef"}, ReferenceTo(claim), text);
        },
        &bound->metadata);
  }
  if (needs_annotation) SetAnnotation(by_controller, "yes", &bound->metadata);
  return bound;
}

}  // namespace

Result<bool, std::string> VolumeBinder::AssumePodVolumes(const Pod& pod, const Symbol& node,
                                                         PodVolumes* volumes) {
  if (ArePodVolumesBound(pod)) return true;
  PodVolumes assumed;
  for (const BindingInfo& binding : volumes->static_bindings) {
    PersistentVolumeRef volume = GetBindVolumeToClaim(binding.volume, *binding.claim);
    std::optional<std::string> fault;
    if (volume != binding.volume) fault = volumes_.Assume(volume);
    if (fault) {
      RevertAssumedPodVolumes(assumed);
      return *fault;
    }
    assumed.static_bindings.push_back({std::move(volume), binding.claim});
  }
  for (const DynamicProvision& provision : volumes->dynamic_provisions) {
    auto claim = std::make_shared<PersistentVolumeClaim>(*provision.claim);
    SetAnnotation(Annotations().selected_node, node.view(), &claim->metadata);
    if (std::optional<std::string> fault = claims_.Assume(claim)) {
      RevertAssumedPodVolumes(assumed);
      return *fault;
    }
    assumed.dynamic_provisions.push_back({std::move(claim), nullptr});
  }
  *volumes = std::move(assumed);
  return false;
}

void VolumeBinder::RevertAssumedPodVolumes(const PodVolumes& volumes) {
  for (const BindingInfo& binding : volumes.static_bindings) volumes_.Restore(*binding.volume);
  for (const DynamicProvision& provision : volumes.dynamic_provisions) {
    claims_.Restore(*provision.claim);
  }
}

}  // namespace stowage
