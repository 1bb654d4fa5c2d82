/** Checks the results of plugins and encodes them for the engine. */
import { isPromise, wellFormedJson } from '../kubernetes/values.js';

/**
 * @import { PluginStatus } from './types.js'
 * @import { Answer } from '../engine/types.js'
 */

/** The methods that the engine calls on a plugin. */
export const PLUGIN_METHODS = Object.freeze(
  /** @type {const} */ ([
    'preEnqueue',
    'preFilter',
    'addPod',
    'removePod',
    'filter',
    'filterChunk',
    'postFilter',
    'preScore',
    'score',
    'scoreNotes',
    'normalizeScore',
    'reserve',
    'unreserve',
    'permit',
    'preBind',
    'bind',
    'postBind',
  ]),
);

/** The maximum wait of a pod in Permit, in milliseconds. */
const LONGEST_WAIT = 15 * 60 * 1000;

const CODES = ['Unschedulable', 'UnschedulableAndUnresolvable', 'Pending', 'Skip', 'Wait', 'Error'];

/**
 * Returns a result, or a list of them, unless it comes later. What a promise rejects with is of no
 * use then, and must not end the process.
 * @template T
 * @param {T} result
 * @returns {T}
 * @throws {TypeError} if there is a promise
 */
export function atOnce(result) {
  const later = [result].flat().filter(isPromise);
  if (later.length === 0) return result;
  void Promise.allSettled(later);
  throw new TypeError('this point must answer at once, not with a promise');
}

/**
 * @param {PluginStatus | null} status
 * @returns {{ code: string, reasons?: string[], message?: string } | undefined} undefined means
 *   Success
 */
function statusOf(status) {
  if (status === undefined || status === null) return undefined;
  const { code, reasons = [] } = status;
  if (code === 'Success') return undefined;
  if (!CODES.includes(code))
    throw new TypeError(`a status must be undefined or have a code among ${CODES.join(', ')}`);
  if (!Array.isArray(reasons) || reasons.some((reason) => typeof reason !== 'string'))
    throw new TypeError('the reasons of a status must be a list of strings');
  return code === 'Error' ? { code, message: reasons.join(', ') } : { code, reasons };
}

/**
 * Encodes a status, or an object with the further members that this point allows.
 * @param {any} result
 * @param {string[]} [extras]
 */
export function outcomeOf(result, extras = []) {
  if (result === undefined || result === null) return undefined;
  const said = extras.filter((name) => result[name] !== undefined);
  const status = result.code === undefined && said.length > 0 ? undefined : statusOf(result);
  for (const name of said) {
    const isList = name === 'nodeNames';
    const values = isList ? result[name] : [result[name]];
    if (!Array.isArray(values) || values.some((value) => typeof value !== 'string'))
      throw new TypeError(`${name} must be a ${isList ? 'list of strings' : 'string'}`);
  }
  const values = Object.fromEntries(said.map((name) => [name, result[name]]));
  return { ...(status && { status }), ...values };
}

/**
 * Encodes the result of permit: a status, and the maximum wait.
 * @param {any} result
 */
export function permitOf(result) {
  const outcome = outcomeOf(result);
  if (outcome?.status?.code !== 'Wait') return outcome;
  const { timeout = LONGEST_WAIT } = result;
  if (typeof timeout !== 'number' || !(timeout >= 0))
    throw new TypeError(`a timeout must be milliseconds from 0, not ${String(timeout)}`);
  return { ...outcome, timeoutMs: Math.ceil(Math.min(timeout, LONGEST_WAIT)) };
}

/**
 * Encodes the answer to a call whose method may be asynchronous.
 * @param {{ status?: object }} [outcome]
 * @returns {Answer}
 */
export function answerOf(outcome) {
  return { status: 200, body: outcome?.status ? wellFormedJson(outcome) : '' };
}

/**
 * Returns the rows of a chunk whose bits are set, and their offsets.
 * @param {{ first: number, mask: [number, number] }} request
 */
export function chunkOf({ first, mask }) {
  const offsets = [];
  for (const [half, bits] of mask.entries()) {
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      offsets.push(half * 32 + 31 - Math.clz32(rest & -rest));
    }
  }
  return { offsets, rows: offsets.map((offset) => first + offset) };
}

/**
 * Returns the refusals among the statuses of some nodes; equal ones are listed once.
 * @param {PluginStatus[]} statuses
 * @param {number[]} [offsets]
 */
export function statusesOf(statuses, offsets = [0]) {
  /** @type {Map<string, number>} */
  const places = new Map();
  const distinct = [];
  const refused = [];
  let last;
  let lastPlace = 0;
  for (const [index, status] of statuses.entries()) {
    if (status === undefined || status === null) continue;
    if (status !== last) {
      const checked = statusOf(status);
      if (!checked) continue;
      const key = JSON.stringify(checked);
      const known = places.get(key);
      lastPlace = known ?? distinct.length;
      if (known === undefined) {
        places.set(key, lastPlace);
        distinct.push(checked);
      }
      last = status;
    }
    refused.push([offsets[index], lastPlace]);
  }
  if (refused.length === 0) return undefined;
  return { first: { status: distinct[0] }, all: { refused, statuses: distinct } };
}

/**
 * @param {unknown} score
 * @returns {number}
 */
export function scoreOf(score) {
  if (Number.isSafeInteger(score)) return Number(score) + 0;
  throw new TypeError(`a score must be an integer, not ${String(score)}`);
}

/**
 * @param {unknown} [notes] lines on how a score comes about
 * @returns {string[]}
 */
export function linesOf(notes = []) {
  if (Array.isArray(notes) && notes.every((line) => typeof line === 'string')) return notes;
  throw new TypeError('scoreNotes must return a list of strings');
}

/**
 * Lets a plugin change the scores of some nodes in place.
 * @param {{ name: string }[]} nodes
 * @param {number[]} given
 * @param {(scores: { name: string, score: number }[]) => PluginStatus} normalize
 */
export function normalized(nodes, given, normalize) {
  const scores = nodes.map(({ name }, index) => ({ name, score: given[index] }));
  const status = statusOf(normalize(scores));
  if (status) return { status };
  if (scores.length !== given.length)
    throw new TypeError('normalizeScore must change the scores in place, and keep all of them');
  return { scores: scores.map(({ score }) => scoreOf(score)) };
}
