// Explains a refusal of VolumeBinding: the claims that the node cannot serve, each checked alone.
#include <string_view>

#include "core/api/encode/json_writer.h"
#include "core/api/volume_helpers.h"
#include "core/plugins/volume_binding.h"

namespace stowage {
namespace {

std::string_view ReasonOf(VolumeConflicts conflicts) {
  if ((conflicts & kNodeConflict) != 0) return VolumeBinding::kReasonNodeConflict;
  if ((conflicts & kBindConflict) != 0) return VolumeBinding::kReasonBindConflict;
  if ((conflicts & kNotEnoughSpace) != 0) return VolumeBinding::kReasonNotEnoughSpace;
  return VolumeBinding::kReasonVolumeNotExist;
}

}  // namespace

void VolumeBinding::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  const Pod& pod = refusal.pod;
  json->Key("claims").BeginArray();
  for (const Volume& volume : pod.spec.volumes) {
    std::optional<Symbol> name = ClaimNameOf(pod, volume);
    if (!name || !handle_.steps().Visit()) continue;
    PersistentVolumeClaimRef claim =
        handle_.listers().GetPersistentVolumeClaim(pod.metadata.namespace_, *name);
    if (claim == nullptr) continue;
    Pod alone = pod;
    alone.spec.volumes = {volume};
    Result<PodVolumeClaims, std::string> claims = binder_.GetPodVolumeClaims(alone);
    if (!claims.ok()) continue;
    PodVolumes found;
    Result<VolumeConflicts, std::string> conflicts =
        binder_.FindPodVolumes(*claims, *refusal.node.node(), &found);
    if (!conflicts.ok() || *conflicts == 0) continue;
    json->BeginObject().StringMember("claim", name->view());
    json->StringMember("reason", ReasonOf(*conflicts));
    if (!claim->spec.volume_name.empty()) {
      json->StringMember("volume", claim->spec.volume_name.view());
    }
    Symbol storage_class = StorageClassOf(*claim);
    if (!storage_class.empty()) json->StringMember("storageClass", storage_class.view());
    const auto& delayed = claims->delayed;
    if (!delayed.empty() && delayed.front().selected_node) {
      json->StringMember("selectedNode", delayed.front().selected_node->view());
    }
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace stowage
