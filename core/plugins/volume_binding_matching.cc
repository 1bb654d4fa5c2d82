#include "core/plugins/volume_binding_matching.h"

#include <algorithm>
#include <string_view>

#include "core/api/volume_helpers.h"
#include "core/base/format.h"

namespace stowage {
namespace {

constexpr std::string_view kAvailable = "Available";
constexpr std::string_view kFilesystem = "Filesystem";

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

}  // namespace

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

FreeVolumes::FreeVolumes(std::shared_ptr<const ClassVolumes::List> volumes,
                         const PersistentVolumeCache& assumed, PersistentVolumeClaimRef claim,
                         Quantity request, Selector selector)
    : volumes_(std::move(volumes)),
      assumed_(assumed),
      claim_(std::move(claim)),
      request_(std::move(request)),
      selector_(std::move(selector)),
      first_(FirstOfSize(*volumes_, request_)) {}

const VolumeCandidate* FreeVolumes::At(size_t place) const {
  if (known_.empty()) known_from_ = place;
  if (place < known_from_) {
    known_.insert(known_.begin(), known_from_ - first_, kUnknown);
    known_from_ = first_;
  }
  if (place - known_from_ >= known_.size()) known_.resize(place - known_from_ + 1, kUnknown);
  uint32_t& known = known_[place - known_from_];
  if (known == kUnknown) {
    PersistentVolumeRef volume = assumed_.Latest((*volumes_)[place]);
    known = kDoesNotSuit;
    if (Suits(*volume)) {
      known = kFirstSuitable + static_cast<uint32_t>(suitable_.size());
      suitable_.emplace_back(std::move(volume));
    }
  }
  return known == kDoesNotSuit ? nullptr : &suitable_[known - kFirstSuitable];
}

bool FreeVolumes::Suits(const PersistentVolume& volume) const {
  return !volume.spec.claim_ref && IsSuitable(volume, *claim_, request_) &&
         volume.status.phase == kAvailable && selector_.Matches(volume.metadata.labels) &&
         OffersModes(volume, *claim_);
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
