// VolumeBinder finds volumes for a pod's claims on a node, sets them aside in memory, and has them
// bound. Counterpart: framework/plugins/volumebinding/binder.go, v1.36;
// spec plugins/volume-binding.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/framework/handle.h"
#include "core/plugins/volume_binding_claims.h"

namespace stowage {

// A claim and the volume that it is to get.
struct BindingInfo {
  PersistentVolumeRef volume;
  PersistentVolumeClaimRef claim;
};

// A claim for which a volume is to be made, and where there is room for it, if anybody asked.
struct DynamicProvision {
  PersistentVolumeClaimRef claim;
  CsiStorageCapacityRef capacity;  // may be null
};

// How a node would serve a pod's claims.
struct PodVolumes {
  std::vector<BindingInfo> static_bindings;
  std::vector<DynamicProvision> dynamic_provisions;
};

// Why a node would not; of several all are said, in this order.
using VolumeConflicts = uint8_t;
inline constexpr VolumeConflicts kNodeConflict = 1;
inline constexpr VolumeConflicts kBindConflict = 2;
inline constexpr VolumeConflicts kNotEnoughSpace = 4;
inline constexpr VolumeConflicts kVolumeNotExist = 8;

class VolumeBinder {
 public:
  VolumeBinder(Handle& handle, int64_t bind_timeout_us);

  // Faults are the texts of Errors.
  Result<PodVolumeClaims, std::string> GetPodVolumeClaims(const Pod& pod) const;
  // `*volumes` is meaningful without conflicts only.
  Result<VolumeConflicts, std::string> FindPodVolumes(const PodVolumeClaims& claims,
                                                      const Node& node, PodVolumes* volumes) const;

  // Nothing is left to be bound for the pod.
  bool ArePodVolumesBound(const Pod& pod) const;

  // Sets `*volumes` aside in memory and puts in what is to be written. True: there is nothing to
  // bind.
  Result<bool, std::string> AssumePodVolumes(const Pod& pod, const Symbol& node,
                                             PodVolumes* volumes);
  void RevertAssumedPodVolumes(const PodVolumes& volumes);

  // Writes what was assumed and waits for the controllers, until all is bound. All arguments
  // outlive the task.
  Task<Status> BindPodVolumes(const Pod& pod, const Symbol& node, PodVolumes* volumes);

 private:
  Result<VolumeConflicts, std::string> CheckBoundClaims(const PodVolumeClaims& claims,
                                                        const Node& node) const;
  Result<VolumeConflicts, std::string> FindDelayed(const PodVolumeClaims& claims, const Node& node,
                                                   PodVolumes* volumes) const;
  Task<Status> BindApiUpdate(const Pod& pod, PodVolumes* volumes);
  Task<Result<Symbol, Status>> Update(const Pod& pod, std::string path, std::string body);
  // True when all is bound.
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
