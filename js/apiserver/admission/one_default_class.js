/**
 * At most one PriorityClass is the default of pods without a class.
 * Counterpart: plugin/pkg/admission/priority/admission.go, v1.36.
 */
import { resourceNamed } from '../../src/kubernetes/kinds.js';
import { forbidden } from '../../src/kubernetes/status_errors.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Store } from '../store.js'
 */

/**
 * @param {KubernetesObject} priorityClass
 * @param {Store} store
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} Forbidden
 */
export function checkOneDefault({ metadata, globalDefault }, store) {
  if (!globalDefault) return;
  const other = store
    .list('priorityclasses')
    .find((one) => one.globalDefault && one.metadata.name !== metadata.name);
  if (!other) return;
  const resource = resourceNamed('priorityclasses');
  const { name } = other.metadata;
  const cause = `PriorityClass ${name} is already marked as default. Only one default can exist`;
  throw forbidden(resource, metadata.name, cause);
}
