/** Fills in claims, volumes and their classes as the API server does, as far as they are read. */
import { StorageClasses } from './default_classes.js';
import { isRecord } from './values.js';

/** @import { DefaultsContext, KubernetesObject } from './types.js' */

const VOLUME_MODE = 'Filesystem';

/** The annotation that names a claim's class instead of its field. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/**
 * Returns the class of a claim or volume.
 * @param {KubernetesObject} object
 * @returns {string | undefined} empty if it requests no class; undefined if it names none
 */
export function storageClassNameOf({ metadata, spec }) {
  const annotations = metadata?.annotations;
  if (isRecord(annotations) && Object.hasOwn(annotations, CLASS_ANNOTATION))
    return annotations[CLASS_ANNOTATION] ?? '';
  return spec?.storageClassName ?? undefined;
}

/**
 * @param {KubernetesObject} claim
 * @param {DefaultsContext} context
 */
export function withClaimDefaults(claim, { storageClasses = [] }) {
  const { spec, status } = claim;
  const completed = { ...spec, volumeMode: spec?.volumeMode ?? VOLUME_MODE };
  if (storageClassNameOf(claim) === undefined) {
    const name = StorageClasses.of(storageClasses).globalDefault()?.metadata.name;
    if (name !== undefined) completed.storageClassName = name;
  }
  return { ...claim, spec: completed, status: { ...status, phase: status?.phase || 'Pending' } };
}

/**
 * Its controller makes a new volume available at once.
 * @param {KubernetesObject} volume
 */
export function withVolumeDefaults(volume) {
  const { spec, status } = volume;
  return {
    ...volume,
    spec: { ...spec, volumeMode: spec?.volumeMode ?? VOLUME_MODE },
    status: { ...status, phase: status?.phase || 'Available' },
  };
}

/** @param {KubernetesObject} storageClass */
export function withStorageClassDefaults(storageClass) {
  const { volumeBindingMode, reclaimPolicy } = storageClass;
  return {
    ...storageClass,
    volumeBindingMode: volumeBindingMode ?? 'Immediate',
    reclaimPolicy: reclaimPolicy ?? 'Delete',
  };
}
