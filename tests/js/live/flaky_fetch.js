/**
 * The way to an API server, worse than it is in reality: requests and answers are slow, out of
 * order, late, or lost; connections break at any byte, or fall silent; there are refusals of every
 * sort. Each request has its own draw, so that what happens to others does not change it.
 */
import { randomFor } from '../../sim/random.js';
import { connectionRefused, connectionReset, flakyBody, hang } from './flaky_body.js';
import { drawnFate, sortOf } from './request_fates.js';

/**
 * @import { Clock } from '../../../js/src/engine/types.js'
 * @import { Fetch } from '../../../js/src/client/api_client.js'
 * @import { RequestFate } from './request_fates.js'
 */

/** The probability of a fault: of all requests, or of those of one sort (`watch.cut`). */
/** @typedef {Record<string, number>} Odds */

/**
 * @typedef {object} FlakyFetchParts
 * @property {Fetch} serve the server
 * @property {Clock} clock
 * @property {number} seed
 * @property {Odds} [odds] default: nothing goes wrong
 * @property {string} [name] of the client, for the draws
 * @property {() => Promise<void> | undefined} [awake] answers arrive after it resolves
 */

export class FlakyFetch {
  #parts;
  /** @type {Odds} */
  odds;
  /** All requests are lost without an error; open ones never get an answer. */
  isCutOff = false;
  /** Requests to these addresses are lost without an error. @type {RegExp | undefined} */
  lost = undefined;
  /** How often each fault came. @type {Record<string, number>} */
  counts = {};
  /** How often a request of a sort and path was made. @type {Map<string, number>} */
  #asked = new Map();
  /** The last answer to each read, by its path. @type {Map<string, string>} */
  #lists = new Map();
  /** @type {Set<AbortController>} */
  #connections = new Set();
  /** Credentials are good until the server counts on. */
  #token = 0;
  #known = 0;

  /** @param {FlakyFetchParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.odds = parts.odds ?? {};
  }

  /** For `createApiClient`. */
  get options() {
    return { baseUrl: 'http://apiserver.test', fetch: this.fetch, headers: this.#headers };
  }

  /** @type {Fetch} */
  fetch = async (request) => {
    const body = await request.text();
    const connection = new AbortController();
    const { signal } = connection;
    const leave = () => connection.abort(request.signal.reason);
    request.signal.addEventListener('abort', leave, { once: true });
    if (request.signal.aborted) leave();
    this.#connections.add(connection);
    signal.addEventListener('abort', () => void this.#connections.delete(connection));
    return Promise.race([hang(signal), this.#heard(request, body, connection)]);
  };

  /** All connections break. */
  breakAll() {
    for (const connection of [...this.#connections])
      void Promise.resolve(this.#parts.awake?.()).then(() => connection.abort(connectionReset()));
  }

  /** From now on nothing goes wrong; what is silent stays so. */
  calm() {
    this.odds = {};
    this.isCutOff = false;
    this.lost = undefined;
  }

  #headers = (/** @type {{ refresh: boolean }} */ { refresh }) => {
    if (refresh) this.#known = this.#token;
    return { Authorization: `Bearer ${this.#known}` };
  };

  /**
   * @param {Request} request
   * @param {string} body
   * @param {AbortController} connection
   */
  async #heard(request, body, connection) {
    try {
      return await this.#exchange(request, body, connection);
    } finally {
      await this.#gate(connection.signal);
    }
  }

  /**
   * What is heard has to come through here.
   * @param {AbortSignal} signal
   */
  #gate(signal) {
    return this.isCutOff ? hang(signal) : this.#parts.awake?.();
  }

  /**
   * @param {Request} request
   * @param {string} body
   * @param {AbortController} connection
   * @returns {Promise<Response>}
   */
  async #exchange(request, body, connection) {
    const { clock } = this.#parts;
    const { random, fate } = this.#fateOf(request);
    await clock.sleep(clock.now() + (fate.beforeMs ?? 0));
    if (this.isCutOff || this.lost?.test(request.url)) return hang(connection.signal);
    if (fate.isRefused) throw connectionRefused();
    if (fate.lateMs) void this.#serveLate(fate.lateMs, request, body);
    if (fate.lost === 'request') return lose(fate, connection);
    const answer = await this.#answer(request, body, fate, connection);
    await clock.sleep(clock.now() + (fate.afterMs ?? 0));
    if (fate.lost === 'answer' || !answer.body) return lose(fate, connection);
    const { status, headers } = answer;
    const onBreach = (/** @type {{ isWithinLine: boolean }} */ { isWithinLine }) =>
      this.#count(isWithinLine ? 'breach within a line' : 'breach between lines');
    const sent = flakyBody(answer.body, {
      random,
      clock,
      connection,
      gate: () => this.#gate(connection.signal),
      pieces: 1 + random.below(4),
      delayMs: random.chance(this.#oddsOf('slow')) ? 2000 : 20,
      ...(fate.body && { ...fate.body, onBreach }),
    });
    return new Response(sent, { status, headers });
  }

  /**
   * @param {Request} request
   * @param {string} body
   * @param {RequestFate} fate
   * @param {AbortController} connection
   */
  async #answer(request, body, { hasExpiredToken, instead, isStale }, { signal }) {
    if (hasExpiredToken) this.#token += 1;
    if (request.headers.get('Authorization') !== `Bearer ${this.#token}`) return unauthorized();
    if (instead) return instead;
    const { pathname, searchParams: query } = new URL(request.url);
    const earlier = this.#lists.get(pathname);
    if (isStale && earlier !== undefined) return new Response(earlier);
    const answer = await this.#serve(request, body, signal);
    const isKept = answer.ok && sortOf({ method: request.method, query }) === 'read';
    if (isKept) this.#lists.set(pathname, await answer.clone().text());
    return answer;
  }

  /**
   * @param {number} lateMs
   * @param {Request} request
   * @param {string} body
   */
  async #serveLate(lateMs, request, body) {
    const { clock } = this.#parts;
    await clock.sleep(clock.now() + lateMs);
    const answer = await this.#serve(request, body).catch(() => undefined);
    await answer?.body?.cancel();
  }

  /**
   * @param {Request} request
   * @param {string} body
   * @param {AbortSignal} [signal]
   */
  #serve({ url, method, headers }, body, signal) {
    const sent = body === '' ? undefined : body;
    return this.#parts.serve(new Request(url, { method, headers, body: sent, signal }));
  }

  /** @param {Request} request */
  #fateOf({ method, url }) {
    const { searchParams: query, pathname } = new URL(url);
    const { seed, name: who = '' } = this.#parts;
    const what = `${method} ${pathname} ${sortOf({ method, query })}`;
    const nth = (this.#asked.get(what) ?? 0) + 1;
    this.#asked.set(what, nth);
    const random = randomFor(seed, who, what, nth);
    const odds = (/** @type {string} */ fault) =>
      this.#oddsOf(`${sortOf({ method, query })}.${fault}`) + this.#oddsOf(fault);
    const { name, fate } = drawnFate({ method, query }, random, odds);
    this.#count(name);
    return { random, fate };
  }

  /** @param {string} name */
  #oddsOf(name) {
    return this.odds[name] ?? 0;
  }

  /** @param {string} name */
  #count(name) {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

/**
 * @param {RequestFate} fate
 * @param {AbortController} connection
 */
function lose({ isSilent }, { signal }) {
  if (isSilent) return hang(signal);
  throw connectionReset();
}

function unauthorized() {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Unauthorized' };
  return Response.json({ ...status, code: 401 }, { status: 401 });
}
