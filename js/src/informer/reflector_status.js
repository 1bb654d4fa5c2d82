/** The status of one kind's reflector. */
import { resourceText } from '../kubernetes/watched_kinds.js';

/** @import { Kind } from '../kubernetes/watched_kinds.js' */

/**
 * - `listing`: reads its objects; the first state
 * - `watching`: follows the changes
 * - `backoff`: waits after a failure
 * - `forbidden`: the server refuses it; retries
 * - `absent`: the server does not serve it; retries less often
 * @typedef {'listing' | 'watching' | 'backoff' | 'forbidden' | 'absent'} ReflectorState
 */

/**
 * `relists` counts how often the objects were read again after the first time. `lastError` stays
 * after recovery; its `reason` is an error's `code`, its `at` milliseconds since the epoch.
 * @typedef {object} ReflectorStatus
 * @property {string} resource `pods`, `replicasets.v1.apps`
 * @property {ReflectorState} state
 * @property {string} resourceVersion the version up to which all changes are known; empty before
 *   the first list
 * @property {number} relists
 * @property {{ at: number, reason: string, message: string } | null} lastError
 */

/**
 * @param {Kind} kind
 * @returns {ReflectorStatus}
 */
export function firstStatus(kind) {
  return {
    resource: resourceText(kind),
    state: 'listing',
    resourceVersion: '',
    relists: 0,
    lastError: null,
  };
}

/**
 * @param {unknown} error
 * @param {number} at
 * @returns {NonNullable<ReflectorStatus['lastError']>}
 */
export function errorStatus(error, at) {
  if (!(error instanceof Error)) return { at, reason: 'Unknown', message: String(error) };
  const { code } = /** @type {{ code?: unknown }} */ (error);
  return { at, reason: typeof code === 'string' ? code : error.name, message: error.message };
}
