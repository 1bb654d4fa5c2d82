/**
 * NamespaceLifecycle: rejects creations in namespaces that are being deleted. Counterpart:
 * apiserver/pkg/admission/plugin/namespace/lifecycle, v1.36.
 */
import { forbidden } from '../status_errors.js';

/**
 * @import { Resource } from '../kinds.js'
 * @import { KubernetesObject } from '../types.js'
 */

/** Whether a stored namespace is being deleted. @param {KubernetesObject} namespace */
export function isTerminating({ status }) {
  return status?.phase === 'Terminating';
}

/**
 * @param {KubernetesObject} namespace the stored one
 * @param {Resource} resource of the new object
 * @param {string} name of the new object
 * @throws {import('../api_error.js').ApiError} Forbidden if the namespace is being deleted
 */
export function checkNotTerminating(namespace, resource, name) {
  if (!isTerminating(namespace)) return;
  const own = namespace.metadata.name;
  const cause = `unable to create new content in namespace ${own} because it is being terminated`;
  throw forbidden(resource, name, cause, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${own} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}
