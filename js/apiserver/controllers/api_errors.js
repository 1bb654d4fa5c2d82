import { ApiError } from '../../src/kubernetes/api_error.js';

/**
 * Classifies refusals of the API server by the reason of their Status. Counterpart:
 * k8s.io/apimachinery/pkg/api/errors, v1.36.
 */

/**
 * Whether the error is a refusal of the API server, and not a bug.
 * @param {unknown} error
 * @returns {error is ApiError}
 */
export function isApiError(error) {
  return error instanceof ApiError;
}

/** @param {unknown} error */
export function isNotFound(error) {
  return isApiError(error) && error.code === 'NotFound';
}

/** @param {unknown} error */
export function isConflict(error) {
  return isApiError(error) && error.code === 'Conflict';
}

/** @param {unknown} error */
export function isAlreadyExists(error) {
  return isApiError(error) && error.code === 'AlreadyExists';
}

/** Whether the namespace is being deleted and accepts no new objects. @param {unknown} error */
export function isNamespaceTerminating(error) {
  const causes = isApiError(error) ? (error.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === 'NamespaceTerminating');
}
