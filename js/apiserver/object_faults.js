/** Decodes and validates an object as an API server would, without a server. */
import { resourceOf } from '../src/kubernetes/kinds.js';
import { featureGatesOf } from './feature_gates.js';
import { freshUid } from './object_meta.js';
import { DecodeError, decode } from './schema/decode.js';
import { shapeOf } from './schema/types.js';
import { strategyOf } from './strategies.js';
import { metadataErrors } from './validation/object_meta.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { FeatureGates } from './feature_gates.js'
 * @import { Shape } from './schema/types.js'
 * @import { StrategyContext } from './strategies/strategy.js'
 */

/**
 * A fault. `code` is `UnknownField`, or the reason of Kubernetes' field errors; `siblings` of an
 * unknown field: the fields that the type has.
 * @typedef {{ code: string, field: string, message: string, siblings?: string[] }} ObjectFault
 */

/** Validation reads the object alone: the store is empty, and time stands still. */
export const CONTEXT = /** @type {StrategyContext} */ (
  /** @type {unknown} */ ({
    store: { list: () => [], get: () => undefined, subscribe: () => () => undefined },
    now: 0,
    random: () => 0,
    taintNodesByCondition: false,
    isDecoded: true,
  })
);

/**
 * Returns the reasons why kube-apiserver would refuse the object on creation: unknown fields,
 * values of wrong types, and validation errors. Admission and other objects are not checked.
 * @param {KubernetesObject} object
 * @param {{ gates?: FeatureGates }} [options] `gates`: of kube-apiserver; default those of v1.36
 * @returns {ObjectFault[] | null} null for an unknown kind
 */
export function objectFaults(object, { gates = featureGatesOf() } = {}) {
  const resource = resourceOf(object);
  if (!resource) return null;
  const { faults, value } = decoding(resource, object);
  return value ? [...faults, ...invalidFields(resource, value, gates)] : faults;
}

/**
 * Decodes an object strictly.
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @returns {{ faults: ObjectFault[], value?: KubernetesObject }} without a value if it cannot be
 *   decoded; unknown fields are dropped
 */
export function decoding({ apiVersion, kind }, object) {
  const shape = shapeOf(apiVersion, kind);
  try {
    const { value, unknownFields } = decode(shape, object);
    return { faults: unknownFields.map((field) => unknownField(field, shape)), value };
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    return { faults: [undecodable(cause)] };
  }
}

/**
 * The decoder's words may name no field, as those of quantities and times.
 * @param {DecodeError} error
 * @returns {ObjectFault}
 */
function undecodable({ field, given, message }) {
  const value = typeof given === 'object' ? '' : `${JSON.stringify(given)}: `;
  const why = `${field}: Invalid value: ${value}${message}`;
  return { code: 'FieldValueTypeInvalid', field, message: why };
}

/**
 * @param {string} field
 * @param {Shape} shape of the object
 * @returns {ObjectFault}
 */
function unknownField(field, shape) {
  const message = `strict decoding error: unknown field "${field}"`;
  return { code: 'UnknownField', field, message, siblings: siblingsOf(field, shape) };
}

/**
 * Returns an object as kube-apiserver decodes it and sets its defaults, before admission. Unknown
 * fields are dropped.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject | undefined} undefined if the kind is not served, or a value has
 *   another type than its field
 */
export function storedObject(object) {
  const resource = resourceOf(object);
  if (!resource) return undefined;
  const { apiVersion, kind } = resource;
  try {
    const { value } = decode(shapeOf(apiVersion, kind), object);
    const typed = { apiVersion, kind, ...value };
    return strategyOf(resource).setDefaults?.(typed, CONTEXT) ?? typed;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns the known fields of the struct that contains an unknown one.
 * @param {string} field
 * @param {Shape} shape
 * @returns {string[]}
 */
function siblingsOf(field, shape) {
  const steps = field.split('.').slice(0, -1);
  /** @type {Shape | undefined} */
  let found = shape;
  for (const step of steps) {
    const [name, ...indices] = step.split('[');
    if (found?.kind === 'struct') found = found.struct.fields.get(name)?.shape;
    else if (found?.kind === 'map') found = found.element;
    for (const _index of indices) if (found?.kind === 'list') found = found.element;
  }
  return found?.kind === 'struct' ? [...found.struct.fields.keys()] : [];
}

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object decoded
 * @param {FeatureGates} gates
 * @returns {ObjectFault[]}
 */
function invalidFields(resource, object, gates) {
  const strategy = strategyOf(resource);
  const { kind } = resource;
  const metadata = complete(resource, object.metadata ?? {});
  const named = gates.enabled({ ...object, kind, metadata });
  const context = { ...CONTEXT, gates };
  const whole = strategy.setDefaults?.(named, context) ?? named;
  // Pods are not prepared here: admission prepares them from objects of a cluster.
  const isPod = resource.plural === 'pods';
  const prepared = (!isPod && strategy.prepareForCreate?.(whole, context)) || whole;
  const errors = [
    ...metadataErrors(resource, prepared.metadata, gates),
    ...(strategy.validate?.(prepared, context) ?? []),
    ...(strategy.validateCreate?.(prepared) ?? []),
  ];
  return gates.inForce(errors).map(({ reason, field, body }) => ({
    code: reason,
    field,
    message: `${field}: ${body}`,
  }));
}

/**
 * Adds the parts that a request or the server would set: the namespace, a name, and a uid, which a
 * creation never takes from the object.
 * @param {Resource} resource
 * @param {KubernetesObject['metadata']} metadata
 */
function complete({ namespaced }, metadata) {
  const { generateName, name = generateName && `${generateName}00000`, namespace } = metadata;
  const uid = freshUid(CONTEXT.random);
  return { ...metadata, name, uid, namespace: namespace || (namespaced ? 'default' : undefined) };
}
