/**
 * The annotations and references between claims and volumes. Counterpart:
 * component-helpers/storage/volume, v1.36.
 */

import { storageClassNameOf } from '../../../src/kubernetes/volume_defaults.js';

/** @import { KubernetesObject } from '../../../src/kubernetes/types.js' */

export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';

/** The provisioner of classes without dynamic provisioning. */
export const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/**
 * @param {KubernetesObject} object
 * @param {string} name
 * @returns {boolean}
 */
export function isAnnotated({ metadata }, name) {
  return metadata.annotations?.[name] !== undefined;
}

/**
 * Returns the object with additional annotations.
 * @param {KubernetesObject} object
 * @param {Record<string, string>} added
 * @returns {KubernetesObject}
 */
export function annotated(object, added) {
  const annotations = { ...object.metadata.annotations, ...added };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/**
 * Returns the object without some annotations.
 * @param {KubernetesObject} object
 * @param {...string} names
 * @returns {KubernetesObject}
 */
export function withoutAnnotations(object, ...names) {
  const annotations = Object.fromEntries(
    Object.entries(object.metadata.annotations ?? {}).filter(([name]) => !names.includes(name)),
  );
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/**
 * Returns the class of a claim or volume; '' if it has none.
 * @param {KubernetesObject} object
 * @returns {string}
 */
export function classNameOf(object) {
  return storageClassNameOf(object) ?? '';
}

/**
 * Returns the key of the claim that a volume names.
 * @param {KubernetesObject} volume
 * @returns {string | undefined}
 */
export function claimKeyOf({ spec: { claimRef } }) {
  return claimRef && `${claimRef.namespace}/${claimRef.name}`;
}

/** @param {KubernetesObject} claim */
export function referenceToClaim({ metadata: { namespace, name, uid, resourceVersion } }) {
  return { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
}
