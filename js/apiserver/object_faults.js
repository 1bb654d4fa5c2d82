/** What an API server stores of an object, and why it would refuse it, asked without a server. */
import { resourceOf } from '../src/kubernetes/kinds.js';
import { DecodeError, decode } from './schema/decode.js';
import { shapeOf } from './schema/types.js';
import { strategyOf } from './strategies.js';
import { metadataErrors } from './validation/object_meta.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { Shape } from './schema/types.js'
 * @import { StrategyContext } from './strategies/strategy.js'
 */

/**
 * One thing that is wrong. `code` is `UnknownField`, or the reason of Kubernetes' field errors;
 * `siblings`: of a field that the type has not, those that it has.
 * @typedef {{ code: string, field: string, message: string, siblings?: string[] }} ObjectFault
 */

/** Validation needs no other objects; what it is prepared with is made up. */
const CONTEXT = /** @type {StrategyContext} */ (
  /** @type {unknown} */ ({
    store: { list: () => [], get: () => undefined },
    now: 0,
    random: () => 0,
    taintNodesByCondition: false,
    isDecoded: true,
  })
);

/**
 * What kube-apiserver would refuse when the object is created: fields that its type has not, values
 * of wrong types, and what validation finds. Admission and other objects are not asked.
 * @param {KubernetesObject} object
 * @returns {ObjectFault[] | null} null: of a kind that is not known here
 */
export function objectFaults(object) {
  const resource = resourceOf(object);
  if (!resource) return null;
  const shape = shapeOf(resource.apiVersion, resource.kind);
  try {
    const { value, unknownFields } = decode(shape, object);
    const unknown = unknownFields.map((field) => unknownField(field, shape));
    return [...unknown, ...invalidFields(resource, value)];
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    return [{ code: 'FieldValueTypeInvalid', field: cause.field, message: cause.message }];
  }
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
 * An object as kube-apiserver decodes it and sets its defaults, before admission. Fields that its
 * type does not have are dropped.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject | undefined} undefined: the kind is not served, or a value has another
 *   type than its field
 */
export function storedObject(object) {
  const resource = resourceOf(object);
  if (!resource) return undefined;
  const { apiVersion, kind } = resource;
  try {
    const { value } = decode(shapeOf(apiVersion, kind), object);
    const typed = { apiVersion, kind, ...value };
    return strategyOf(resource).setDefaults?.(typed) ?? typed;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The fields of the struct in which a field is not.
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
 * @returns {ObjectFault[]}
 */
function invalidFields(resource, object) {
  const strategy = strategyOf(resource);
  const whole = strategy.setDefaults?.(object) ?? object;
  // Admission prepares pods: it has the objects of a cluster to read.
  const isPod = resource.plural === 'pods';
  const prepared = (!isPod && strategy.prepareForCreate?.(whole, CONTEXT)) || whole;
  const errors = [
    ...metadataErrors(resource, complete(resource, prepared.metadata ?? {})),
    ...(strategy.validate?.(prepared, CONTEXT) ?? []),
    ...(strategy.validateCreate?.(prepared) ?? []),
  ];
  return errors.map(({ reason, field, body }) => ({
    code: reason,
    field,
    message: `${field}: ${body}`,
  }));
}

/**
 * With what the request would have said or the server made: the namespace, and a name.
 * @param {Resource} resource
 * @param {KubernetesObject['metadata']} metadata
 */
function complete({ namespaced }, metadata) {
  const { generateName, name = generateName && `${generateName}00000`, namespace } = metadata;
  return { ...metadata, name, namespace: namespace || (namespaced ? 'default' : undefined) };
}
