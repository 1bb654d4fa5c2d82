/**
 * NamespaceLifecycle: rejects creations in namespaces that are missing or being deleted. Bindings
 * and evictions are creations, too, of subresources of pods.
 * Counterpart: apiserver/pkg/admission/plugin/namespace/lifecycle, v1.36.
 */
import { checkNotTerminating } from '../../src/kubernetes/admission/namespace_lifecycle.js';
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
 * @param {Resource} resource of the new object, or of the one whose subresource is created
 * @param {string} namespace
 * @param {string} name
 * @throws {import('../api_error.js').ApiError} NotFound or Forbidden
 */
export function checkCreationIn(store, resource, namespace, name) {
  if (!resource.namespaced || namespace === '') return;
  const found = store.get('namespaces', '', namespace);
  if (!found) throw notFound(resourceNamed('namespaces'), namespace);
  checkNotTerminating(found, resource, name);
}

/**
 * @param {string} name of the namespace to delete
 * @throws {import('../api_error.js').ApiError} Forbidden
 */
export function checkMortal(name) {
  if (!IMMORTAL.has(name)) return;
  throw forbidden(resourceNamed('namespaces'), name, 'this namespace may not be deleted');
}
