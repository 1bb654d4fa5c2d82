// Fragments of a signature that several plugins share (spec plugins/00, "Signatures").
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

// The tolerations, sorted by key and value.
void SignTolerations(const Pod& pod, PodSignature* signature);

// A request: cpu, memory, ephemeral storage, and the scalars with their names.
void SignResource(const Resource& request, PodSignature* signature);

// The requests that NodeResourcesFit checks.
void SignRequests(const Pod& pod, const Features& features, PodSignature* signature);

// The pod's fields that requests are computed from. Amounts are compared by value, not by spelling.
// Covers only resources for which `is_read` returns true. Returns false and appends nothing if the
// requests depend on more (a resize), or if an amount is not a whole number of thousandths.
bool SignWrittenRequests(const Pod& pod, const std::function<bool(const Symbol&)>& is_read,
                         PodSignature* signature);

// nodeSelector and node affinity, independent of the order of values, expressions and terms.
void SignNodeAffinity(const Pod& pod, PodSignature* signature);

// The expressions and fields of a term, in their order.
void SignNodeSelectorTerm(const NodeSelectorTerm& term, PodSignature* signature);

// The sources of the volumes, sorted, without configMap and secret volumes. Leaves out the volumes'
// names.
void SignVolumes(const Pod& pod, PodSignature* signature);

// The value of one label, or its absence.
void SignLabel(const LabelMap& labels, const Symbol& key, PodSignature* signature);

// The labels with these keys, and which keys these are.
void SignLabels(const LabelMap& labels, const LabelKeys& keys, PodSignature* signature);

// The selector's text, and the values that it reads of these labels.
void SignLabelSelector(const std::optional<LabelSelector>& selector, const LabelMap& labels,
                       PodSignature* signature);

// The texts as a set.
void SignSet(std::vector<Symbol> texts, PodSignature* signature);

}  // namespace stowage
