#include "core/plugins/volume_binding_matching.h"

#include <algorithm>
#include <string_view>

#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

constexpr std::string_view kAvailable = "Available";
constexpr std::string_view kFilesystem = "Filesystem";

const Quantity& StorageIn(const ResourceList& amounts) {
  static const auto* zero = new Quantity();
  const Quantity* amount = amounts.Find(StorageResource());
  return amount == nullptr ? *zero : *amount;
}

std::string_view ModeOf(const std::optional<Symbol>& volume_mode) {
  return volume_mode ? volume_mode->view() : kFilesystem;
}

bool OffersModes(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const std::vector<Symbol>& offered = volume.spec.access_modes;
  const std::vector<Symbol>& wanted = claim.spec.access_modes;
  return std::all_of(wanted.begin(), wanted.end(), [&offered](const Symbol& mode) {
    return std::find(offered.begin(), offered.end(), mode) != offered.end();
  });
}

// The conditions for any volume of the claim, reserved or free.
bool IsSuitable(const PersistentVolume& volume, const PersistentVolumeClaim& claim,
                const Quantity& request) {
  const PersistentVolumeSpec& spec = volume.spec;
  const PersistentVolumeClaimSpec& wanted = claim.spec;
  if (StorageIn(spec.capacity).Compare(request) < 0) return false;
  if (ModeOf(spec.volume_mode) != ModeOf(wanted.volume_mode)) return false;
  if (spec.volume_attributes_class_name.value_or(Symbol()) !=
      wanted.volume_attributes_class_name.value_or(Symbol())) {
    return false;
  }
  return !volume.metadata.deletion_timestamp.has_value();
}

bool IsSmaller(const VolumeCandidate& a, const VolumeCandidate& b) {
  const PersistentVolume& left = *a.volume();
  const PersistentVolume& right = *b.volume();
  int order = StorageIn(left.spec.capacity).Compare(StorageIn(right.spec.capacity));
  return order == 0 ? left.metadata.name < right.metadata.name : order < 0;
}

}  // namespace

const Symbol& StorageResource() {
  static const auto* name = new Symbol("storage");
  return *name;
}

Quantity StorageCapacityOf(const PersistentVolume& volume) {
  return StorageIn(volume.spec.capacity);
}

Quantity StorageRequestOf(const PersistentVolumeClaim& claim) {
  return StorageIn(claim.spec.resources.requests);
}

bool VolumeCandidate::IsReachedFrom(const Node& node) const {
  if (!is_affinity_read_) {
    affinity_ = NodeAffinityOf(volume_->spec.node_affinity);
    is_affinity_read_ = true;
  }
  return !affinity_ || affinity_->Match(node.metadata.labels, Symbol()).matches;
}

ClassVolumes::ClassVolumes(std::vector<VolumeCandidate> volumes) : candidates(std::move(volumes)) {
  StableSort(&candidates, IsSmaller);
  for (size_t place = 0; place < candidates.size(); ++place) {
    const auto& claim = candidates[place].volume()->spec.claim_ref;
    if (claim) reserved[{claim->namespace_, claim->name}].push_back(place);
  }
}

std::vector<const VolumeCandidate*> ClassVolumes::ReservedFor(const PersistentVolumeClaim& claim,
                                                              const Quantity& request) const {
  std::vector<const VolumeCandidate*> found;
  auto places = reserved.find(ObjectKey::Of(claim.metadata));
  if (places == reserved.end()) return found;
  for (size_t place : places->second) {
    const PersistentVolume& volume = *candidates[place].volume();
    if (IsBoundToClaim(volume, claim) && IsSuitable(volume, claim, request)) {
      found.push_back(&candidates[place]);
    }
  }
  StableSort(&found, [](const VolumeCandidate* a, const VolumeCandidate* b) {
    return a->volume()->metadata.name < b->volume()->metadata.name;
  });
  return found;
}

FreeVolumes::FreeVolumes(std::shared_ptr<const ClassVolumes> volumes,
                         PersistentVolumeClaimRef claim, Quantity request, Selector selector)
    : volumes_(std::move(volumes)),
      claim_(std::move(claim)),
      request_(std::move(request)),
      selector_(std::move(selector)) {
  const auto& candidates = volumes_->candidates;
  auto first = std::partition_point(
      candidates.begin(), candidates.end(), [this](const VolumeCandidate& candidate) {
        return StorageIn(candidate.volume()->spec.capacity).Compare(request_) < 0;
      });
  first_ = static_cast<size_t>(first - candidates.begin());
  known_.resize(candidates.size() - first_, Known::kNo);
}

bool FreeVolumes::Suits(size_t place) const {
  Known& known = known_[place - first_];
  if (known == Known::kNo) {
    const PersistentVolume& volume = *volumes_->candidates[place].volume();
    bool suits = !volume.spec.claim_ref && IsSuitable(volume, *claim_, request_) &&
                 volume.status.phase == kAvailable && selector_.Matches(volume.metadata.labels) &&
                 OffersModes(volume, *claim_);
    known = suits ? Known::kSuits : Known::kDoesNot;
  }
  return known == Known::kSuits;
}

std::string RequirementsOf(const PersistentVolumeClaim& claim, const Quantity& request) {
  const PersistentVolumeClaimSpec& spec = claim.spec;
  std::string requirements =
      Format("{}\n{}\n{}\n{}\n", StorageClassOf(claim).view(), request.ToString(),
             ModeOf(spec.volume_mode), spec.volume_attributes_class_name.value_or(Symbol()).view());
  for (const Symbol& mode : spec.access_modes) requirements.append(mode.view()).append(",");
  return requirements;
}

}  // namespace stowage
