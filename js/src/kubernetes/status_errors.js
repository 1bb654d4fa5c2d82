/**
 * Creates the refusals of an API server, in its words. Counterpart: apimachinery/pkg/api/errors,
 * v1.36.
 */
import { ApiError } from './api_error.js';

/**
 * @import { Status, StatusCause } from './types.js'
 * @import { FieldError } from './field_errors.js'
 * @import { Resource } from './kinds.js'
 */

/** The resource that a refusal concerns; its name in messages may be that of a subresource. */
/** @typedef {Pick<Resource, 'group' | 'plural' | 'qualified'>} Subject */

/**
 * @param {number} code
 * @param {string} reason
 * @param {string} message
 * @param {Status['details']} [details]
 * @param {object} [metadata]
 */
export function failure(code, reason, message, details, metadata = {}) {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  });
}

/**
 * @param {Subject} resource
 * @param {string} name
 */
export function notFound(resource, name) {
  const message = `${resource.qualified} "${name}" not found`;
  return failure(404, 'NotFound', message, detailsOf(resource, name));
}

/** The refusal of an unserved path. */
export function noSuchPath() {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

/**
 * @param {Subject} resource
 * @param {string} name
 */
export function alreadyExists(resource, name) {
  const message = `${resource.qualified} "${name}" already exists`;
  return failure(409, 'AlreadyExists', message, detailsOf(resource, name));
}

/**
 * @param {Subject} resource
 * @param {string} name
 */
export function generateNameConflict(resource, name) {
  const message =
    `${resource.qualified} "${name}" already exists, ` +
    'the server was not able to generate a unique name for the object';
  return failure(409, 'AlreadyExists', message, {
    ...detailsOf(resource, name),
    retryAfterSeconds: 1,
  });
}

/**
 * @param {Subject} resource
 * @param {string} name
 * @param {string} cause
 */
export function conflict(resource, name, cause) {
  const message = `Operation cannot be fulfilled on ${resource.qualified} "${name}": ${cause}`;
  return failure(409, 'Conflict', message, detailsOf(resource, name));
}

/** The message of a conflict with a concurrent write. */
export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/**
 * The conflict of a precondition, in the words of the storage.
 * @param {Subject} resource
 * @param {{ namespace?: string, name: string, field: 'UID' | 'ResourceVersion', wanted: string,
 *   found: string }} precondition
 */
export function preconditionFailed(resource, { namespace, name, field, wanted, found }) {
  const key = ['/registry', resource.plural, namespace, name].filter(Boolean).join('/');
  const both = `${field} in precondition: ${wanted}, ${field} in object meta: ${found}`;
  return conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: ${both}`,
  );
}

/**
 * @param {{ group: string, kind: string }} resource
 * @param {string} name
 * @param {FieldError[]} errors
 */
export function invalid({ group, kind }, name, errors) {
  const sentences = [...new Set(errors.map(({ field, body }) => `${field}: ${body}`))];
  const list = sentences.length === 1 ? sentences[0] : `[${sentences.join(', ')}]`;
  const qualified = group === '' ? kind : `${kind}.${group}`;
  const causes = errors.map(({ reason, body, field }) => ({ reason, message: body, field }));
  return failure(422, 'Invalid', `${qualified} "${name}" is invalid: ${list}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    kind,
    causes,
  });
}

/**
 * @param {Subject} resource
 * @param {string} name
 * @param {string} cause
 * @param {StatusCause[]} [causes]
 */
export function forbidden(resource, name, cause, causes) {
  const what = name === '' ? resource.qualified : `${resource.qualified} "${name}"`;
  const details = { ...detailsOf(resource, name), ...(causes && { causes }) };
  return failure(403, 'Forbidden', `${what} is forbidden: ${cause}`, details);
}

/** @param {string} message */
export function badRequest(message) {
  return failure(400, 'BadRequest', message);
}

/** @param {string} message */
export function expired(message) {
  return failure(410, 'Expired', message);
}

/**
 * @param {Subject} resource
 * @param {string} action
 */
export function methodNotSupported(resource, action) {
  const message = `${action} is not supported on resources of kind "${resource.qualified}"`;
  return failure(405, 'MethodNotAllowed', message, detailsOf(resource, ''));
}

/** @param {number} limit bytes */
export function requestEntityTooLarge(limit) {
  const message = `Request entity too large: limit is ${limit}`;
  return failure(413, 'RequestEntityTooLarge', message);
}

/** @param {string} message */
export function unsupportedMediaType(message) {
  return failure(415, 'UnsupportedMediaType', message);
}

/**
 * The refusal of a version that the server has not reached.
 * @param {string | number} wanted
 * @param {number} current
 */
export function tooLargeResourceVersion(wanted, current) {
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  return failure(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** @param {string} message */
export function internalError(message) {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}

/**
 * @param {Subject} resource
 * @param {string} name
 */
function detailsOf({ group, plural }, name) {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: plural };
}
