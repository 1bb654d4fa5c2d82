// PodInfo is a pod with what is computed from it once: requests, host ports and affinity terms.
//
// A node adds and later subtracts the values of the same PodInfo, so that changes of the object in
// between cannot unbalance the sums. Counterpart: framework.PodInfo, v1.36; spec 01 §7.2, 04 §2.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/api/host_ports.h"
#include "core/api/pod.h"
#include "core/api/shared.h"
#include "core/table/affinity_terms.h"
#include "core/table/resource.h"

namespace stowage {

struct Features;

struct PodInfo {
  PodRef pod;
  Resource requests;               // podRequests(pod), resize status included
  int64_t non_zero_milli_cpu = 0;  // with the scheduling defaults per container
  int64_t non_zero_memory = 0;
  SharedList<HostPort> host_ports;  // hostPort > 0, sidecars first
  // Null unless has_affinity(). A list that fails to parse is empty.
  std::shared_ptr<const AffinityTerms> affinity_terms;

  const Symbol& uid() const { return pod->metadata.uid; }
  bool has_affinity() const {
    return pod->spec.affinity && (pod->spec.affinity->pod_affinity.has_value() ||
                                  pod->spec.affinity->pod_anti_affinity.has_value());
  }
  bool has_required_anti_affinity() const {
    return pod->spec.affinity && pod->spec.affinity->pod_anti_affinity &&
           !pod->spec.affinity->pod_anti_affinity->required.empty();
  }
  // Whether some volume is a claim, ephemeral, or a source that volume plugins read.
  bool has_attachable_volumes() const {
    for (const Volume& volume : pod->spec.volumes) {
      if (volume.persistent_volume_claim || volume.source || volume.is_ephemeral()) return true;
    }
    return false;
  }
};

using PodInfoRef = std::shared_ptr<const PodInfo>;

PodInfoRef MakePodInfo(PodRef pod, const Features& features);
// The same for another version of the pod of `known`: copies the computed values if both versions
// share the parts that they are computed from.
PodInfoRef MakePodInfo(PodRef pod, const PodInfo& known, const Features& features);

// Copies the computed values to another version of the pod. Assuming a pod uses it if that changes
// only spec.nodeName, which no computed value depends on.
PodInfoRef WithPod(const PodInfo& info, PodRef pod);

// Whether two versions of a pod are equal in all that is counted on a node: requests, ports, terms,
// labels, volumes, node resources of claims, and whether the pod is terminating. The order of pods
// and the fields that preemption reads of a victim may differ. False is always a safe answer.
bool CountsAlike(const PodInfo& a, const PodInfo& b);

}  // namespace stowage
