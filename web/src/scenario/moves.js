/** What was done in a scenario, in short: the form in which a link holds a journal. */
import { InputError } from '../../../js/src/index.js';
import { isRecord } from '../../../js/src/kubernetes.js';
import { MOST_CYCLES } from './scenario.js';

/** @import { Action } from '../world/world.js' */

/**
 * `'next'`: the rest of the next chapter; `{ next }`: that many of its actions; a number: that many
 * cycles; otherwise an action of the user.
 * @typedef {'next' | { next: number } | number | Action} Move
 */

/**
 * An action, and the position in the scenario after it: the next action and its chapter. `isOwn`:
 * the user made the action; the scenario does not contain it.
 * @typedef {{ action: Action, isOwn: boolean, chapter: number, next: number }} Done
 */

/**
 * @param {readonly Done[]} all
 * @returns {Move[]} that lead from an empty world to the same state
 */
export function movesOf(all) {
  /** @type {Move[]} */
  const moves = [];
  for (const { action, isOwn, next } of all) {
    const last = moves.at(-1);
    if (!isOwn) {
      const isBegun = isRecord(last) && 'next' in last;
      const count = (isBegun ? last.next : 0) + 1;
      moves.splice(isBegun ? -1 : moves.length, 1, next === 0 ? 'next' : { next: count });
    } else if (action.do !== 'step') moves.push(action);
    else if (typeof last === 'number') moves.splice(-1, 1, last + 1);
    else moves.push(1);
  }
  return moves;
}

/** The required fields of each action, with their types. */
const FIELDS = /** @type {Record<string, Record<string, (value: any) => boolean>>} */ ({
  apply: { objects: isListOfRecords },
  delete: { objects: isListOfRecords },
  evict: { pods: isListOfTexts },
  patch: { object: isRecord, patch: isRecord },
  scheduleOne: { pod: (value) => typeof value === 'string' },
  advance: { to: Number.isFinite },
  wait: { for: (value) => Number.isFinite(value) && value >= 0 },
  configure: { scheduler: isRecord },
});

/**
 * Validates moves from outside.
 * @param {unknown} value
 * @returns {Move[]}
 * @throws {InputError} if they are invalid or too many
 */
export function checkedMoves(value) {
  if (!Array.isArray(value)) throw refused('it has no list of moves');
  let cycles = 0;
  value.forEach((move, index) => {
    if (!isMove(move)) throw refused(`its move ${index + 1} is unknown to this page`);
    if (typeof move === 'number') cycles += move;
  });
  if (cycles > MOST_CYCLES) throw refused(`it has more than ${MOST_CYCLES} cycles`);
  return value;
}

/**
 * Cycles are run in portions this small, so that the page can show progress after each.
 * @param {readonly Move[]} moves
 * @param {number} most cycles
 * @returns {Generator<Move[], void, void>}
 */
export function* portionsOf(moves, most) {
  for (const move of moves) {
    if (typeof move !== 'number') yield [move];
    else for (let left = move; left > 0; left -= most) yield [Math.min(left, most)];
  }
}

/** @param {unknown} move */
function isMove(move) {
  if (move === 'next') return true;
  if (typeof move === 'number') return Number.isInteger(move) && move > 0;
  if (!isRecord(move)) return false;
  if ('next' in move) return Number.isInteger(move.next) && Number(move.next) > 0;
  const kind = String(move.do);
  return (
    Object.hasOwn(FIELDS, kind) &&
    Object.entries(FIELDS[kind]).every(([name, is]) => is(move[name]))
  );
}

/** @param {unknown} value */
function isListOfRecords(value) {
  return Array.isArray(value) && value.every(isRecord);
}

/** @param {unknown} value */
function isListOfTexts(value) {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** @param {string} detail */
function refused(detail) {
  const message = `the link cannot be opened: ${detail}`;
  return new InputError({ code: 'FieldValueInvalid', message });
}
