import { preconditionFailed } from '../src/kubernetes/status_errors.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 */

/**
 * Refuses a request for another object than the stored one, or for another version of it.
 * @param {Resource} resource
 * @param {KubernetesObject} stored
 * @param {{ uid?: string | null, resourceVersion?: string | null }} [wanted] empty values are not
 *   compared
 * @throws {import('../src/kubernetes/api_error.js').ApiError} Conflict
 */
export function checkPreconditions(resource, { metadata }, { uid, resourceVersion } = {}) {
  const { namespace, name } = metadata;
  if (uid && uid !== metadata.uid) {
    const found = metadata.uid;
    throw preconditionFailed(resource, { namespace, name, field: 'UID', wanted: uid, found });
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    const found = metadata.resourceVersion;
    const field = 'ResourceVersion';
    throw preconditionFailed(resource, { namespace, name, field, wanted: resourceVersion, found });
  }
}
