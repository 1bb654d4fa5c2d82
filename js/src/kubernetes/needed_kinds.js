/** The kinds that scheduling decisions depend on, and the command that gets all of them. */
import { RESOURCES } from './kinds.js';
import { kindOf, requiredFirst } from './watched_kinds.js';

/** @import { Kind } from './watched_kinds.js' */

/**
 * Nodes and pods first, the others in the order of the table of kinds. kubectl refuses a list of
 * kinds with one that the server does not serve, so those that need a feature gate are left out.
 */
export const NEEDED_KINDS = Object.freeze(
  requiredFirst(RESOURCES.filter(({ readBy, gate }) => readBy.length > 0 && !gate)),
);

const PLURALS = NEEDED_KINDS.map(({ plural }) => plural).join();

/** The kubectl command that exports the objects of all these kinds. */
export const GET_ALL_KINDS = `kubectl get ${PLURALS} -A -o json`;

/**
 * The kinds that are listed from a live cluster in addition to those that the scheduler watches.
 * @type {readonly Kind[]}
 */
export const KINDS_BESIDES = NEEDED_KINDS.filter(({ isWatched }) => !isWatched).map(kindOf);

/**
 * Returns the plugins and controllers that read objects of a kind.
 * @param {string} kind of the table
 * @returns {readonly string[]}
 */
export function readersOf(kind) {
  return NEEDED_KINDS.find((needed) => needed.kind === kind)?.readBy ?? [];
}
