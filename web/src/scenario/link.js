/** The contents of a link to a scenario, and their validation. */
import { InputError } from '../../../js/src/index.js';
import { isRecord } from '../../../js/src/kubernetes.js';
import { checkedMoves } from './moves.js';
import { fromHash, toHash } from './share.js';

/** @import { Move } from './moves.js' */

/** In bytes. Some programs that pass links on truncate longer ones. */
export const LINK_BYTES_SAFE = 8 << 10;

const VERSION = 1;

/**
 * The selection: a pod (`namespace/name`), now or at a `decision` (its number, from 0), and a node.
 * @typedef {{ pod?: string, decision?: number, node?: string }} Look
 */

/**
 * `lesson` is a lesson's name; without it, `scenario` is the text. `hash` covers all decisions up
 * to `position`.
 * @typedef {{ lesson?: string, scenario?: string, moves: Move[], position: number, hash: string,
 *   look: Look }} Shared
 */

/**
 * @param {Shared} shared
 * @returns {Promise<string>} the value of `share=` in a URL's hash
 */
export function packedLink(shared) {
  return toHash({ v: VERSION, ...shared });
}

/**
 * @param {string} packed
 * @returns {Promise<Shared>}
 * @throws {InputError} if the link is truncated, not a link, or of an unknown version
 */
export async function readLink(packed) {
  const value = await fromHash(packed);
  if (!isRecord(value) || !('v' in value)) throw refused('this page did not create it');
  const { v, lesson, scenario, moves, position, hash, look = {} } = value;
  if (v !== VERSION)
    throw refused(`it is of version ${JSON.stringify(v)}, this page reads version ${VERSION}`);
  if ([lesson, scenario].filter((one) => typeof one === 'string').length !== 1)
    throw refused('it needs a lesson or a scenario');
  if (!Number.isInteger(position) || Number(position) < 0 || typeof hash !== 'string')
    throw refused('it has no position');
  if (!isLook(look)) throw refused('its selection is unknown to this page');
  return /** @type {Shared} */ ({
    ...{ lesson, scenario, moves: checkedMoves(moves), position, hash, look },
  });
}

/** @param {unknown} look */
function isLook(look) {
  if (!isRecord(look)) return false;
  const { pod = '', decision = 0, node = '' } = look;
  return typeof pod === 'string' && typeof node === 'string' && Number.isInteger(decision);
}

/** @param {string} detail */
function refused(detail) {
  const message = `the link cannot be opened: ${detail}`;
  return new InputError({ code: 'FieldValueInvalid', message });
}
