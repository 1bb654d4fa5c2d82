/** Classifies objects in a cluster and in manifests, and finds those that the manifests replace. */
import {
  controllerOf,
  identityOf,
  identityOfOwner,
  lastOfEach,
  Owners,
} from '../../kubernetes/owners.js';
import { inheritPosition } from '../../manifests/positions.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { isPod } from '../../kubernetes/workloads/pods.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/**
 * A written object from which pods are created.
 * @typedef {object} Workload
 * @property {string} source the name of its file
 * @property {KubernetesObject} object complete, or a CronJob as written
 * @property {string[]} pods the created pods, `namespace/name`
 * @property {string[]} kept pods that its update strategy keeps, `namespace/name`
 * @property {string} [refusal] the API server's message if it refuses the pods
 * @property {number} replicas the number of its pods
 * @property {boolean} isKnown false for an unknown kind with a pod template
 */

/**
 * An API server names the scheduler of every pod that it stores. If the name was removed or emptied
 * since, it was the default one. The engine ignores pods without it.
 * @param {KubernetesObject} object
 */
export function lacksScheduler(object) {
  return isPod(object) && isRecord(object.spec) && !object.spec.schedulerName;
}

/**
 * A source of pods that the cluster has not stored: a workload, or a pod itself.
 * @typedef {Pick<Workload, 'source' | 'object' | 'pods'>} Added
 */

/**
 * Returns the first Job of a CronJob; other objects unchanged.
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
 * Whether an object of an unknown kind has a pod template, at any depth.
 * @param {KubernetesObject} object
 */
export function hasPodTemplate({ kind, spec }) {
  return typeof kind === 'string' && holdsTemplate(spec);
}

/** @param {unknown} value @returns {boolean} */
function holdsTemplate(value) {
  if (Array.isArray(value)) return value.some(holdsTemplate);
  if (!isRecord(value)) return false;
  const { template } = value;
  const isOfPods = isRecord(template) && itemsIn(template.spec?.containers).length > 0;
  return isOfPods || Object.values(value).some(holdsTemplate);
}

/** Kinds that are deleted with the workload that owns them, directly or indirectly. */
const OWNED = new Set(['Pod', 'ReplicaSet', 'Job', 'ResourceClaim']);

/**
 * Returns the objects that are replaced when workloads and pods are applied: those of the same
 * name, and the objects that they own, as a Deployment owns ReplicaSets and, through them, pods.
 * The running Jobs of a CronJob stay, unless its next run waits for their end or replaces them.
 * @param {KubernetesObject[]} objects
 * @param {KubernetesObject[]} applied the applied workloads and pods
 * @returns {Set<KubernetesObject>}
 */
export function replacedIn(objects, applied) {
  if (applied.length === 0) return new Set();
  const identities = new Set(applied.map(identityOf));
  const owners = applied.filter((object) => !isCronJob(object) || hasOneRun(object));
  const owned = ownedIn(objects, new Set(owners.map(identityOf)));
  return new Set(
    objects.filter((object) => owned.has(object) || identities.has(identityOf(object))),
  );
}

/** Whether only one of its Jobs runs at a time. @param {KubernetesObject} cronJob */
function hasOneRun({ spec }) {
  return ['Forbid', 'Replace'].includes(spec?.concurrencyPolicy);
}

/**
 * Returns the objects that workloads and pods own.
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
 * Returns the stored pods that others of the same name replace.
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
  return [...lastOfEach(replaced).values()];
}

/**
 * Returns a manifest as on creation: without a status.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
export function withoutStatus(object) {
  if (object.status === undefined) return object;
  const { status, ...rest } = object;
  inheritPosition(rest, object);
  return rest;
}
