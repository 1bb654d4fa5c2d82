// The fragments of a signature that more than one plugin signs (spec plugins/00, "Signatures").
// Counterpart: staging/src/k8s.io/kube-scheduler/framework/signers.go, v1.36.
#pragma once

#include <functional>
#include <vector>

#include "core/api/pod.h"
#include "core/config/features.h"
#include "core/framework/pod_signature.h"
#include "core/table/label_keys.h"
#include "core/table/resource.h"

namespace stowage {

// The tolerations in order of key and value.
void SignTolerations(const Pod& pod, PodSignature* signature);

// A request: cpu, memory, ephemeral storage and the scalars with their names.
void SignResource(const Resource& request, PodSignature* signature);

// The request vector that NodeResourcesFit looks for room for.
void SignRequests(const Pod& pod, const Features& features, PodSignature* signature);

// What requests are computed from, as it is written; equal amounts are equal, however spelled. Only
// resources that `is_read` wants. False, and nothing, where more decides: a resize, or amounts that
// are no whole thousandths.
bool SignWrittenRequests(const Pod& pod, const std::function<bool(const Symbol&)>& is_read,
                         PodSignature* signature);

// nodeSelector and node affinity, whatever the order of values, expressions and terms.
void SignNodeAffinity(const Pod& pod, PodSignature* signature);

// The sources of the volumes in a fixed order, without configMap and secret. Their names are left
// out.
void SignVolumes(const Pod& pod, PodSignature* signature);

// The value of one label, or that there is none.
void SignLabel(const LabelMap& labels, const Symbol& key, PodSignature* signature);

// The labels with these keys; which keys these are is part of it.
void SignLabels(const LabelMap& labels, const LabelKeys& keys, PodSignature* signature);

// The selector as it is written, and what it reads of these labels.
void SignLabelSelector(const std::optional<LabelSelector>& selector, const LabelMap& labels,
                       PodSignature* signature);

// Texts as a set.
void SignSet(std::vector<Symbol> texts, PodSignature* signature);

}  // namespace stowage
