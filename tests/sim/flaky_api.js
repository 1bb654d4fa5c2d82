/**
 * The connection to the API server, worse than in reality: requests and answers are slow, late or
 * lost, answers come twice, writes are refused, and some writes happen without an answer, or long
 * after the caller gave up.
 */
import { completionOf, success, writeOf } from '../support/api_calls.js';
import { answerClaim, claimWriteOf } from './claim_writes.js';
import { answerGroup, groupWriteOf } from './gang_changes.js';
import { refused } from './world.js';

/** @typedef {import('../support/api_calls.js').ApiCall & {timeoutMs: number}} ApiCall */
/** @typedef {import('./world.js').World} World */

/**
 * The fate of a call, in microseconds after it is made. Without `answerUs` there is no answer,
 * without `writeUs` no write; `instead` replaces the server's answer.
 *
 * @typedef {object} Fate
 * @property {number} [writeUs]
 * @property {number} [answerUs]
 * @property {object} [instead]
 * @property {boolean} [isTwice]
 */

/**
 * @typedef {object} Circumstances
 * @property {World} world
 * @property {(...parts: (string | number)[]) => import('./random.js').Random} draw
 * @property {(fault: string) => number} odds
 * @property {(delayUs: number, act: () => void) => void} later
 * @property {(completion: object) => void} answer
 */

const MILLISECOND_US = 1000;
const SECOND_US = 1_000_000;
const REFUSALS = [
  refused(409, 'Conflict', 'Operation cannot be fulfilled: the object has been modified'),
  refused(500, 'InternalError', 'Internal error occurred: etcdserver: request timed out'),
  refused(503, 'ServiceUnavailable', 'the server is currently unable to handle the request'),
  refused(429, 'TooManyRequests', 'the server has received too many requests'),
];
const RETURNING = new Set(['get', 'create', 'update']);
const NOT_FOUND = refused(404, 'NotFound', 'the server could not find the requested resource');
const BROKEN = [
  { error: 'timeout', message: 'context deadline exceeded' },
  { error: 'network', message: 'read: connection reset by peer' },
  { error: 'aborted', message: 'http2: client connection lost' },
  completionPart(refused(504, 'Timeout', 'request did not complete within the allotted timeout')),
  completionPart(refused(500, 'InternalError', 'Internal error occurred: leader changed')),
];

/** @param {import('../support/api_calls.js').ApiAnswer} answer */
function completionPart({ status, body = {} }) {
  return { status, body: JSON.stringify(body) };
}

/** By the name of the fault. @type {Record<string, (random: any, call: ApiCall) => Fate>} */
const FATES = {
  slow: (random) => {
    const writeUs = random.below(2000) * MILLISECOND_US;
    return { writeUs, answerUs: writeUs + random.below(4000) * MILLISECOND_US };
  },
  late: (random, { timeoutMs }) => ({
    writeUs: random.below(50) * MILLISECOND_US,
    answerUs: (timeoutMs + 1 + random.below(20_000)) * MILLISECOND_US,
  }),
  lateWrite: (random, { timeoutMs }) => {
    const writeUs = (timeoutMs + 1 + random.below(15_000)) * MILLISECOND_US;
    return { writeUs, ...(random.chance(0.5) && { answerUs: writeUs + SECOND_US }) };
  },
  lost: () => ({}),
  lostAnswer: (random) => ({ writeUs: random.below(50) * MILLISECOND_US }),
  refused: (random, { verb, path }) => {
    const mayMiss = verb === 'bind' || path.includes('/events');
    const answer = mayMiss && random.chance(0.2) ? NOT_FOUND : random.pick(REFUSALS);
    return { answerUs: random.below(50) * MILLISECOND_US, instead: completionPart(answer) };
  },
  unreached: (random) => ({ answerUs: random.below(3) * SECOND_US, instead: BROKEN[1] }),
  brokenAnswer: (random) => ({
    writeUs: random.below(20) * MILLISECOND_US,
    answerUs: random.below(3000) * MILLISECOND_US,
    instead: random.pick(BROKEN),
  }),
  twice: (random) => ({ ...fine(random), isTwice: true }),
  // The answer to a write of a volume or a claim contains what was written.
  didNothing: (random, call) =>
    RETURNING.has(call.verb)
      ? fine(random)
      : { answerUs: random.below(50) * MILLISECOND_US, instead: completionPart(success(call)) },
};

/** The names of the faults of calls. */
export const CALL_FAULTS = Object.keys(FATES);

/** @param {World} world @param {ApiCall} call */
function answerTo(world, call) {
  const claim = claimWriteOf(call);
  if (claim) return answerClaim(world, claim);
  const write = writeOf(call);
  const group = groupWriteOf(call);
  return group ? answerGroup(world, group, write.body) : world.write(write);
}

/** @param {import('./random.js').Random} random @returns {Fate} */
function fine(random) {
  const writeUs = random.below(20) * MILLISECOND_US;
  return { writeUs, answerUs: writeUs + random.below(30) * MILLISECOND_US };
}

export class FlakyApi {
  #circumstances;
  /** How often each call has been made. @type {Map<string, number>} */
  #asked = new Map();

  /** @param {Circumstances} circumstances */
  constructor(circumstances) {
    this.#circumstances = circumstances;
  }

  /** @param {ApiCall} call */
  receive(call) {
    const { world, later, answer: send } = this.#circumstances;
    const { writeUs, answerUs, instead, isTwice } = this.#fateOf(call);
    /** @type {object | undefined} */
    let said = instead;
    if (writeUs !== undefined) {
      later(writeUs, () => {
        said ??= completionPart(answerTo(world, call));
      });
    }
    if (answerUs === undefined) return;
    later(Math.max(answerUs, writeUs ?? 0), () => {
      const completion = { ...completionOf(call, { status: 0 }), status: undefined, ...said };
      if (said && 'error' in said) completion.body = /** @type {any} */ (undefined);
      send(completion);
      if (isTwice) send(completion);
    });
  }

  /** @param {ApiCall} call @returns {Fate} */
  #fateOf(call) {
    const { draw, odds } = this.#circumstances;
    // The name of an event contains the time.
    const what = `${call.verb} ${call.path.replace(/\/events\/.*/, '')}`;
    const nth = (this.#asked.get(what) ?? 0) + 1;
    this.#asked.set(what, nth);
    const random = draw('call', what, nth);
    const fault = CALL_FAULTS.find((name) => random.chance(odds(name)));
    return fault ? FATES[fault](random, call) : fine(random);
  }
}
