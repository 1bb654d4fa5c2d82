#include "core/plugins/shared_claims.h"

#include <vector>

#include "core/api/volume_helpers.h"

namespace stowage {
namespace {

bool IsShared(const PersistentVolumeClaim& claim, const Listers& listers) {
  bool is_for_many = false;
  for (const Symbol& mode : claim.spec.access_modes) {
    if (mode == "ReadWriteOncePod") return false;
    if (mode == "ReadWriteMany" || mode == "ReadOnlyMany") is_for_many = true;
  }
  return is_for_many && IsFullyBound(claim) &&
         listers.GetPersistentVolume(claim.spec.volume_name) != nullptr;
}

}  // namespace

bool AppendSharedClaims(const Pod& pod, const Listers& listers, PodSignature* signature) {
  std::vector<Symbol> names;
  for (const Volume& volume : pod.spec.volumes) {
    if (!volume.persistent_volume_claim) continue;
    const Symbol& name = names.emplace_back(volume.persistent_volume_claim->claim_name);
    auto claim = listers.GetPersistentVolumeClaim(pod.metadata.namespace_, name);
    if (claim == nullptr || !IsShared(*claim, listers)) return false;
  }
  signature->AddCount(names.size());
  if (names.empty()) return true;
  signature->Add(pod.metadata.namespace_);
  for (const Symbol& name : names) signature->Add(name);
  return true;
}

}  // namespace stowage
