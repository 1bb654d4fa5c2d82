// PodInfo is a pod with everything that is computed from it once: requests, host ports and
// affinity terms.
//
// What a node adds for a pod at arrival it subtracts at removal from the same PodInfo, so that
// later changes of the object cannot unbalance the sums. Counterpart: framework.PodInfo, v1.36;
// spec 01 §7.2, 04 §2.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/api/host_ports.h"
#include "core/api/pod.h"
#include "core/api/shared.h"
#include "core/framework/affinity_terms.h"
#include "core/framework/resource.h"

namespace stowage {

struct Features;

struct PodInfo {
  PodRef pod;
  Resource requests;               // podRequests(pod), resize status included
  int64_t non_zero_milli_cpu = 0;  // with the scheduling defaults per container
  int64_t non_zero_memory = 0;
  SharedList<HostPort> host_ports;  // hostPort > 0, sidecars first
  // Null unless has_affinity(). A list that does not parse is empty.
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
  // Some volume is a claim or a disk that plugins look into.
  bool has_attachable_volumes() const {
    for (const Volume& volume : pod->spec.volumes) {
      if (volume.persistent_volume_claim || volume.source || volume.is_ephemeral()) return true;
    }
    return false;
  }
};

using PodInfoRef = std::shared_ptr<const PodInfo>;

PodInfoRef MakePodInfo(PodRef pod, const Features& features);
// The same of another version of the pod that `known` is about: what is computed from parts that
// both versions share is not computed again.
PodInfoRef MakePodInfo(PodRef pod, const PodInfo& known, const Features& features);

// The same computed parts under another version of the pod object (assuming a pod changes only
// spec.nodeName, which no computed part depends on).
PodInfoRef WithPod(const PodInfo& info, PodRef pod);

// Nobody who counts what is on a node can tell these two versions of a pod apart: requests, ports,
// terms, labels, volumes, whether it is terminating. The order of pods, and what preemption reads
// of a victim, may differ. False is always safe to say.
bool CountsAlike(const PodInfo& a, const PodInfo& b);

}  // namespace stowage
