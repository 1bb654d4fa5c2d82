/** Changes of the cluster that a user can try, and the actions that make them. */
import { podsToEvict } from '../world/drain.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { ObjectSource } from '../model/cluster_model.js'
 * @import { Action } from '../world/world.js'
 */

/** `drain` cordons a node and moves its pods; `fail` removes it. */
/**
 * @typedef {{ do: 'drain', node: string }
 *   | { do: 'fail', node: string }
 *   | { do: 'failZone', zone: string }
 *   | { do: 'addNodes', like: string, count: number }
 *   | { do: 'scale', workload: ScaledWorkload, replicas: number }} Change
 */

/** @typedef {{ apiVersion: string, kind: string, namespace: string, name: string }} ScaledWorkload */

const HOSTNAME = 'kubernetes.io/hostname';
export const ZONE = 'topology.kubernetes.io/zone';

/**
 * The actions that make changes in a world.
 * @param {readonly Change[]} changes
 * @param {ObjectSource & { get: (resource: string, namespace: string, name: string) =>
 *   KubernetesObject | undefined }} store
 * @returns {Action[]}
 */
export function actionsFor(changes, store) {
  const nodes = [...store.list('nodes')];
  const pods = [...store.list('pods')];
  return changes.flatMap((change) => {
    switch (change.do) {
      case 'drain': {
        const evicted = podsToEvict(pods.filter(({ spec }) => spec.nodeName === change.node));
        const object = reference(change.node);
        /** @type {Action[]} */
        const cordon = [{ do: 'patch', object, patch: { spec: { unschedulable: true } } }];
        return evicted.length > 0 ? [...cordon, { do: 'evict', pods: evicted }] : cordon;
      }
      case 'fail':
        return [{ do: 'delete', objects: [reference(change.node)] }];
      case 'failZone': {
        const own = nodes.filter((node) => zoneOf(node) === change.zone);
        return [{ do: 'delete', objects: own.map(({ metadata }) => reference(metadata.name)) }];
      }
      case 'addNodes': {
        const model = nodes.find(({ metadata }) => metadata.name === change.like);
        if (!model) return [];
        return [{ do: 'apply', objects: clonesOf(model, change.count, nodes) }];
      }
      case 'scale': {
        const { workload: object, replicas } = change;
        return [{ do: 'patch', object, patch: { spec: { replicas } } }];
      }
    }
  });
}

/** @param {KubernetesObject} node */
export function zoneOf({ metadata: { labels = {} } }) {
  return labels[ZONE] ?? '';
}

/** @param {string} name */
function reference(name) {
  return { apiVersion: 'v1', kind: 'Node', name };
}

/**
 * New nodes like another one, with names that are not in use.
 * @param {KubernetesObject} model
 * @param {number} count
 * @param {readonly KubernetesObject[]} nodes all of them
 * @returns {KubernetesObject[]}
 */
export function clonesOf({ apiVersion, kind, metadata, spec, status }, count, nodes) {
  const prefix = metadata.name.replace(/-\d+$/, '');
  const numbers = nodes.map((node) => /^(.*)-(\d{1,9})$/.exec(node.metadata.name));
  const taken = numbers.flatMap((found) =>
    found && found[1] === prefix ? [Number(found[2])] : [0],
  );
  const highest = Math.max(0, ...taken);
  return Array.from({ length: count }, (_, index) => {
    const name = `${prefix}-${highest + 1 + index}`;
    const labels = { ...metadata.labels, ...(metadata.labels?.[HOSTNAME] && { [HOSTNAME]: name }) };
    const { unschedulable, podCIDR, podCIDRs, providerID, ...kept } = spec ?? {};
    const { capacity, allocatable } = status ?? {};
    const amounts = { capacity, allocatable };
    return { apiVersion, kind, metadata: { name, labels }, spec: kept, status: amounts };
  });
}
