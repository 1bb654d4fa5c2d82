/** The kinds of objects in a cluster and in manifests, and what the manifests replace there. */
import { groupOf } from '../kubernetes/api_group.js';
import { WORKLOAD_KINDS } from '../kubernetes/kinds.js';
import { controllerOf, identityOf, identityOfOwner, Owners } from '../kubernetes/owners.js';
import { inheritPosition } from '../manifests/positions.js';
import { isRecord, itemsIn } from '../kubernetes/values.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * What a person wrote that becomes pods.
 * @typedef {object} Workload
 * @property {string} source the name of its file
 * @property {KubernetesObject} object complete, or a CronJob as it is written
 * @property {string[]} pods that are made of it, `namespace/name`
 * @property {string[]} kept pods that its update strategy leaves as they are, `namespace/name`
 * @property {string} [refusal] what the API server says to its pods, where it refuses them
 * @property {number} replicas how many pods it asks for
 * @property {boolean} isKnown false: of no kind that becomes pods here, with a template for them
 */

/** @param {KubernetesObject} object */
export function isPod({ apiVersion, kind }) {
  return kind === 'Pod' && apiVersion === 'v1';
}

/**
 * Others may have a Job too: their groups are domains, Kubernetes' own are words.
 * @param {KubernetesObject} object
 */
export function isWorkload(object) {
  return WORKLOAD_KINDS.has(object.kind ?? '') && !groupOf(object.apiVersion).includes('.');
}

/**
 * What makes pods that the cluster has not stored: a workload, or a pod itself.
 * @typedef {Pick<Workload, 'source' | 'object' | 'pods'>} Added
 */

/**
 * The first run of a CronJob, where it is one; other objects as they are.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
export function runOfCronJob(object) {
  const { apiVersion, metadata, spec } = object;
  if (!isCronJob(object) || !isRecord(spec?.jobTemplate)) return object;
  const { name, namespace } = metadata ?? {};
  const template = spec.jobTemplate;
  const job = {
    apiVersion,
    kind: 'Job',
    metadata: { ...template.metadata, name: `${name}-0`, namespace },
    spec: template.spec,
  };
  inheritPosition(job, object, ['spec', 'jobTemplate']);
  return job;
}

/** @param {KubernetesObject} object */
export function isCronJob({ apiVersion, kind }) {
  return kind === 'CronJob' && apiVersion === 'batch/v1';
}

/**
 * Whether an object of an unknown kind has a pod template.
 * @param {KubernetesObject} object
 */
export function hasPodTemplate({ spec }) {
  return isRecord(spec) && itemsIn(spec.template?.spec?.containers).length > 0;
}

/** What goes with the workload that owns it, be it through others. */
const OWNED = new Set(['Pod', 'ReplicaSet', 'Job', 'ResourceClaim']);

/**
 * The objects that go when workloads and pods are applied: those of the same name, and what they
 * own, as a Deployment owns ReplicaSets and, through them, pods.
 * @param {KubernetesObject[]} objects
 * @param {Set<string>} applied identities of the workloads and pods that are applied
 * @returns {Set<KubernetesObject>}
 */
export function replacedIn(objects, applied) {
  const owned = ownedIn(objects, applied);
  return new Set(objects.filter((object) => owned.has(object) || applied.has(identityOf(object))));
}

/**
 * The objects that workloads and pods own.
 * @param {KubernetesObject[]} objects
 * @param {Set<string>} identities of these workloads and pods
 * @returns {Set<KubernetesObject>}
 */
export function ownedIn(objects, identities) {
  const owners = new Owners(objects);
  const isOwned = (/** @type {KubernetesObject} */ object) =>
    (OWNED.has(object.kind ?? '') || controllerOf(object)?.kind === 'Pod') &&
    owners.chainOf(object).some((owner) => identities.has(identityOfOwner(owner)));
  return new Set(objects.filter(isOwned));
}

/**
 * The pods that a server stored, and that others of the same name take the place of.
 * @param {Added[]} added
 * @param {KubernetesObject[]} all
 * @returns {KubernetesObject[]}
 */
export function storedPodsOf(added, all) {
  const identities = new Set(added.map(({ object }) => identityOf(object)));
  const replaced = all.filter((object) => {
    const isStored = object.kind === 'Pod' && object.metadata?.uid;
    return isStored && identities.has(identityOf(object));
  });
  return [...new Map(replaced.map((pod) => [identityOf(pod), pod])).values()];
}

/**
 * A manifest as it is created: its status is for the cluster to say.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
export function withoutStatus(object) {
  if (object.status === undefined) return object;
  const { status, ...rest } = object;
  inheritPosition(rest, object);
  return rest;
}
