/** Finds objects that the volumes of pods need and the input lacks. */
import { keyFor, namespaceOf } from '../../kubernetes/keys.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { storageClassNameOf } from '../../kubernetes/volume_defaults.js';

/** @import { Lack, Question } from './kinds.js' */
/** @import { KubernetesObject } from '../../kubernetes/types.js' */

const LIMITS = ['NodeVolumeLimits'];
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/** Volume types without a CSI driver that were not migrated to one. */
const NOT_CSI = ['local', 'hostPath', 'nfs', 'iscsi', 'fc', 'cephfs', 'rbd', 'glusterfs'];

/**
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
export function* missingForVolumes(question) {
  const { dump, pending } = question;
  /** Pods with a volume that counts against a driver's limit. @type {KubernetesObject[]} */
  const limited = [];
  for (const pod of pending) {
    const namespace = namespaceOf(pod);
    for (const volume of itemsIn(pod.spec?.volumes)) {
      const name = volume?.persistentVolumeClaim?.claimName;
      if (name && dump.lacks('PersistentVolumeClaim', name, namespace))
        yield { kind: 'PersistentVolumeClaim', name: keyFor(namespace, name), pod };
      const claim = name
        ? dump.get('PersistentVolumeClaim', name, namespace)
        : volume?.ephemeral?.volumeClaimTemplate;
      if (claim) yield* missingForClaim(claim, pod, question);
      if (isOfDriver(volume, claim, question)) limited.push(pod);
    }
  }
  const pods = [...new Set(limited)];
  yield* missingForLimits(pods, question);
}

/**
 * @param {KubernetesObject} claim or its template
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
function* missingForClaim(claim, pod, { dump }) {
  const volume = claim.spec?.volumeName;
  if (volume) {
    if (dump.lacks('PersistentVolume', volume))
      yield { kind: 'PersistentVolume', name: volume, pod };
    return;
  }
  const className = storageClassNameOf(claim);
  if (className === undefined && dump.lacksAll('StorageClass'))
    yield { kind: 'StorageClass', pod, neededBy: ['DefaultStorageClass'] };
  if (className && dump.lacks('StorageClass', className))
    yield { kind: 'StorageClass', name: className, pod };
  const storageClass = className && dump.get('StorageClass', className);
  const provisioner = storageClass ? storageClass.provisioner : NO_PROVISIONER;
  const isStatic = className === '' || (storageClass && provisioner === NO_PROVISIONER);
  if (isStatic && dump.lacksAll('PersistentVolume'))
    yield { kind: 'PersistentVolume', pod, neededBy: ['VolumeBinding'] };
  if (provisioner === NO_PROVISIONER) return;
  if (dump.lacksAll('CSIDriver')) yield { kind: 'CSIDriver', pod, certain: false };
  const driver = dump.get('CSIDriver', provisioner);
  if (driver?.spec?.storageCapacity && dump.lacksAll('CSIStorageCapacity'))
    yield { kind: 'CSIStorageCapacity', pod };
}

/**
 * Finds drivers' limits and attached volumes: those of pods with a node, and others.
 * @param {KubernetesObject[]} pods
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
function* missingForLimits(pods, { dump, bound }) {
  if (pods.length === 0) return;
  const nodes = dump.all('Node').map(({ metadata }) => metadata?.name);
  const without = nodes.filter((node) => dump.lacks('CSINode', node));
  if (without.length > 0) for (const pod of pods) yield { kind: 'CSINode', pod };
  if (!dump.lacksAll('CSINode')) for (const name of without) yield { kind: 'CSINode', name };
  if (!dump.all('CSINode').some(hasCount) || bound.length === 0) return;
  const attached = [...attachedLacks(bound, dump)];
  yield* attached;
  for (const kind of new Set(attached.map((lack) => lack.kind)))
    for (const pod of pods) yield { kind, pod, neededBy: LIMITS };
  if (dump.lacksAll('VolumeAttachment'))
    for (const pod of pods) yield { kind: 'VolumeAttachment', pod, certain: false };
}

/**
 * Finds claims and volumes of pods with a node.
 * @param {KubernetesObject[]} bound
 * @param {Question['dump']} dump
 * @returns {Generator<Lack>}
 */
function* attachedLacks(bound, dump) {
  for (const pod of bound) {
    const namespace = namespaceOf(pod);
    for (const volume of itemsIn(pod.spec?.volumes)) {
      const name =
        volume?.persistentVolumeClaim?.claimName ??
        (volume?.ephemeral && `${pod.metadata?.name}-${volume.name}`);
      if (!name) continue;
      if (dump.lacks('PersistentVolumeClaim', name, namespace))
        yield { kind: 'PersistentVolumeClaim', name: keyFor(namespace, name), neededBy: LIMITS };
      const volumeName = dump.get('PersistentVolumeClaim', name, namespace)?.spec?.volumeName;
      if (volumeName && dump.lacks('PersistentVolume', volumeName))
        yield { kind: 'PersistentVolume', name: volumeName, neededBy: LIMITS };
    }
  }
}

/** @param {KubernetesObject} csiNode */
function hasCount({ spec }) {
  return itemsIn(spec?.drivers).some((driver) => driver?.allocatable?.count !== undefined);
}

/**
 * Whether a CSI driver attaches the volume, as far as the input shows.
 * @param {any} volume of a pod
 * @param {KubernetesObject | undefined} claim
 * @param {Question} question
 */
function isOfDriver(volume, claim, { dump }) {
  if (!claim) return isRecord(volume?.csi);
  const stored = claim.spec?.volumeName
    ? dump.get('PersistentVolume', claim.spec.volumeName)
    : undefined;
  if (stored) return !NOT_CSI.some((source) => isRecord(stored.spec?.[source]));
  const storageClass = dump.get('StorageClass', storageClassNameOf(claim) ?? '');
  return storageClass !== undefined && storageClass.provisioner !== NO_PROVISIONER;
}
