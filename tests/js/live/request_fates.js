/** What becomes of requests on the way to an API server and back, and of their answers. */

/** @import { Random } from '../../sim/random.js' */
/** @import { Breach } from './flaky_body.js' */

/**
 * Milliseconds are those on the way there and back, or between a server and its late answer.
 * @typedef {object} RequestFate
 * @property {number} [beforeMs]
 * @property {number} [afterMs]
 * @property {boolean} [isRefused] no process listens
 * @property {'request' | 'answer'} [lost]
 * @property {boolean} [isSilent] the loss is not reported as an error
 * @property {number} [lateMs] it arrives, so much later than its sender was told it had not
 * @property {boolean} [hasExpiredToken] the credentials are no good any more
 * @property {Response} [instead] of the server's answer
 * @property {boolean} [isStale] an answer that was given before comes again, if there is one
 * @property {{ chunks?: number, breach?: Breach, last?: Uint8Array }} [body] how it breaks off
 */

/** @typedef {{ method: string, query: URLSearchParams }} Asked */

const SECOND = 1000;

const EXPIRED = { code: 410, reason: 'Expired', message: 'too old resource version: 1 (2)' };
const GONE = { code: 410, reason: 'Gone', message: 'The resourceVersion is too old.' };
const TOO_LARGE = {
  code: 504,
  reason: 'Timeout',
  message: 'Too large resource version: 9, current: 8',
  details: {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  },
};

/** @param {object} fields */
function statusOf(fields) {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...fields };
}

/** @param {{ code: number }} status @param {Record<string, string>} [headers] */
function refusal(status, headers) {
  return Response.json(statusOf(status), { status: status.code, headers });
}

/** @param {object} status */
function errorEvent(status) {
  const event = { type: 'ERROR', object: statusOf(status) };
  return new TextEncoder().encode(`${JSON.stringify(event)}\n`);
}

/** @type {((random: Random) => RequestFate)[]} */
const GOING_WRONG = [
  () => ({
    instead: refusal({ code: 500, reason: 'InternalError', message: 'etcdserver: leader changed' }),
  }),
  (random) => ({
    instead: refusal(
      { code: 503, reason: 'ServiceUnavailable', message: 'apiserver is shutting down' },
      { 'Retry-After': String(random.below(4)) },
    ),
  }),
  () => ({ instead: new Response('<html>Bad Gateway</html>', { status: 502 }) }),
  () => ({ instead: new Response('', { status: 500 }) }),
  () => ({ instead: new Response('{"kind":"Status","status":"Fai', { status: 504 }) }),
];

/** A 410 in all its forms. @type {((random: Random, asked: Asked) => RequestFate)[]} */
const GOING = [
  () => ({ instead: refusal(EXPIRED) }),
  () => ({ instead: refusal(GONE) }),
  () => ({ instead: new Response('gone', { status: 410 }) }),
  (_random, asked) =>
    isWatch(asked) ? { instead: new Response(errorEvent(EXPIRED)) } : { instead: refusal(GONE) },
  (random, asked) =>
    isWatch(asked)
      ? { body: { chunks: random.below(3), last: errorEvent(random.pick([EXPIRED, GONE])) } }
      : { instead: refusal(EXPIRED) },
];

const SUCCESS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
const METADATA = { resourceVersion: '7' };

/** What proxies, and servers that mistake the request, answer with 200. */
const FOREIGN = [
  '<!DOCTYPE html>\n<html><body>Sign in</body></html>\n',
  'null\n',
  '',
  '{}\n',
  '[]\n',
  JSON.stringify(SUCCESS),
  JSON.stringify({ kind: 'EventList', apiVersion: 'v1', metadata: METADATA, items: [] }),
  JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: METADATA }),
  JSON.stringify({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: METADATA, rows: [] }),
  JSON.stringify({ kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a', ...METADATA } }),
];

/** @param {Asked} asked */
function isWatch({ query }) {
  return query.get('watch') === 'true';
}

/**
 * By the name of the fault.
 * @type {Record<string, (random: Random, asked: Asked) => RequestFate>}
 */
const FATES = {
  slow: (random) => ({ beforeMs: random.below(2 * SECOND), afterMs: random.below(4 * SECOND) }),
  refused: (random) => ({ beforeMs: random.below(50), isRefused: true }),
  lostRequest: (random) => ({ ...fine(random), lost: 'request', isSilent: random.chance(0.3) }),
  lostAnswer: (random) => ({ ...fine(random), lost: 'answer', isSilent: random.chance(0.3) }),
  lateRequest: (random) => ({
    ...fine(random),
    lost: 'request',
    lateMs: random.below(60 * SECOND),
  }),
  tooMany: (random) => {
    const status = { code: 429, reason: 'TooManyRequests', message: 'try again later' };
    const seconds = String(random.below(4));
    return { instead: refusal(status, random.chance(0.8) ? { 'Retry-After': seconds } : {}) };
  },
  wrong: (random) => random.pick(GOING_WRONG)(random),
  expiredToken: () => ({ hasExpiredToken: true }),
  brokenBody: (random) => ({
    body: { chunks: 0, breach: random.pick(['reset', 'close', 'silence']) },
  }),
  cut: (random) => ({
    ...fine(random),
    body: {
      chunks: random.pick([0, 1, 1, 1, 2, 3, 5]),
      breach: random.weighted({ reset: 10, close: 10, silence: 0.5 }),
    },
  }),
  closedAtOnce: () => ({ instead: new Response('') }),
  gone: (random, asked) => random.pick(GOING)(random, asked),
  tooLarge: () => ({ instead: refusal(TOO_LARGE, { 'Retry-After': '1' }) }),
  foreign: (random) => ({ ...fine(random), instead: new Response(random.pick(FOREIGN)) }),
  stale: (random) => ({ ...fine(random), isStale: true }),
  didNothing: (random) => ({ ...fine(random), instead: Response.json(SUCCESS, { status: 201 }) }),
  forbidden: () => ({
    instead: refusal({ code: 403, reason: 'Forbidden', message: 'no rights' }),
  }),
  noStream: (random, { query }) =>
    query.has('sendInitialEvents')
      ? { instead: refusal({ code: 422, reason: 'Invalid', message: 'sendInitialEvents' }) }
      : fine(random),
};

/** @param {Random} random @returns {RequestFate} */
function fine(random) {
  return { beforeMs: random.below(20), afterMs: random.below(30) };
}

/** What can go wrong with a kind of request, by names. */
const ANY = ['slow', 'refused', 'lostRequest', 'lostAnswer', 'tooMany', 'wrong', 'expiredToken'];
const FAULTS = {
  watch: [...ANY, 'cut', 'closedAtOnce', 'gone', 'tooLarge', 'forbidden', 'noStream', 'foreign'],
  read: [...ANY, 'brokenBody', 'gone', 'tooLarge', 'forbidden', 'foreign', 'stale'],
  write: [...ANY, 'lateRequest', 'brokenBody', 'didNothing'],
};

/**
 * @param {Asked} asked
 * @returns {keyof typeof FAULTS}
 */
export function sortOf(asked) {
  if (asked.method !== 'GET') return 'write';
  return isWatch(asked) ? 'watch' : 'read';
}

/**
 * @param {Asked} asked
 * @param {Random} random
 * @param {(fault: string) => number} odds
 * @returns {{ name: string, fate: RequestFate }}
 */
export function drawnFate(asked, random, odds) {
  const name = FAULTS[sortOf(asked)].find((fault) => random.chance(odds(fault)));
  return name ? { name, fate: FATES[name](random, asked) } : { name: 'fine', fate: fine(random) };
}
