/**
 * The embedded API server for candidates of one Lease, with answers that are late, and requests
 * that are lost before or after the server has done its work.
 */
import { createApiClient } from '../../../js/src/informer.js';
import { DisturbedApiServer } from '../support/disturbed_apiserver.js';

const KEY = /** @type {const} */ (['kube-system', 'kube-scheduler']);

/** Names the candidate that makes a request. */
const WHO = 'x-candidate';

/** @typedef {{ who: string, method: string, path: string, body?: any }} Asked */

export class LeaseServer {
  #clock;
  #server;
  /** The requests, in order. @type {Asked[]} */
  asked = [];
  /** The Lease after each write, with its time. @type {{ time: number, lease: any }[]} */
  written = [];
  /**
   * Decides about a request: milliseconds until the server gets it, and until it answers; or that
   * it is lost before or after that.
   * @type {(asked: Asked) => { before?: number, after?: number, lost?: 'before' | 'after' }}
   */
  faults = () => ({});

  /** @param {import('../support/manual_clock.js').ManualClock} clock */
  constructor(clock) {
    this.#clock = clock;
    this.#server = new DisturbedApiServer({ clock, random: () => 0.5 });
    this.#server.disturb = ({ method, path, query, body, headers }, serve, signal) => {
      const who = headers.get(WHO) ?? '';
      const asked = { who, method, path: `${path}?${query}`, ...(body && { body }) };
      this.asked.push(asked);
      return inTime(this.#answer(asked, serve), signal);
    };
    this.#server.store.subscribe('leases', ({ type, object }) => {
      if (type !== 'DELETED') this.written.push({ time: clock.now(), lease: object });
    });
  }

  /** @returns {any} */
  get lease() {
    return this.#server.store.get('leases', ...KEY);
  }

  /** The client of one candidate. @param {string} who */
  client(who) {
    const server = this.#server;
    return createApiClient({
      baseUrl: 'http://apiserver.test',
      clock: this.#clock,
      fetch: server.fetch,
      headers: () => ({ [WHO]: who }),
    });
  }

  /** Changes the Lease, as another client does. @param {object} spec */
  edit(spec) {
    this.#server.put({ ...this.lease, spec: { ...this.lease.spec, ...spec } });
  }

  delete() {
    this.#server.store.delete('leases', ...KEY);
  }

  /** @param {Asked} asked @param {() => Promise<Response>} serve */
  async #answer(asked, serve) {
    const { before = 0, after = 0, lost } = this.faults(asked);
    const sleep = (/** @type {number} */ ms) =>
      ms > 0 ? this.#clock.sleep(this.#clock.now() + ms) : undefined;
    await sleep(before);
    if (lost === 'before') throw new TypeError('fetch failed');
    const response = await serve();
    await sleep(after);
    if (lost === 'after') throw new TypeError('socket hang up');
    return response;
  }
}

/**
 * @param {Promise<Response>} answer
 * @param {AbortSignal} signal
 * @returns {Promise<Response>}
 */
function inTime(answer, signal) {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    answer.then(resolve, reject);
  });
}
