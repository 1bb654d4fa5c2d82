/** Edits: changes of a pod or of its cluster, alone and together. */
import { keyOf } from '../../kubernetes/keys.js';
import { JOB_UID_LABELS } from '../../kubernetes/workloads/job_labels.js';
import { itemsIn } from '../../kubernetes/values.js';
import { strategicPatch } from './patch.js';

/** @import { KubernetesObject, WatchEvent } from '../../kubernetes/types.js' */

/**
 * @typedef {'RemoveSchedulingGates' | 'LowerRequest' | 'DropNodeSelector' | 'WidenNodeAffinity' |
 *   'DropNodeAffinity' | 'PreferPodAffinity' | 'PreferPodAntiAffinity' | 'NarrowPodAntiAffinity' |
 *   'RaiseMaxSkew' | 'LowerMinDomains' | 'ScheduleAnyway' | 'ChangeHostPort' | 'UseClaim' |
 *   'CreateClaim' | 'ChangeDeviceClaim' | 'AddToleration' | 'RaisePriority' | 'LabelNode' |
 *   'RemoveTaints' | 'Uncordon' | 'AddNode' | 'RemovePods'} EditKind
 */

/**
 * What an edit asks for, the least first: it relaxes the pod; it needs another object in the pod's
 * namespace; the pod gets onto reserved nodes; it evicts others; a node changes; there is a node
 * more; pods are removed.
 */
export const ASKS = Object.freeze({
  pod: 0,
  namespace: 1,
  toleration: 2,
  priority: 3,
  label: 4,
  node: 5,
  pool: 6,
  removal: 7,
});

/**
 * @typedef {object} Edit
 * @property {string} key two edits with equal keys are the same
 * @property {string} shape equal for edits that differ only in a value or a node
 * @property {EditKind} kind
 * @property {string} sentence an order, without a full stop
 * @property {number} asks one of `ASKS`
 * @property {number} size of the change: of a request the share that it loses, of a removal the
 *   number of pods and their importance, otherwise from 0 to 1
 * @property {(pod: KubernetesObject) => KubernetesObject} [pod] changes the pod
 * @property {{ object: KubernetesObject, change: (object: KubernetesObject) => KubernetesObject }}
 *   [node] changes a node
 * @property {KubernetesObject[]} [creates]
 * @property {KubernetesObject[]} [removes] pods
 * @property {boolean} [preempts] the pod gets its place only when others have been evicted
 * @property {{ resource: string, value: bigint, asked: bigint }} [lowers] in units of 10^-9
 */

/**
 * A change as `kubectl` makes it. `inPlace`: the API server accepts the patch of the object as it
 * is; otherwise a pod must be created again, as `object` is.
 * @typedef {{ action: 'patch', target: Target, patch: any, inPlace: boolean, object?:
 *   KubernetesObject } | { action: 'create', object: KubernetesObject } | { action: 'delete',
 *   target: Target }} Change
 */
/** @typedef {{ apiVersion: string, kind: string, namespace?: string, name: string }} Target */

/**
 * The owner of a pod's template. `manualSelector`: that of a Job, if it is true. `keepsPods`: after
 * a change its controller leaves the pod as it is, so that it must be deleted.
 * @typedef {Target & { manualSelector?: boolean, keepsPods?: boolean }} TemplateOwner
 */

/** Fields of a pod's spec that the API server lets grow or shrink. */
const MUTABLE = ['tolerations', 'schedulingGates'];

/**
 * Returns the pod with the changes of all edits.
 * @param {KubernetesObject} pod
 * @param {readonly Edit[]} edits
 */
export function editedPod(pod, edits) {
  return edits.reduce((changed, edit) => edit.pod?.(changed) ?? changed, pod);
}

/**
 * Returns the nodes that edits change, as they are before and after.
 * @param {readonly Edit[]} edits
 * @returns {{ before: KubernetesObject, after: KubernetesObject }[]}
 */
function editedNodes(edits) {
  /** @type {Map<string, { before: KubernetesObject, after: KubernetesObject }>} */
  const nodes = new Map();
  for (const { node } of edits) {
    if (!node) continue;
    const name = keyOf(node.object);
    const { before, after } = nodes.get(name) ?? { before: node.object, after: node.object };
    nodes.set(name, { before, after: node.change(after) });
  }
  return [...nodes.values()];
}

