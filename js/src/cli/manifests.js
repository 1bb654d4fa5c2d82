/** Manifests that are held against a cluster: what they replace there, and what becomes of them. */
import { inheritPosition } from '../manifests/positions.js';
import { isRecord, itemsIn } from '../values.js';

/** @import { KubernetesObject } from '../types.js' */

/**
 * What a person wrote that becomes pods.
 * @typedef {object} Workload
 * @property {string} source the name of its file
 * @property {KubernetesObject} object complete, or a CronJob as it is written
 * @property {string[]} pods that are made of it, `namespace/name`
 * @property {string} [refusal] what the API server says to its pods, where it refuses them
 * @property {boolean} isKnown false: of no kind that becomes pods here, with a template for them
 */

/**
 * The first run of a CronJob, where it is one; other objects as they are.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
export function runOfCronJob(object) {
  const { apiVersion, kind, metadata, spec } = object;
  if (kind !== 'CronJob' || apiVersion !== 'batch/v1' || !isRecord(spec?.jobTemplate))
    return object;
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

/**
 * Whether an object that nobody here knows has pods all the same.
 * @param {KubernetesObject} object
 */
export function hasPodTemplate({ spec }) {
  return isRecord(spec) && itemsIn(spec.template?.spec?.containers).length > 0;
}

/**
 * The objects of a cluster that go when others are applied: those of the same name, their
 * ReplicaSets, and the pods of either.
 * @param {KubernetesObject[]} cluster
 * @param {Set<string>} identities of the workloads that are applied
 * @param {(object: KubernetesObject) => string} identityOf
 * @returns {Set<KubernetesObject>}
 */
export function replacedIn(cluster, identities, identityOf) {
  const replaced = new Set(cluster.filter((object) => identities.has(identityOf(object))));
  const uids = new Set([...replaced].map(({ metadata }) => metadata?.uid).filter(Boolean));
  for (const kind of ['ReplicaSet', 'Pod']) {
    for (const object of cluster) {
      if (object.kind !== kind || !uids.has(controllerUid(object))) continue;
      replaced.add(object);
      if (object.metadata.uid) uids.add(object.metadata.uid);
    }
  }
  return replaced;
}

/** @param {KubernetesObject} object @returns {string | undefined} */
function controllerUid({ metadata }) {
  return itemsIn(metadata?.ownerReferences).find((owner) => owner?.controller)?.uid;
}
