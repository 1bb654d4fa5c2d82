/**
 * Pods of a few templates in turn, as Deployments and ReplicaSets repeat theirs, with constraints
 * on the other pods of their template.
 */
import { nodeOf, podOf, ZONE } from './objects.js';

/** @typedef {import('./workloads.js').Workload} Workload */

/** Templates of the workloads whose pods refer to each other. */
export const APPS = 12;

/**
 * Pods of APPS templates in turn.
 * @param {(app: number) => { [field: string]: unknown }} specOf @returns {Workload}
 */
export function repeated(specOf) {
  return {
    node: (row) => nodeOf(row),
    pod: (count) => {
      const app = count % APPS;
      const { metadata, ...pod } = podOf(count, specOf(app));
      return { ...pod, metadata: { ...metadata, labels: labelsOf(app) } };
    },
  };
}

/** @param {number} app */
export function labelsOf(app) {
  return { app: `app-${app}` };
}

/**
 * The system default constraints, by zone and by node, apply to every pod of a ReplicaSet.
 * @returns {Workload}
 */
export function ofReplicaSets() {
  const { node, pod } = repeated(() => ({}));
  return {
    node,
    pod: (count) => {
      const { metadata, ...rest } = /** @type {any} */ (pod(count));
      return { ...rest, metadata: { ...metadata, ownerReferences: [ownedBy(count % APPS)] } };
    },
    existing: () => ({ count: APPS, object: replicaSetOf }),
  };
}

/** @param {number} app */
function ownedBy(app) {
  const { apiVersion, kind, metadata } = replicaSetOf(app);
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
}

/** @param {number} app */
function replicaSetOf(app) {
  const name = `app-${app}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: { selector: { matchLabels: labelsOf(app) } },
  };
}

/** @param {number} app @param {string} whenUnsatisfiable */
export function spread(app, whenUnsatisfiable) {
  const labelSelector = { matchLabels: labelsOf(app) };
  return { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable, labelSelector };
}

/** @param {number} app @param {string} topologyKey */
export function termOf(app, topologyKey) {
  return { labelSelector: { matchLabels: labelsOf(app) }, topologyKey };
}

/** @param {number} app */
export function preferred(app) {
  const term = { weight: 100, podAffinityTerm: termOf(app, ZONE) };
  return { preferredDuringSchedulingIgnoredDuringExecution: [term] };
}

/** @param {number} app @param {string} topologyKey */
export function required(app, topologyKey) {
  return { requiredDuringSchedulingIgnoredDuringExecution: [termOf(app, topologyKey)] };
}
