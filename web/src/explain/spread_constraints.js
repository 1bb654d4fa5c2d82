/** The constraints that PodTopologySpread scores a pod by: its own, or the plugin's defaults. */
import { labelOf, labelSelectorOf } from '../../../js/src/kubernetes/label_selector.js';

/**
 * @import { Facts } from './facts.js'
 * @import { KubernetesObject } from '../../../js/src/kubernetes/types.js'
 */

/**
 * @typedef {object} SpreadConstraint
 * @property {string} topologyKey
 * @property {number} maxSkew
 * @property {boolean} honorsAffinity
 * @property {boolean} honorsTaints
 * @property {{ isEmpty: boolean, matches: (labels: any) => boolean }} selector
 */

const SYSTEM = [
  { topologyKey: 'kubernetes.io/hostname', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 },
];

/** Who may own a pod and have a selector, by their kind. */
const OWNERS = new Map([
  ['ReplicationController', 'replicationcontrollers'],
  ['ReplicaSet', 'replicasets'],
  ['StatefulSet', 'statefulsets'],
]);

/**
 * @param {Facts} facts
 * @returns {{ constraints: SpreadConstraint[], isSystem: boolean }} those that are preferences
 */
export function softConstraints(facts) {
  const { pod, args } = facts;
  const own = pod.spec.topologySpreadConstraints ?? [];
  const isSoft = (/** @type {any} */ { whenUnsatisfiable }) =>
    whenUnsatisfiable === 'ScheduleAnyway';
  if (own.length > 0)
    return {
      constraints: own.filter(isSoft).map((/** @type {any} */ one) => ({
        ...policiesOf(one),
        selector: ownSelector(one, pod),
      })),
      isSystem: false,
    };
  const isSystem = (args.defaultingType ?? 'System') === 'System';
  const defaults = isSystem ? SYSTEM : (args.defaultConstraints ?? []).filter(isSoft);
  const selector = labelSelectorOf(defaultSelector(facts));
  return {
    constraints: defaults.map((/** @type {any} */ one) => ({ ...policiesOf(one), selector })),
    isSystem,
  };
}

/** @param {any} constraint of the API */
function policiesOf({ topologyKey, maxSkew, nodeAffinityPolicy, nodeTaintsPolicy }) {
  return {
    topologyKey,
    maxSkew,
    honorsAffinity: nodeAffinityPolicy !== 'Ignore',
    honorsTaints: nodeTaintsPolicy === 'Honor',
  };
}

/**
 * @param {any} constraint
 * @param {KubernetesObject} pod
 */
function ownSelector({ labelSelector, matchLabelKeys = [] }, pod) {
  const labels = pod.metadata.labels ?? {};
  const pairs = matchLabelKeys
    .filter((/** @type {string} */ key) => labelOf(labels, key) !== undefined)
    .map((/** @type {string} */ key) => ({ key, operator: 'In', values: [labelOf(labels, key)] }));
  if (!labelSelector || pairs.length === 0) return labelSelectorOf(labelSelector);
  const { matchExpressions = [] } = labelSelector;
  return labelSelectorOf({ ...labelSelector, matchExpressions: [...matchExpressions, ...pairs] });
}

/**
 * What the pod's Services and its owner select.
 * @param {Facts} facts
 */
function defaultSelector(facts) {
  const { namespace, labels = {} } = facts.pod.metadata;
  /** @type {Record<string, string>} */
  const matchLabels = {};
  for (const { metadata, spec } of facts.objects('services')) {
    if (metadata.namespace !== namespace || !spec?.selector) continue;
    const pairs = Object.entries(spec.selector);
    if (pairs.every(([key, value]) => labelOf(labels, key) === value))
      Object.assign(matchLabels, spec.selector);
  }
  const { kind, selector } = ownerOf(facts) ?? {};
  if (!selector) return { matchLabels, matchExpressions: [] };
  if (kind === 'ReplicationController')
    return { matchLabels: { ...matchLabels, ...selector }, matchExpressions: [] };
  const equalities = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: 'In',
    values: [String(value)],
  }));
  return { matchLabels, matchExpressions: [...equalities, ...(selector.matchExpressions ?? [])] };
}

/**
 * Who controls the pod, if that is known and has a selector.
 * @param {Facts} facts
 * @returns {{ kind: string, selector: any } | undefined}
 */
function ownerOf({ pod, objects }) {
  const { namespace, ownerReferences = [] } = pod.metadata;
  const reference = ownerReferences.find((/** @type {any} */ { controller }) => controller);
  const resource = OWNERS.get(reference?.kind);
  if (!resource) return undefined;
  const owner = objects(resource).find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === reference.name,
  );
  return owner && { kind: reference.kind, selector: owner.spec?.selector };
}
