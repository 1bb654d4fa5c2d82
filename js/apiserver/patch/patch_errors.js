/**
 * The refusals of patches. Counterpart: apimachinery/pkg/util/mergepatch/errors.go,
 * strategicpatch/errors.go and interpretStrategicMergePatchError of
 * apiserver/pkg/endpoints/handlers/patch.go, v1.36.
 */
import { ApiError } from '../../src/kubernetes/api_error.js';
import { isRecord } from '../../src/kubernetes/values.js';
import { invalidValue } from '../../src/kubernetes/field_errors.js';
import { jsonKind } from '../schema/decode.js';
import { badRequest, failure, invalid } from '../../src/kubernetes/status_errors.js';
import { goText, goType } from './go_text.js';

/**
 * @import { DecodeError } from '../schema/decode.js'
 * @import { Basic } from '../schema/types.js'
 */

/**
 * A strategic merge patch has another type than the field.
 * @param {unknown} value
 * @param {string} type Go's
 */
export function cannotUnmarshal(value, type) {
  return badRequest(unmarshalFault(value, type));
}

/**
 * The same of a JSON patch or a merge patch.
 * @param {unknown} value
 * @param {string} type Go's
 */
export function cannotDecode(value, type) {
  return badRequest(`error decoding patch: ${unmarshalFault(value, type)}`);
}

/**
 * The same of an applied configuration.
 * @param {unknown} value
 * @param {string} type Go's
 */
export function cannotDecodeYaml(value, type) {
  const fault = `error unmarshaling JSON: while decoding JSON: ${unmarshalFault(value, type)}`;
  return badRequest(`error decoding YAML: ${fault}`);
}

/** @param {unknown} value @param {string} type */
function unmarshalFault(value, type) {
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${type}`;
}

export function badFormatOfPrimitiveList() {
  return badRequest('invalid patch format of primitive list');
}

export function badFormatOfRetainKeys() {
  return badRequest('invalid patch format of retainKeys');
}

export function badFormatOfElementOrder() {
  return badRequest('invalid patch format of setElementOrder list');
}

export function noListsOfLists() {
  const message = 'the server rejected our request due to an error in our request';
  return failure(422, 'Invalid', message, {});
}

/** @param {Record<string, unknown>} element @param {string} mergeKey */
export function noMergeKey(element, mergeKey) {
  return unknown(`map: ${goText(element)} does not contain declared merge key: ${mergeKey}`);
}

/**
 * The result of a patch is not an object of its kind.
 * @param {string} text of the patch, or of the result
 * @param {string} detail
 */
export function invalidPatch(text, detail) {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', text, detail)]);
}

/**
 * Returns the error of a value, in the words of Go's converter of plain data. Counterpart:
 * fromUnstructured of apimachinery/pkg/runtime/converter.go, v1.36.
 * @param {DecodeError} error
 */
export function conversionFault({ shape, given, message }) {
  switch (shape?.kind) {
    case 'struct':
      return `cannot restore struct from: ${goKind(given)}`;
    case 'map':
      return `cannot restore map from ${goKind(given)}`;
    case 'list':
      return `cannot restore slice from ${goKind(given)}`;
    case 'scalar':
      return scalarFault(shape.basic, given) ?? message;
    default:
      return message;
  }
}

/** Types with an unmarshaler of their own. @type {ReadonlySet<Basic>} */
const UNMARSHALERS = new Set(['Quantity', 'IntOrString', 'Time', 'MicroTime']);

/**
 * @param {Basic} basic
 * @param {unknown} given
 */
function scalarFault(basic, given) {
  if (UNMARSHALERS.has(basic)) return null;
  if (basic === 'bytes') return `cannot restore slice from ${goKind(given)}`;
  // Go would convert a number to a string, as a character, and truncate its fraction; JSON decoding
  // does neither.
  const isConvertible =
    basic === 'string' ? Number.isInteger(given) : typeof given === 'number' && basic !== 'bool';
  return isConvertible
    ? `cannot convert ${goKind(given)} to ${basic}`
    : `unrecognized type: ${basic}`;
}

/** @param {unknown} given */
function goKind(given) {
  if (Array.isArray(given)) return 'slice';
  return isRecord(given) ? 'map' : goType(given);
}

/** @param {'map[string]interface {}' | '[]interface {}'} expected @param {unknown} actual */
export function badArgument(expected, actual) {
  return unknown(`expected a ${expected}, but received a ${goType(actual)}`);
}

/** @param {unknown} directive @param {Record<string, unknown>} patch */
export function badPatchType(directive, patch) {
  return unknown(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
}

/** @param {string} goName of the struct @param {string} field */
export function noSuchField(goName, field) {
  return unknown(`unable to find api field in struct ${goName} for the json field "${field}"`);
}

/**
 * Errors without a code in upstream are internal errors of the server.
 * @param {string} message
 */
export function unknown(message) {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    code: 500,
  });
}