/**
 * Returns what edits change besides the pod, to be applied to a scheduler.
 * @param {readonly Edit[]} edits
 * @returns {(KubernetesObject | WatchEvent)[]}
 */
export function clusterChanges(edits) {
  return [
    ...edits.flatMap(({ removes = [] }) => removes).map(deletionOf),
    ...editedNodes(edits).map(({ after }) => after),
    ...edits.flatMap(({ creates = [] }) => creates),
  ];
}

/**
 * @param {KubernetesObject} pod
 * @returns {WatchEvent}
 */
function deletionOf({ apiVersion, kind, metadata: { namespace, name, uid } }) {
  return { type: 'DELETED', object: { apiVersion, kind, metadata: { namespace, name, uid } } };
}

/**
 * Returns edits as changes for `kubectl`. Patches of the pod are addressed to its workload, if one
 * is given.
 * @param {KubernetesObject} pod
 * @param {readonly Edit[]} edits
 * @param {TemplateOwner} [workload]
 * @returns {Change[]}
 */
export function changesOf(pod, edits, workload) {
  const nodes = editedNodes(edits).map(({ before, after }) => patchChange(before, after));
  const creates = edits.flatMap(({ creates: made = [] }) => made);
  const removes = edits.flatMap(({ removes: gone = [] }) => gone);
  const edited = editedPod(pod, edits);
  return [
    ...removes.map(deletion),
    ...nodes,
    ...creates.map((object) => ({ action: /** @type {const} */ ('create'), object })),
    ...(edited === pod ? [] : [podChange(pod, edited, workload)]),
    ...(edited !== pod && workload?.keepsPods ? [deletion(pod)] : []),
  ];
}

/** @param {KubernetesObject} pod @returns {Change} */
function deletion(pod) {
  return { action: 'delete', target: targetOf(pod) };
}

/**
 * @param {KubernetesObject} before
 * @param {KubernetesObject} after
 * @returns {Change}
 */
function patchChange(before, after) {
  const patch = strategicPatch(before, after);
  return { action: 'patch', target: targetOf(before), patch, inPlace: true };
}

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} edited
 * @param {TemplateOwner} [workload]
 * @returns {Change}
 */
function podChange(pod, edited, workload) {
  const patch = strategicPatch(pod, edited);
  if (!workload) {
    const inPlace = Object.keys(patch.spec ?? {}).every((field) => MUTABLE.includes(field));
    const target = targetOf(pod);
    return { action: 'patch', target, patch, inPlace, ...(!inPlace && { object: edited }) };
  }
  // The admission of each pod sets its priority by its class.
  const { priority: _, ...spec } = patch.spec;
  const template = { spec: { template: { spec } } };
  const { manualSelector, keepsPods, ...target } = workload;
  if (target.kind === 'Job') {
    const changed = manualSelector ? template : withoutGenerated(template);
    return { action: 'patch', target, patch: changed, inPlace: false };
  }
  const wrapped = target.kind === 'CronJob' ? { spec: { jobTemplate: template } } : template;
  return { action: 'patch', target, patch: wrapped, inPlace: true };
}

/**
 * Returns the patch of a Job, which also removes what the API server has generated from its uid:
 * it refuses a new Job with that of another.
 * @param {{ spec: { template: any } }} patch
 */
function withoutGenerated({ spec: { template } }) {
  const labels = Object.fromEntries(JOB_UID_LABELS.map((label) => [label, null]));
  const metadata = { labels };
  return { metadata, spec: { selector: null, template: { metadata, ...template } } };
}

/**
 * @param {KubernetesObject} object
 * @returns {Target}
 */
function targetOf({ apiVersion = 'v1', kind = '', metadata: { namespace, name } }) {
  return { apiVersion, kind, ...(namespace && { namespace }), name };
}

/**
 * Returns the object with another spec.
 * @param {KubernetesObject} object
 * @param {(spec: any) => any} change
 * @returns {KubernetesObject}
 */
export function withSpec(object, change) {
  return { ...object, spec: change(object.spec ?? {}) };
}

/**
 * Returns the list with one item replaced, or without it.
 * @param {any} list
 * @param {number} index
 * @param {any} [item] undefined removes it
 * @returns {any[]}
 */
export function withItem(list, index, item) {
  return itemsIn(list).flatMap((each, at) =>
    at !== index ? [each] : item === undefined ? [] : [item],
  );
}
