/**
 * Classifies refusals for a reflector. Source: client-go/tools/cache/reflector.go (isExpiredError,
 * isTooLargeResourceVersionError) and apimachinery/pkg/api/errors/errors.go, v1.36.
 */
import { ApiError } from './api_error.js';

/**
 * The server has dropped the requested version from its history.
 * @param {unknown} error
 */
export function isExpired(error) {
  return isStatus(error, 410, 'Expired') || isStatus(error, 410, 'Gone');
}

/**
 * The server does not know the version yet: another replica issued it, or its store was restored
 * from a backup.
 * @param {unknown} error
 */
export function isTooLargeResourceVersion(error) {
  if (!(error instanceof ApiError)) return false;
  const causes = error.details?.causes ?? [];
  if (causes.some(({ reason }) => reason === 'ResourceVersionTooLarge')) return true;
  if (!isStatus(error, 504, 'Timeout')) return false;
  const words = 'Too large resource version';
  return causes.some(({ message }) => message === words) || error.message.includes(words);
}

/** @param {unknown} error */
export function isTooManyRequests(error) {
  return isStatus(error, 429, 'TooManyRequests');
}

/** @param {unknown} error */
export function isForbidden(error) {
  return isStatus(error, 403, 'Forbidden');
}

/** @param {unknown} error */
export function isUnauthorized(error) {
  return isStatus(error, 401, 'Unauthorized');
}

/**
 * For a whole collection: the API group, its version, or the kind is not served.
 * @param {unknown} error
 */
export function isNotFound(error) {
  return isStatus(error, 404, 'NotFound');
}

/**
 * @param {unknown} error
 * @param {number} status
 * @param {string} reason
 */
function isStatus(error, status, reason) {
  return error instanceof ApiError && (error.code === reason || error.status === status);
}
