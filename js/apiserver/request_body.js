/**
 * Reads the bodies of requests with the type of their object.
 * Counterpart: apiserver/pkg/endpoints/handlers (create.go, rest.go), v1.36.
 */
import { InputError, StowageError } from '../src/kubernetes/errors.js';
import { isRecord, wordsOf } from '../src/kubernetes/values.js';
import { notSupported } from '../src/kubernetes/field_errors.js';
import { BODY_TYPES, PROTOBUF, bodyType } from './negotiation.js';
import { TooDeepError, notTooDeep, parseJson } from '../src/kubernetes/nesting.js';
import { DecodeError, decode } from './schema/decode.js';
import { ANY, shapeOf, structOf } from './schema/types.js';
import {
  badRequest,
  invalid,
  requestEntityTooLarge,
  unsupportedMediaType,
} from '../src/kubernetes/status_errors.js';

/**
 * @import { PlainRequest } from '../src/io/plain_http.js'
 * @import { ForKubectl } from './for_kubectl.js'
 * @import { Exchange } from './handlers/context.js'
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 */

/** The maximum size of a body: bytes, as in kube-apiserver. */
const LARGEST = 3 * 1024 * 1024;

/** Unknown fields are ignored, rejected, or reported to the client as warnings. */
const FIELD_VALIDATIONS = ['Ignore', 'Strict', 'Warn'];

/**
 * Returns the plain data of a body; undefined for an empty one.
 * @param {Pick<Exchange, 'server' | 'request'>} exchange
 * @param {readonly string[]} [types] media types, default JSON and YAML, for kubectl also protobuf
 * @returns {Promise<any>}
 * @throws {import('../src/kubernetes/api_error.js').ApiError} BadRequest, UnsupportedMediaType,
 *   RequestEntityTooLarge
 */
export async function readBody({ server: { forKubectl }, request }, types) {
  const bytes = await bodyBytes(request);
  if (bytes.length === 0) return undefined;
  const supported = types ?? (forKubectl ? [...BODY_TYPES, PROTOBUF] : BODY_TYPES);
  const type = bodyType(request.headers.get('Content-Type'), supported);
  if (forKubectl && type === PROTOBUF) return parsedProtobuf(bytes, forKubectl);
  const text = new TextDecoder().decode(bytes);
  return type.endsWith('json') ? parsedJson(text) : parsedYaml(text);
}

/** @param {Uint8Array} bytes @param {ForKubectl} forKubectl */
function parsedProtobuf(bytes, { decodeProtobuf }) {
  try {
    return decodeProtobuf(bytes, sentShapeOf);
  } catch (cause) {
    if (cause instanceof DecodeError) throw badRequest(cause.message);
    throw cause;
  }
}

/**
 * Every group version serves DeleteOptions.
 * @param {string} apiVersion
 * @param {string} kind
 */
function sentShapeOf(apiVersion, kind) {
  if (kind !== 'DeleteOptions') return shapeOf(apiVersion, kind);
  const eviction = structOf('policy/v1', 'Eviction');
  return eviction?.fields.get('deleteOptions')?.shape ?? ANY;
}

/** @param {PlainRequest} request */
async function bodyBytes(request) {
  if (Number(request.headers.get('Content-Length') ?? 0) > LARGEST)
    throw requestEntityTooLarge(LARGEST);
  try {
    return await request.content(LARGEST);
  } catch (cause) {
    throw cause instanceof InputError ? requestEntityTooLarge(LARGEST) : cause;
  }
}

/** @param {string} text */
function parsedJson(text) {
  try {
    return parseJson(text);
  } catch (cause) {
    throw badRequest(`couldn't get version/kind; json parse error: ${wordsOf(cause)}`);
  }
}

/** @param {string} text */
async function parsedYaml(text) {
  const { parseSingle } = await yamlReader();
  try {
    return notTooDeep(parseSingle(text));
  } catch (cause) {
    if (!(cause instanceof StowageError || cause instanceof TooDeepError)) throw cause;
    throw badRequest(`error converting YAML to JSON: ${cause.message}`);
  }
}

/** Imported with the first body that needs it: a page without a bundler has no packages. */
async function yamlReader() {
  try {
    return await import('../src/documents/documents.js');
  } catch (cause) {
    throw unsupportedMediaType(
      `the body of the request was in YAML, which is read by the package "yaml": ${wordsOf(cause)}`,
    );
  }
}

/**
 * Returns an object as its type defines it, with warnings about unknown fields.
 * @param {{ apiVersion: string, kind: string }} type
 * @param {unknown} data
 * @param {string | null} fieldValidation of the query
 * @returns {{ object: KubernetesObject, warnings: string[] }}
 * @throws {import('../src/kubernetes/api_error.js').ApiError} BadRequest
 */
export function decodeObject(type, data, fieldValidation) {
  checkFieldValidation(fieldValidation);
  if (!isRecord(data)) throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(data)}'`);
  checkType(type, data);
  const { object, unknownFields } = decoded(type, data);
  const faults = unknownFields.map((field) => `unknown field "${field}"`);
  if (faults.length === 0 || fieldValidation === 'Ignore') return { object, warnings: [] };
  if (fieldValidation === 'Strict') {
    throw cannotBeHandled(type, `strict decoding error: ${faults.join(', ')}`);
  }
  return { object, warnings: faults };
}

/**
 * @param {{ apiVersion: string, kind: string }} type
 * @param {object} data
 */
export function decoded(type, data) {
  try {
    const { value, unknownFields } = decode(shapeOf(type.apiVersion, type.kind), data);
    const { kind, apiVersion } = type;
    return { object: { kind, apiVersion, ...value }, unknownFields };
  } catch (cause) {
    if (cause instanceof DecodeError) throw cannotBeHandled(type, cause.message);
    throw cause;
  }
}

/**
 * @param {string | null} fieldValidation of the query
 * @param {string} [kind] of the request's options
 * @throws {import('../src/kubernetes/api_error.js').ApiError} Invalid
 */
export function checkFieldValidation(fieldValidation, kind = 'CreateOptions') {
  if (!fieldValidation || FIELD_VALIDATIONS.includes(fieldValidation)) return;
  throw invalid({ group: 'meta.k8s.io', kind }, '', [
    notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS),
  ]);
}

/**
 * The data's type may be absent, but not different.
 * @param {{ apiVersion: string, kind: string }} type
 * @param {Record<string, any>} data
 */
function checkType(type, { apiVersion = type.apiVersion, kind = type.kind }) {
  if (apiVersion !== type.apiVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version ` +
        `(${type.apiVersion})`,
    );
  }
  if (kind !== type.kind) {
    const goTypes = `converting (v1.${kind}) to (${type.kind})`;
    throw cannotBeHandled(type, `${goTypes}: unknown conversion`, kind);
  }
}

/**
 * @param {{ apiVersion: string, kind: string }} type
 * @param {string} why
 * @param {string} [kind] of the data
 */
function cannotBeHandled(type, why, kind = type.kind) {
  const version = type.apiVersion.slice(type.apiVersion.indexOf('/') + 1);
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${type.kind}: ${why}`);
}
