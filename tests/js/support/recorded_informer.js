/** An informer of one kind that meets a recording, over HTTP, as it is sent in some manner. */
import { isDeepStrictEqual } from 'node:util';
import { virtualClock } from '../../../js/src/index.js';
import { createApiClient, createInformers } from '../../../js/src/informer.js';
import { resourceText } from '../../../js/src/kubernetes/watched_kinds.js';
import { createHttpFetch } from '../../../js/src/runtimes/node/http_fetch.js';
import { serveRecorded } from './recorded_apiserver.js';
import { RecordingSink } from './recording_sink.js';
import { eventually, settle, steppedClock } from './stepped_clock.js';

/** How long anything takes here at most, in milliseconds of the host. */
const PATIENCE = 60_000;

/**
 * @import { Manner } from './recorded_apiserver.js'
 * @import { Scenario } from './recorded_scenarios.js'
 */

/** By which the client asks: as in a browser, and as `stowage run`. */
export const FETCHES = {
  host: () => ({ fetch: globalThis.fetch, close: async () => {} }),
  node: () => createHttpFetch(),
};

/** @param {any} object */
const keyOf = ({ metadata: { namespace, name } }) => (namespace ? `${namespace}/${name}` : name);

/** @param {any[]} objects @returns {Record<string, string>} versions by name */
function versionsOf(objects) {
  return Object.fromEntries(
    objects.map((object) => [keyOf(object), object.metadata.resourceVersion]).sort(),
  );
}

export class RecordedInformer {
  sink = new RecordingSink();
  clock = steppedClock(0);
  /** The codes of what went wrong. @type {string[]} */
  errors = [];
  #scenario;
  #stop = new AbortController();
  #ends = /** @type {(() => unknown)[]} */ ([]);
  /** One at a time moves the clock. */
  #moved = Promise.resolve();
  #resolve = () => {};
  #isChecking = false;

  /** @param {Scenario} scenario */
  constructor(scenario) {
    this.#scenario = scenario;
  }

  /**
   * Plays the scenario until its end is reached, and ends the informer.
   * @param {(informer: RecordedInformer) => Manner} mannerOf
   * @param {keyof typeof FETCHES} [fetchName]
   * @returns {Promise<RecordedInformer>} this
   */
  async play(mannerOf, fetchName = 'node') {
    const { kind, serve } = this.#scenario;
    const server = await serveRecorded(serve(mannerOf(this)));
    const { fetch, close } = FETCHES[fetchName]();
    this.#ends.push(close, () => server.close());
    this.informers = createInformers({
      client: createApiClient({ baseUrl: server.url, fetch, clock: virtualClock(0) }),
      sink: { apply: (lines, options) => this.#apply(lines, options) },
      kinds: [kind],
      clock: this.clock,
      random: () => 0,
      signal: this.#stop.signal,
      // Backoffs end at once.
      onStatus: ({ state }) => {
        if (state === 'backoff') setImmediate(() => void this.#wake());
        this.#check();
      },
      onError: (/** @type {any} */ error) => this.errors.push(error.code),
    });
    const run = this.informers.run();
    let timer;
    try {
      await new Promise((resolve, reject) => {
        this.#resolve = () => resolve(undefined);
        const late = () => reject(new Error(`${PATIENCE} ms were not enough`));
        timer = setTimeout(late, PATIENCE);
      });
    } finally {
      clearTimeout(timer);
      this.#stop.abort();
      await run;
      for (const end of this.#ends) await end();
    }
    return this;
  }

  /** Until the clock shows that. @param {number} time */
  reach(time) {
    return this.#move(() => this.clock.advance(Math.max(0, time - this.clock.now())));
  }

  /** Waits until all that was sent has come. @param {string} resourceVersion of the last */
  arrived(resourceVersion) {
    return eventually(() => this.status.resourceVersion === resourceVersion);
  }

  get status() {
    const [status] = /** @type {any} */ (this.informers).status();
    return status;
  }

  /** Names and versions of what is known. */
  get known() {
    return this.sink.versions(resourceText(this.#scenario.kind));
  }

  /** The lines of events, as they came. */
  get events() {
    return this.sink.lines.filter((line) => !/^{"(type":"SYNC_|kind)/.test(line));
  }

  /** @param {Uint8Array} lines @param {any} options */
  #apply(lines, options) {
    this.#check();
    return this.sink.apply(lines, options);
  }

  /** Whether the end is reached, when all that goes on by itself has gone on. */
  #check() {
    if (this.#isChecking) return;
    this.#isChecking = true;
    setImmediate(() => {
      this.#isChecking = false;
      if (this.#isOver()) this.#resolve();
    });
  }

  #wake() {
    return this.#move(async () => {
      if (this.status.state === 'backoff') await this.clock.advanceToNext();
    });
  }

  /** @param {() => Promise<void>} move */
  #move(move) {
    this.#moved = this.#moved.then(move).then(settle);
    return this.#moved;
  }

  #isOver() {
    const { end, items } = this.#scenario;
    const { status } = this;
    const isThere = Object.entries(end).every(([name, value]) => status[name] === value);
    return isThere && isDeepStrictEqual(this.known, versionsOf(items));
  }
}
