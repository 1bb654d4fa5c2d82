/** Finds the ReplicaSets of a Deployment, and the one that grows when pods are missing. */
import {
  activeOf,
  byCreation,
  equalIgnoringHash,
  replicasOf,
  revisionOf,
  sumOfReplicas,
} from '../kubernetes/workloads/deployment_util.js';
import { controllerOf } from '../kubernetes/owners.js';
import { POD_TEMPLATE_HASH, replicaSetFor } from '../kubernetes/workloads/template_pods.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * Returns a ReplicaSet that only its pods refer to, with the Deployment's template.
 * @param {KubernetesObject} deployment
 * @param {KubernetesObject[]} pods all that refer to it, at least one
 * @param {number} replicas the number of its active pods
 * @returns {KubernetesObject}
 */
export function absentSet(deployment, pods, replicas) {
  const hash = pods[0].metadata.labels[POD_TEMPLATE_HASH];
  const set = replicaSetFor(deployment, { hash, replicas });
  const creationTimestamp = pods.map(({ metadata }) => metadata.creationTimestamp ?? '').sort()[0];
  const uid = controllerOf(pods[0])?.uid;
  return { ...set, metadata: { ...set.metadata, uid, creationTimestamp } };
}

/**
 * Returns the ReplicaSet that grows to the Deployment's replicas when several have pods, as during
 * a rollout or while it is paused: the one of the Deployment's template, else the newest; for a
 * paused Deployment the one with pods. In a snapshot the templates of several may be equal, because
 * it lacks the fields in which they differ: the highest revision is the Deployment's.
 * @param {KubernetesObject} deployment
 * @param {{ known: KubernetesObject[], absent: KubernetesObject[] }} sets at least one
 * @returns {{ set: KubernetesObject, size: number }}
 */
export function growingSet(deployment, { known, absent }) {
  const all = [...known, ...absent];
  const active = activeOf(all);
  const only = deployment.spec.paused && active.length === 1 ? active[0] : undefined;
  const [own] = known
    .filter(({ spec }) => equalIgnoringHash(spec.template, deployment.spec.template))
    .toSorted((a, b) => revisionOf(b) - revisionOf(a) || byCreation(a, b));
  const set = only ?? own ?? newestOf(all);
  const missing = Math.max(0, replicasOf(deployment) - sumOfReplicas(all));
  return { set, size: replicasOf(set) + missing };
}

/** @param {KubernetesObject[]} sets */
function newestOf(sets) {
  const sorted = sets.toSorted((a, b) => revisionOf(a) - revisionOf(b) || byCreation(a, b));
  return /** @type {KubernetesObject} */ (sorted.at(-1));
}
