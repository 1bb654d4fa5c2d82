// VolumeBinder finds volumes for a pod's claims on a node, assumes them in memory, and has them
// bound. Counterpart: framework/plugins/volumebinding/binder.go, v1.36; spec
// plugins/volume-binding.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/framework/handle.h"
#include "core/plugins/volume_binding_claims.h"

namespace stowage {

// A claim and the volume to bind it to.
struct BindingInfo {
  PersistentVolumeRef volume;
  PersistentVolumeClaimRef claim;
};

// A claim whose volume must be provisioned, and the capacity object with room for it.
struct DynamicProvision {
  PersistentVolumeClaimRef claim;
  CsiStorageCapacityRef capacity;  // null if the driver does not publish capacity
};

// How a node serves a pod's claims.
struct PodVolumes {
  std::vector<BindingInfo> static_bindings;
  std::vector<DynamicProvision> dynamic_provisions;
};

// Why a node cannot serve the claims, as bits; reasons are reported in this order.
using VolumeConflicts = uint8_t;
inline constexpr VolumeConflicts kNodeConflict = 1;
inline constexpr VolumeConflicts kBindConflict = 2;
inline constexpr VolumeConflicts kNotEnoughSpace = 4;
inline constexpr VolumeConflicts kVolumeNotExist = 8;

class VolumeBinder {
 public:
  VolumeBinder(Handle& handle, int64_t bind_timeout_us);

  // The assumed volumes and claims.
  struct Assumed {
    AssumeCache<PersistentVolume> volumes;
    AssumeCache<PersistentVolumeClaim> claims;
  };
  Assumed Save() const { return {volumes_, claims_}; }
  // Takes those that Save of this binder, or of another one, returned.
  void Restore(const Assumed& saved) {
    volumes_.CopyStateFrom(saved.volumes);
    claims_.CopyStateFrom(saved.claims);
  }

  // The current volumes and claims, assumed or stored.
  const PersistentVolumeCache& volumes() const { return volumes_; }
  const PersistentVolumeClaimCache& claims() const { return claims_; }

  // The fault is the message of an Error.
  Result<PodVolumeClaims, std::string> GetPodVolumeClaims(const Pod& pod) const;
  // `*volumes` is valid only if there are no conflicts.
  Result<VolumeConflicts, std::string> FindPodVolumes(const PodVolumeClaims& claims,
                                                      const Node& node, PodVolumes* volumes) const;

  // True if all claims of the pod are bound.
  bool ArePodVolumesBound(const Pod& pod) const;

  // Assumes `*volumes` in memory, and stores in it the objects to write. Returns true if there is
  // nothing to bind.
  Result<bool, std::string> AssumePodVolumes(const Pod& pod, const Symbol& node,
                                             PodVolumes* volumes);
  void RevertAssumedPodVolumes(const PodVolumes& volumes);

  // Writes what was assumed, then waits until the controllers have bound everything. All arguments
  // must outlive the task.
  Task<Status> BindPodVolumes(const Pod& pod, const Symbol& node, PodVolumes* volumes);

 private:
  Result<VolumeConflicts, std::string> CheckBoundClaims(const PodVolumeClaims& claims,
                                                        const Node& node) const;
  Result<VolumeConflicts, std::string> FindDelayed(const PodVolumeClaims& claims, const Node& node,
                                                   PodVolumes* volumes) const;
  Task<Status> BindApiUpdate(const Pod& pod, PodVolumes* volumes);
  Task<Result<Symbol, Status>> Update(const Pod& pod, std::string path, std::string body);
  // Returns true if everything is bound.
  Result<bool, std::string> CheckBindings(const Pod& pod, const Symbol& node_name,
                                          const PodVolumes& volumes) const;
  Result<bool, std::string> CheckBinding(const BindingInfo& binding, const Node& node,
                                         const CsiNode* csi_node) const;
  Result<bool, std::string> CheckProvision(const PersistentVolumeClaim& written, const Node& node,
                                           const CsiNode* csi_node) const;

  Handle& handle_;
  int64_t bind_timeout_us_;
  PersistentVolumeCache volumes_;
  PersistentVolumeClaimCache claims_;
};

}  // namespace stowage
