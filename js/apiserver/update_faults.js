/** Checks whether an API server would take `kubectl apply` of a manifest, without a server. */
import { ApiError } from '../src/kubernetes/api_error.js';
import { resourceOf } from '../src/kubernetes/kinds.js';
import { lastAppliedTo } from '../src/kubernetes/last_applied.js';
import { isRecord } from '../src/kubernetes/values.js';
import { beforeUpdate } from './before_update.js';
import { featureGatesOf } from './feature_gates.js';
import { isEqual } from './frozen.js';
import { CONTEXT, decoding, storedObject } from './object_faults.js';
import { appliedObject } from './patch/applied_object.js';
import { decode } from './schema/decode.js';
import { shapeOf } from './schema/types.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { FeatureGates } from './feature_gates.js'
 * @import { ObjectFault } from './object_faults.js'
 * @import { Shape } from './schema/types.js'
 */

/** What `beforeUpdate` reads of a whole object's update. */
const UPDATE = Object.freeze({ ...CONTEXT, subresource: '', fieldManager: '' });

/**
 * Returns the reasons why kube-apiserver would refuse `kubectl apply` of a manifest to an object
 * that it has stored: fields that it cannot decode, or else what validation finds in the result,
 * and changes of immutable fields. Faults that the stored object has already are not among them.
 * @param {KubernetesObject} manifest
 * @param {KubernetesObject} stored of the same kind and name
 * @param {{ isReduced?: boolean, gates?: FeatureGates }} [options] `isReduced`: the stored object
 *   lacks fields, as in a snapshot; they count as unchanged. `gates`: of kube-apiserver; default
 *   those of v1.36
 * @returns {ObjectFault[] | null} null for an unknown kind, and if the two cannot be compared:
 *   their API versions differ, or the stored one cannot be decoded
 */
export function updateFaults(manifest, stored, options = {}) {
  const { isReduced = false, gates = featureGatesOf() } = options;
  const resource = resourceOf(manifest);
  if (!resource) return null;
  const { faults } = decoding(resource, manifest);
  if (faults.length > 0) return faults;
  const applied =
    appliedObject(manifest, { before: lastAppliedTo(stored), stored }) ??
    appliedObject(manifest, { stored });
  if (!applied) return null;
  const next = decodedAs(resource, applied);
  const old = asReturned(resource, stored, { applied, isReduced });
  const known = new Set(refusals(resource, old, old, gates).map(({ message }) => message));
  return refusals(resource, next, old, gates).filter(({ message }) => !known.has(message));
}

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object that can be decoded
 * @returns {KubernetesObject}
 */
function decodedAs({ apiVersion, kind }, object) {
  return { apiVersion, kind, ...decode(shapeOf(apiVersion, kind), object).value };
}

/**
 * Returns a stored object with its defaults. An API server returns them: an object without is
 * reduced, too.
 * @param {Resource} resource
 * @param {KubernetesObject} stored
 * @param {{ applied: KubernetesObject, isReduced: boolean }} parts `applied`: its next version
 * @returns {KubernetesObject}
 */
function asReturned(resource, stored, { applied, isReduced }) {
  const whole = storedObject(stored);
  if (whole && !isReduced && isEqual(whole, decodedAs(resource, stored))) return whole;
  const shape = shapeOf(resource.apiVersion, resource.kind);
  const filled = withLacking(stored, applied, shape);
  return storedObject(filled) ?? filled;
}

/**
 * @param {any} part of a reduced object
 * @param {any} next
 * @param {Shape} shape
 * @returns {any} the part with the fields that it lacks
 */
function withLacking(part, next, shape) {
  if (shape.kind === 'list' && Array.isArray(part) && Array.isArray(next)) {
    const isSame = part.length === next.length;
    return isSame ? part.map((item, at) => withLacking(item, next[at], shape.element)) : part;
  }
  if (shape.kind !== 'struct' || !isRecord(part) || !isRecord(next)) return part;
  const kept = Object.entries(part).map(([name, value]) => {
    const field = shape.struct.fields.get(name);
    // Snapshots keep some annotations only.
    if (name === 'annotations') return [name, { ...next[name], ...value }];
    return [name, field ? withLacking(value, next[name], field.shape) : value];
  });
  return { ...next, ...Object.fromEntries(kept) };
}

/**
 * @param {Resource} resource
 * @param {KubernetesObject} next
 * @param {KubernetesObject} old
 * @param {FeatureGates} gates
 * @returns {ObjectFault[]}
 */
function refusals(resource, next, old, gates) {
  try {
    beforeUpdate(resource, next, old, { ...UPDATE, gates });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const causes = error.details?.causes ?? [];
    return causes.map(({ reason = '', field = '', message: body = '' }) => ({
      code: reason,
      field,
      message: `${field}: ${body}`,
    }));
  }
}
