/** Fills in a pod's spec as the API server does, as far as the scheduler reads it. */
import { parseQuantity } from './quantity.js';
import { isRecord, itemsIn } from './values.js';

/** The scheduler of pods that name none, and of a configuration whose only profile names none. */
export const DEFAULT_SCHEDULER = 'default-scheduler';

/**
 * Returns the name of a pod's or profile's scheduler; an absent or empty name means the default
 * scheduler.
 * @param {any} spec or a profile
 * @returns {string}
 */
export function schedulerNameOf(spec) {
  return spec?.schedulerName || DEFAULT_SCHEDULER;
}

/**
 * Returns the names of the schedulers of a KubeSchedulerConfiguration.
 * @param {any} configuration
 * @returns {Set<string>}
 */
export function schedulerNamesIn(configuration) {
  const profiles = itemsIn(configuration?.profiles);
  return new Set((profiles.length > 0 ? profiles : [{}]).map(schedulerNameOf));
}

/**
 * Returns the container with protocols for its ports and, on the host network, host ports.
 * @param {any} container
 * @param {boolean | undefined} hostNetwork
 */
export function withPortDefaults(container, hostNetwork) {
  if (!isRecord(container) || !Array.isArray(container.ports)) return container;
  const ports = container.ports.map((/** @type {any} */ port) =>
    isRecord(port) ? portOf(port, hostNetwork) : port,
  );
  return { ...container, ports };
}

/**
 * @param {Record<string, any>} port
 * @param {boolean | undefined} hostNetwork
 */
function portOf(port, hostNetwork) {
  const onHost = hostNetwork && !port.hostPort && { hostPort: port.containerPort };
  return { ...port, protocol: port.protocol || 'TCP', ...onHost };
}

/**
 * Returns the container with requests equal to its limits where it has no requests.
 * @param {any} container
 */
export function withRequestsOfLimits(container) {
  if (!isRecord(container)) return container;
  const { limits, requests } = container.resources ?? {};
  if (!isRecord(limits) || !isRecord(requests ?? {})) return container;
  const resources = {
    ...container.resources,
    requests: { ...readableLimits(limits), ...requests },
  };
  return { ...container, resources };
}

/**
 * Returns the limits that requests are taken from. The engine reports an invalid limit; it would
 * report the request made of it as well, which is not in the text.
 * @param {Record<string, unknown>} limits
 */
export function readableLimits(limits) {
  const isReadable = (/** @type {unknown} */ limit) => parseQuantity(limit ?? 0) !== null;
  // Nearly always all of them: nothing is copied.
  if (Object.values(limits).every(isReadable)) return limits;
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => isReadable(limit)));
}

/**
 * Returns the spec with `matchLabelKeys` and `mismatchLabelKeys` merged into the selectors beside
 * them.
 * @param {Record<string, any>} spec
 * @param {Record<string, string>} labels of the pod
 * @param {boolean} [mergesSpread] also those of topology spread; before v1.34, the scheduler does
 * @returns {Record<string, any>}
 */
export function withMergedLabelKeys(spec, labels, mergesSpread = true) {
  const { affinity, topologySpreadConstraints: constraints } = spec;
  const merged = { ...spec };
  if (isRecord(affinity)) merged.affinity = affinityOf(affinity, labels);
  if (mergesSpread && Array.isArray(constraints)) {
    merged.topologySpreadConstraints = constraints.map((term) =>
      mergedTerm(term, labels, { isOfPods: false }),
    );
  }
  return merged;
}

/**
 * @param {any} affinity
 * @param {Record<string, string>} labels
 */
function affinityOf(affinity, labels) {
  const merged = { ...affinity };
  for (const side of ['podAffinity', 'podAntiAffinity']) {
    if (isRecord(affinity[side])) merged[side] = podAffinityOf(affinity[side], labels);
  }
  return merged;
}

/**
 * @param {any} affinity
 * @param {Record<string, string>} labels
 */
function podAffinityOf(affinity, labels) {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity;
  return {
    ...affinity,
    ...(Array.isArray(required) && {
      requiredDuringSchedulingIgnoredDuringExecution: required.map((term) =>
        mergedTerm(term, labels),
      ),
    }),
    ...(Array.isArray(preferred) && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((entry) =>
        isRecord(entry)
          ? { ...entry, podAffinityTerm: mergedTerm(entry.podAffinityTerm, labels) }
          : entry,
      ),
    }),
  };
}

/**
 * Returns a term or constraint with its label keys merged into its selector; keys that the pod
 * lacks add no requirement.
 * @param {any} term
 * @param {Record<string, string>} labels
 * @param {{ isOfPods?: boolean }} [options] only terms about pods have `mismatchLabelKeys`
 */
function mergedTerm(term, labels, { isOfPods = true } = {}) {
  if (!isRecord(term?.labelSelector)) return term;
  const given = term.labelSelector.matchExpressions ?? [];
  const expressions = [
    ...expressionsOf(term.matchLabelKeys, 'In', labels),
    ...(isOfPods ? expressionsOf(term.mismatchLabelKeys, 'NotIn', labels) : []),
  ];
  if (expressions.length === 0 || !Array.isArray(given)) return term;
  const matchExpressions = [...given, ...expressions];
  return { ...term, labelSelector: { ...term.labelSelector, matchExpressions } };
}

/**
 * @param {unknown} keys
 * @param {'In' | 'NotIn'} operator
 * @param {Record<string, string>} labels
 */
function expressionsOf(keys, operator, labels) {
  const carried = itemsIn(keys).filter((key) => Object.hasOwn(labels, key));
  return carried.map((key) => ({ key, operator, values: [labels[key] ?? ''] }));
}
