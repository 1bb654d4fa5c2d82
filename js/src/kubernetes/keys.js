/** Keys of objects: `namespace/name`, as in client-go's caches and messages. */

/** @import { KubernetesObject } from './types.js' */

/** The namespace of objects that name none. */
export const DEFAULT_NAMESPACE = 'default';

/**
 * @param {string | undefined} namespace empty or absent if the object is in no namespace
 * @param {string} name
 * @returns {string} `namespace/name`, or the name alone
 */
export function keyFor(namespace, name) {
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * The key of a stored object. Counterpart: MetaNamespaceKeyFunc of client-go.
 * @param {KubernetesObject} object
 * @returns {string} `namespace/name`, or the name of an object that is in no namespace
 */
export function keyOf({ metadata }) {
  return keyFor(metadata.namespace, metadata.name);
}

/**
 * The namespace of an object of a namespaced kind; `default` if the manifest omits it, or
 * its value is no text, which the engine rejects.
 * @param {KubernetesObject} object
 * @returns {string}
 */
export function namespaceOf({ metadata }) {
  const namespace = metadata?.namespace;
  return typeof namespace === 'string' && namespace ? namespace : DEFAULT_NAMESPACE;
}

/**
 * The key of a pod, or of another object of a namespaced kind, whose manifest may omit the
 * namespace.
 * @param {KubernetesObject} pod
 * @returns {string} `namespace/name`
 */
export function podKeyOf(pod) {
  return `${namespaceOf(pod)}/${pod.metadata?.name ?? ''}`;
}

/**
 * Splits a key. Counterpart: SplitMetaNamespaceKey of client-go.
 * @param {string} key
 * @returns {{ namespace: string, name: string }} `namespace` is empty if the key has none
 */
export function splitKey(key) {
  const slash = key.indexOf('/');
  return { namespace: slash < 0 ? '' : key.slice(0, slash), name: key.slice(slash + 1) };
}
