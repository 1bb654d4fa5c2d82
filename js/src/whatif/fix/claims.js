/** Gives a pod another claim, or a claim of another class. */
import { keyOf } from '../../kubernetes/keys.js';
import { itemsIn } from '../../kubernetes/values.js';
import { ASKS, withSpec } from './edit.js';

/**
 * @import { Culprit } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { Question } from './question.js'
 */

/** The most classes, and the most other claims, that are proposed. */
const MOST = 5;

/** Above this number of pods the claims in use are not counted, and no other claim is proposed. */
const PODS_MAX = 5_000;

/** Of a claim that does not exist. */
const SIZE = '1Gi';

/**
 * Returns the alternatives by which the pod gets other claims than those that a node refuses.
 * @param {Culprit} culprit of a plugin of volumes
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function otherClaims({ plugin, claims = [], volumes = [], limits = [] }, pod, question) {
  const refused = [...claims, ...volumes].map(({ claim }) => claim);
  const isConcerned = (/** @type {ClaimedVolume} */ { name, claim }) => {
    if (plugin === 'NodeVolumeLimits') return true;
    if (plugin !== 'VolumeRestrictions') return refused.includes(name);
    return itemsIn(claim?.spec.accessModes).includes('ReadWriteOncePod');
  };
  // The driver would attach a volume of the new claim, too.
  const drivers = limits.map(({ driver }) => driver);
  const classes = question
    .once('classes', () => classesIn(question))
    .filter(({ provisioner }) => !drivers.includes(provisioner));
  return replacing(volumesOf(pod, question).filter(isConcerned), { pod, question, classes });
}

/**
 * Returns the alternatives by which the pod gets claims that exist, and have or can get a volume.
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function usableClaims(pod, question) {
  const waiting = question
    .list('StorageClass')
    .filter(({ volumeBindingMode }) => volumeBindingMode === 'WaitForFirstConsumer')
    .map(({ metadata }) => metadata.name);
  const isUnusable = (/** @type {ClaimedVolume} */ { claim }) =>
    !claim?.spec.volumeName && !waiting.includes(claim?.spec.storageClassName);
  const classes = question.once('classes', () => classesIn(question));
  return replacing(volumesOf(pod, question).filter(isUnusable), { pod, question, classes });
}

/**
 * @param {ClaimedVolume[]} volumes
 * @param {{ pod: KubernetesObject, question: Question, classes: KubernetesObject[] }} context
 *   `classes`: those that a new claim may have
 * @returns {Edit[][]}
 */
function replacing(volumes, { pod, question, classes }) {
  if (volumes.length === 0) return [];
  const created = classes.map((storageClass) =>
    volumes.map((volume) => createClaim(pod, volume, storageClass)),
  );
  const spare =
    volumes.length === 1 ? question.once('spareClaims', () => spareClaims(pod, question)) : [];
  return [...created, ...spare.map((claim) => [useClaim(volumes[0], claim)])];
}

/** @typedef {{ volume: string, name: string, claim?: KubernetesObject }} ClaimedVolume */

/**
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {ClaimedVolume[]}
 */
function volumesOf(pod, question) {
  return itemsIn(pod.spec.volumes).flatMap((volume) => {
    const name = volume.persistentVolumeClaim?.claimName;
    if (name === undefined) return [];
    const claim = question.get('PersistentVolumeClaim', `${pod.metadata.namespace}/${name}`);
    return [{ volume: volume.name, name, claim }];
  });
}

/** Classes that wait for their first pod come first. @param {Question} question */
function classesIn(question) {
  const waits = (/** @type {KubernetesObject} */ { volumeBindingMode }) =>
    volumeBindingMode === 'WaitForFirstConsumer' ? 0 : 1;
  return [...question.list('StorageClass')].sort((a, b) => waits(a) - waits(b)).slice(0, MOST);
}

/**
 * Claims of the namespace that no pod uses.
 * @param {KubernetesObject} pod
 * @param {Question} question
 */
function spareClaims({ metadata: { namespace } }, question) {
  if (question.scheduler.inspect().cache.pods > PODS_MAX) return [];
  const claims = question
    .list('PersistentVolumeClaim')
    .filter(({ metadata, spec }) => metadata.namespace === namespace && spec.volumeName);
  if (claims.length === 0) return [];
  const used = new Set(
    question
      .list('Pod')
      .flatMap((one) =>
        itemsIn(one.spec.volumes).map(
          (volume) => `${one.metadata.namespace}/${volume.persistentVolumeClaim?.claimName}`,
        ),
      ),
  );
  return claims.filter((claim) => !used.has(keyOf(claim))).slice(0, MOST);
}

/**
 * @param {KubernetesObject} pod
 * @param {ClaimedVolume} volume
 * @param {KubernetesObject} storageClass
 * @returns {Edit}
 */
function createClaim(pod, { volume, name, claim }, storageClass) {
  const { name: className } = storageClass.metadata;
  const { volumeName: _, ...spec } = claim?.spec ?? {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: SIZE } },
  };
  // The class of an existing claim cannot be changed.
  const created = claim ? `${name}-${className}` : name;
  const made = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace: pod.metadata.namespace, name: created },
    spec: { ...spec, storageClassName: className },
  };
  return {
    key: `CreateClaim ${created} ${className}`,
    shape: `CreateClaim ${created} ${className}`,
    kind: 'CreateClaim',
    sentence: claim
      ? `create claim ${created} of class ${className} and use it instead of ${name}`
      : `create claim ${name} of class ${className}`,
    asks: ASKS.namespace,
    size: claim?.spec.volumeName ? 0.9 : 0.3,
    ...(claim && { pod: (/** @type {KubernetesObject} */ one) => using(one, volume, created) }),
    creates: [made],
  };
}

/**
 * @param {ClaimedVolume} volume
 * @param {KubernetesObject} claim
 * @returns {Edit}
 */
function useClaim({ volume, name }, claim) {
  const other = claim.metadata.name;
  return {
    key: `UseClaim ${volume} ${other}`,
    shape: `UseClaim ${volume} ${other}`,
    kind: 'UseClaim',
    sentence: `use claim ${other}, which no pod uses, instead of ${name}`,
    asks: ASKS.namespace,
    size: 0.5,
    pod: (pod) => using(pod, volume, other),
  };
}

/**
 * @param {KubernetesObject} pod
 * @param {string} name of the volume
 * @param {string} claimName
 */
function using(pod, name, claimName) {
  return withSpec(pod, (spec) => ({
    ...spec,
    volumes: itemsIn(spec.volumes).map((volume) =>
      volume.name === name
        ? { ...volume, persistentVolumeClaim: { ...volume.persistentVolumeClaim, claimName } }
        : volume,
    ),
  }));
}
