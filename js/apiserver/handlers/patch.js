/**
 * Patches: the object is read, changed and stored as a whole.
 * Counterpart: apiserver/pkg/endpoints/handlers/patch.go, v1.36.
 */
import { asServed } from '../event_conversion.js';
import { bodyType } from '../negotiation.js';
import { goText } from '../patch/go_text.js';
import { APPLY_PATCH, PATCH_TYPES, STRATEGIC_MERGE_PATCH, applyPatch } from '../patch/patch.js';
import { conversionFault, invalidPatch } from '../patch/patch_errors.js';
import { booleanOf } from '../query_values.js';
import { checkFieldValidation, readBody } from '../request_body.js';
import { jsonResponse } from '../responses.js';
import { DecodeError, decode } from '../schema/decode.js';
import { shapeOf } from '../schema/types.js';
import { invalidValue } from '../../src/kubernetes/field_errors.js';
import { conflict, invalid, notFound } from '../../src/kubernetes/status_errors.js';
import { warningsOf } from '../strategies.js';
import { fieldManagerOf, isDryRun } from './options.js';
import { representationFor } from './read.js';
import { checkName, stored } from './write.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { ResourceRequest } from '../request_info.js'
 * @import { Resource } from '../../src/kubernetes/kinds.js'
 * @import { Exchange } from './context.js'
 */

/** @param {Exchange} exchange */
export async function patchObject(exchange) {
  const { server, info, request } = exchange;
  const { resource, namespace, name, subresource, query } = info;
  const answer = representationFor(exchange);
  const dryRun = isDryRun(query);
  const read = await readPatch(exchange);
  const found = server.store.get(resource.plural, namespace, name);
  checkFieldValidation(query.get('fieldValidation'), 'PatchOptions');
  const canCreate = read.contentType === APPLY_PATCH && subresource === '';
  if (!found && !canCreate) throw notFound(resource, name);
  const current = found ? asServed(resource, found) : null;
  const result = patched(exchange, { ...read, current });
  const { object, warnings } = checkedResult(info, result, read);
  checkUid(resource, object, found);
  const options = { dryRun, isDecoded: true };
  const fieldManager = read.contentType === APPLY_PATCH ? '' : fieldManagerOf(request, query);
  const whole = stored(info, object);
  const written = found
    ? server.store.update(resource.plural, whole, { ...options, subresource, fieldManager })
    : server.store.create(resource.plural, whole, options);
  return jsonResponse(answer.object(written), {
    status: found ? 200 : 201,
    warnings: [...warningsOf(resource), ...warnings],
  });
}

/**
 * Refuses a patch of an object with another uid, which has been deleted, or replaced by this one.
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {KubernetesObject} [found]
 */
function checkUid(resource, { metadata: { name = '', uid } }, found) {
  if (!uid || uid === found?.metadata.uid) return;
  if (!found) {
    const given = `the provided object specified uid ${uid}`;
    throw conflict(resource, name, `uid mismatch: ${given}, and no existing object was found`);
  }
  throw invalid(resource, name, [invalidValue('metadata.uid', uid, 'field is immutable')]);
}

/**
 * @param {Exchange} exchange
 * @returns {Promise<{ contentType: string, patch: unknown }>}
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} UnsupportedMediaType, BadRequest
 */
export async function readPatch(exchange) {
  const contentType = bodyType(exchange.request.headers.get('Content-Type'), PATCH_TYPES);
  return { contentType, patch: await readBody(exchange, PATCH_TYPES) };
}

/**
 * Returns plain data with a patch applied.
 * @param {Exchange} exchange
 * @param {{ contentType: string, patch: unknown, current: KubernetesObject | null,
 *   type?: { apiVersion: string, kind: string } }} parts `type`: default: that of the path
 * @returns {KubernetesObject}
 */
export function patched({ server, info, request }, { type = info.resource, ...parts }) {
  const force = booleanOf(info.query, 'force');
  return applyPatch({
    ...parts,
    resource: type,
    subresource: info.subresource,
    fieldManager:
      parts.contentType === APPLY_PATCH
        ? (info.query.get('fieldManager') ?? '')
        : fieldManagerOf(request, info.query),
    ...(force !== undefined && { force }),
    now: server.clock.now(),
  });
}

/**
 * Returns the object that resulted from a patch, decoded by its type.
 * @param {ResourceRequest} info
 * @param {KubernetesObject} result
 * @param {{ contentType: string, patch: unknown }} read
 */
function checkedResult({ resource, name, query }, result, { contentType, patch }) {
  const { kind, apiVersion } = resource;
  const isStrategic = contentType === STRATEGIC_MERGE_PATCH;
  const refused = (/** @type {string} */ detail) =>
    invalidPatch(isStrategic ? goText(patch) : JSON.stringify(result), detail);
  const { value, unknownFields } = decodedOr(resource, result, (error) =>
    refused(isStrategic ? conversionFault(error) : error.message),
  );
  const object = { kind, apiVersion, ...value };
  checkName(name, object);
  const faults = unknownFields.map((field) => `unknown field "${field}"`);
  const fieldValidation = query.get('fieldValidation');
  if (faults.length === 0 || fieldValidation === 'Ignore') return { object, warnings: [] };
  if (fieldValidation !== 'Strict') return { object, warnings: faults };
  throw refused(`strict decoding error: ${faults.join(', ')}`);
}

/**
 * @param {Resource} resource
 * @param {object} data
 * @param {(error: DecodeError) => Error} refusal
 */
function decodedOr({ apiVersion, kind }, data, refusal) {
  try {
    return decode(shapeOf(apiVersion, kind), data);
  } catch (cause) {
    throw cause instanceof DecodeError ? refusal(cause) : cause;
  }
}
