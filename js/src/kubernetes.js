/**
 * Kubernetes' vocabulary: the table of kinds, quantities, durations, label selectors and the
 * requests of pods, as the other entries use them.
 * @module stowage/kubernetes
 */
export { canonicalQuantity } from './kubernetes/canonical_quantity.js';
export { durationText, parseDuration } from './kubernetes/duration.js';
export { hashWords } from './kubernetes/hash.js';
export { keyOf, splitKey } from './kubernetes/keys.js';
export { RESOURCES, SCALED_KINDS, resourceNamed, resourceOf } from './kubernetes/kinds.js';
export { labelSelectorOf } from './kubernetes/label_selector.js';
export { podRequests } from './kubernetes/pod_requests.js';
export { parseQuantity } from './kubernetes/quantity.js';
export { RELEASES, releaseOf } from './kubernetes/release.js';
export { isRecord, itemsIn } from './kubernetes/values.js';
export { semanticEqual } from './kubernetes/workloads/objects.js';

/** @typedef {import('./kubernetes/types.js').KubernetesObject} KubernetesObject */
/** @typedef {import('./kubernetes/types.js').Position} Position */
/** @typedef {import('./kubernetes/kinds.js').Resource} Resource */
/** @typedef {import('./kubernetes/kinds.js').Subresource} Subresource */
