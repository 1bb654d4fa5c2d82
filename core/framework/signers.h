// The fragments of a signature that more than one plugin signs (spec plugins/00, "Signatures").
// Counterpart: staging/src/k8s.io/kube-scheduler/framework/signers.go, v1.36.
#pragma once

#include <vector>

#include "core/api/pod.h"
#include "core/config/features.h"
#include "core/framework/pod_signature.h"
#include "core/framework/resource.h"

namespace stowage {

// The tolerations in order of key and value.
void SignTolerations(const Pod& pod, PodSignature* signature);

// A request: cpu, memory, ephemeral storage and the scalars with their names.
void SignResource(const Resource& request, PodSignature* signature);

// The request vector that NodeResourcesFit looks for room for.
void SignRequests(const Pod& pod, const Features& features, PodSignature* signature);

// nodeSelector and node affinity, whatever the order of values, expressions and terms.
void SignNodeAffinity(const Pod& pod, PodSignature* signature);

// The sources of the volumes in a fixed order, without configMap and secret. Their names are left
// out.
void SignVolumes(const Pod& pod, PodSignature* signature);

// Texts as a set.
void SignSet(std::vector<Symbol> texts, PodSignature* signature);

}  // namespace stowage
