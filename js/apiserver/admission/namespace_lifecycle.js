/**
 * NamespaceLifecycle: rejects creations in namespaces that are missing or being deleted.
 * Counterpart: apiserver/pkg/admission/plugin/namespace/lifecycle, v1.36.
 */
import { resourceNamed } from '../../src/kubernetes/kinds.js';
import { forbidden, notFound } from '../../src/kubernetes/status_errors.js';

/**
 * @import { Resource } from '../../src/kubernetes/kinds.js'
 * @import { Store } from '../store.js'
 */

/** Namespaces that cannot be deleted. */
const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);

/**
 * @param {Store} store
 * @param {Resource} resource of the new object
 * @param {string} namespace
 * @param {string} name
 * @throws {import('../api_error.js').ApiError} NotFound or Forbidden
 */
export function checkNamespace(store, resource, namespace, name) {
  if (!resource.namespaced || namespace === '') return;
  const found = store.get('namespaces', '', namespace);
  if (!found) throw notFound(resourceNamed('namespaces'), namespace);
  if (found.status?.phase !== 'Terminating') return;
  throw forbidden(
    resource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}

/**
 * @param {string} name of the namespace to delete
 * @throws {import('../api_error.js').ApiError} Forbidden
 */
export function checkMortal(name) {
  if (!IMMORTAL.has(name)) return;
  throw forbidden(resourceNamed('namespaces'), name, 'this namespace may not be deleted');
}
