/**
 * Changes that users make by click. Each is an action of the journal and can be undone by going
 * back.
 */

/**
 * @import { WorkloadRow } from '../../model/workload_rows.js'
 * @import { ObjectReference } from '../../world/cluster_writes.js'
 * @import { Session } from '../session.js'
 */

/** @typedef {{ key: string, value?: string, effect: string }} Taint */

export const EFFECTS = Object.freeze(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

/**
 * @param {Session} session
 * @param {string} node
 * @param {boolean} isUnschedulable
 */
export function cordon(session, node, isUnschedulable) {
  const patch = { spec: { unschedulable: isUnschedulable || null } };
  return session.do({ do: 'patch', object: nodeReference(node), patch });
}

/**
 * Cordons a node and evicts its pods, once, as `kubectl drain --ignore-daemonsets --force
 * --delete-emptydir-data` does. It reports evictions that a PodDisruptionBudget refuses.
 * @param {Session} session
 * @param {string} node
 */
export async function drain(session, node) {
  if (!session.cluster.value.nodes.get(node)?.isUnschedulable) await cordon(session, node, true);
  return session.ask(async (playground) => {
    const pods = await playground.podsToEvict(node);
    return pods.length > 0 ? playground.do({ do: 'evict', pods }) : undefined;
  });
}

/**
 * Adds a taint. It replaces a taint with the same key and effect.
 * @param {Session} session
 * @param {string} node
 * @param {Taint} taint
 */
export function addTaint(session, node, { key, value, effect }) {
  const taint = { key, ...(value && { value }), effect };
  return changeTaints(session, node, (taints) => [...taints.filter(isOther(taint)), taint]);
}

/**
 * @param {Session} session
 * @param {string} node
 * @param {Taint} taint
 */
export function removeTaint(session, node, taint) {
  return changeTaints(session, node, (taints) => taints.filter(isOther(taint)));
}

/**
 * `key=value:effect`, as in the rows of nodes.
 * @param {string} text
 * @returns {Taint}
 */
export function taintOf(text) {
  const [, key, value, effect] = /^([^=]*?)(?:=(.*))?:([^:]*)$/.exec(text) ?? ['', text, '', ''];
  return { key, ...(value && { value }), effect };
}

/**
 * @param {Session} session
 * @param {string} node
 */
export function deleteNode(session, node) {
  return session.do({ do: 'delete', objects: [nodeReference(node)] });
}

/**
 * @param {Session} session
 * @param {string} pod `namespace/name`
 */
export function deletePod(session, pod) {
  const [namespace, name] = pod.split('/');
  const reference = { apiVersion: 'v1', kind: 'Pod', namespace, name };
  return session.do({ do: 'delete', objects: [reference] });
}

/**
 * @param {Session} session
 * @param {WorkloadRow} workload
 * @param {number} replicas
 */
export function scale(session, { apiVersion, kind, namespace, name }, replicas) {
  const object = { apiVersion, kind, namespace, name };
  return session.do({ do: 'patch', object, patch: { spec: { replicas } } });
}

/**
 * The workload that sets the number of such pods: the pod's owner, or the owner's owner if there is
 * one.
 * @param {Map<string, WorkloadRow>} workloads
 * @param {{ key: string, workload: string }} pod
 * @returns {WorkloadRow | undefined}
 */
export function workloadOfPod(workloads, { key, workload }) {
  const namespace = key.slice(0, key.indexOf('/'));
  const find = (/** @type {string} */ owner) => {
    const [kind, name] = owner.split('/');
    return workloads.get(`${kind}/${namespace}/${name}`);
  };
  const own = find(workload);
  return own && (find(own.owner) ?? own);
}

/**
 * The workloads that no other workload sizes, by name.
 * @param {Map<string, WorkloadRow>} workloads
 * @returns {WorkloadRow[]}
 */
export function topWorkloads(workloads) {
  const isTop = (/** @type {WorkloadRow} */ { owner, namespace }) => {
    const [kind, name] = owner.split('/');
    return !workloads.has(`${kind}/${namespace}/${name}`);
  };
  return [...workloads.values()].filter(isTop).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * @param {string} name
 * @returns {ObjectReference}
 */
function nodeReference(name) {
  return { apiVersion: 'v1', kind: 'Node', name };
}

/** @param {Taint} taint */
function isOther({ key, effect }) {
  return (/** @type {Taint} */ other) => other.key !== key || other.effect !== effect;
}

/**
 * @param {Session} session
 * @param {string} name
 * @param {(taints: Taint[]) => Taint[]} change
 */
function changeTaints(session, name, change) {
  const object = nodeReference(name);
  return session.ask(async (playground) => {
    const node = await playground.read(object);
    const taints = change(node?.spec?.taints ?? []);
    const patch = { spec: { taints: taints.length > 0 ? taints : null } };
    return playground.do({ do: 'patch', object, patch });
  });
}
