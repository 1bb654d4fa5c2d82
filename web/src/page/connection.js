/**
 * The connection to the worker: it notices when the worker stops answering, and can start another
 * one.
 */
import { signal } from '@preact/signals';

/**
 * @import { Remote } from './connect.js'
 * @import { RemotePlayground } from './session.js'
 */

/** Methods that change the open world. */
const CHANGES = [
  'next',
  'goOn',
  'do',
  'steps',
  'make',
  'goTo',
  'returnTo',
  'usePlugins',
  'reconfigure',
  'openFiles',
  'applyText',
  'recreate',
];

/** Methods that open something else. */
const OPENS = ['open', 'openFiles', 'follow', 'unfollow'];

/**
 * Methods after which the page follows a live cluster, or no longer does.
 * @type {Record<string, boolean>}
 */
const FOLLOWS = { follow: true, unfollow: false, open: false };

/** A worker that has not answered for so long is stuck: milliseconds. */
const PATIENCE = 5000;

/**
 * Asks the user whether to run these texts. With a `reasonAgainst` it does not ask, because the
 * texts are left out for that reason.
 * @typedef {(sources: string[], reasonAgainst: string) => Promise<boolean>} Ask
 */

/** A request to the worker. @typedef {{ name: string, args: any[] }} Question */

export class Connection {
  #start;
  #patience;
  /** @type {Remote | undefined} */
  #remote;
  /** The reject functions of open requests. @type {Set<(reason: object) => void>} */
  #waiting = new Set();
  #isWatched = false;
  /** The request that opened the world, and all requests that changed it. @type {Question[]} */
  #done = [];
  #hasPlugins = false;
  /** Whether changes go to a live cluster, where they cannot be repeated. */
  #isLive = false;

  /** JavaScript that waits for the user's decision. */
  unagreed = signal(
    /** @type {{ sources: string[], decide: (isAgreed: boolean) => void } | null} */ (null),
  );
  /** Why JavaScript was left out; empty if it was not. */
  leftOutFor = signal('');
  /** Whether a plugin keeps the worker from answering. */
  isStuck = signal(false);

  /** The playground, in whichever worker it runs. @type {RemotePlayground} */
  playground = /** @type {any} */ (
    new Proxy(
      {},
      {
        get: (_, name) =>
          // `await` would otherwise take the proxy for a promise.
          name === 'then' ? undefined : (/** @type {any[]} */ ...args) => this.#ask(name, args),
      },
    )
  );

  /**
   * @param {(ask: Ask) => Promise<Remote>} start
   * @param {{ patience?: number }} [options] milliseconds
   * @returns {Promise<Connection>}
   */
  static async open(start, options) {
    const connection = new Connection(start, options);
    connection.#remote = await start(connection.#decision);
    return connection;
  }

  /**
   * Use `open`.
   * @param {(ask: Ask) => Promise<Remote>} start
   * @param {{ patience?: number }} [options]
   */
  constructor(start, { patience = PATIENCE } = {}) {
    this.#start = start;
    this.#patience = patience;
  }

  /**
   * Replaces the worker with a new one. Open requests fail.
   * @returns {Promise<Question[]>} the requests to repeat: those up to the first that brought
   *   JavaScript, beginning with `open` or `openFiles`
   */
  async restart() {
    const done = this.#done;
    this.#remote?.end();
    this.#remote = undefined;
    for (const giveUp of this.#waiting) giveUp(ENDED);
    this.#waiting.clear();
    this.#done = [];
    this.#remote = await this.#start(this.#decision);
    this.isStuck.value = false;
    const first = done.findIndex(bringsPlugins);
    return first < 0 ? done : done.slice(0, first);
  }

  /**
   * @param {string | symbol} name
   * @param {any[]} args
   */
  #ask(name, args) {
    const remote = this.#remote;
    if (!remote) return Promise.reject(ENDED);
    if (OPENS.includes(String(name))) this.leftOutFor.value = '';
    const question = { name: String(name), args };
    const isChange = CHANGES.includes(question.name) && !this.#isLive;
    const before = this.#done;
    if (name === 'open') this.#done = [question];
    else if (isChange) this.#done = [...before, question];
    this.#hasPlugins ||= bringsPlugins(question);
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      remote.playground[name](...args)
        .finally(() => this.#waiting.delete(reject))
        .then((/** @type {any} */ answer) => {
          if (name in FOLLOWS) this.#isLive = FOLLOWS[question.name];
          // Files that are no configuration were opened.
          if (answer?.opened) {
            this.#isLive = false;
            this.#done = [question];
          }
          const { plugins } = (answer?.opened ?? answer)?.update ?? answer ?? {};
          if (Array.isArray(plugins)) this.#hasPlugins = plugins.length > 0;
          resolve(answer);
        })
        .catch((/** @type {unknown} */ error) => {
          this.#done = before;
          reject(error);
        });
      void this.#watch(remote);
    });
  }

  /**
   * Long work has pauses in which a worker answers, so a worker without an answer is stuck.
   * @param {Remote} remote
   */
  async #watch(remote) {
    if (this.#isWatched) return;
    this.#isWatched = true;
    while (this.#waiting.size > 0 && this.#remote === remote) {
      const isAlive = await Promise.race([remote.playground.ping().then(() => true), this.#wait()]);
      this.isStuck.value = !isAlive && this.#hasPlugins && this.#remote === remote;
      if (isAlive) await this.#wait();
    }
    this.#isWatched = false;
  }

  /** @type {Ask} */
  #decision = (sources, reasonAgainst) => {
    this.leftOutFor.value = reasonAgainst;
    if (reasonAgainst !== '') return Promise.resolve(false);
    return new Promise((resolve) => {
      const decide = (/** @type {boolean} */ isAgreed) => {
        this.unagreed.value = null;
        resolve(isAgreed);
      };
      this.unagreed.value = { sources, decide };
    });
  };

  /** @returns {Promise<false>} */
  #wait() {
    return new Promise((resolve) => setTimeout(() => resolve(false), this.#patience));
  }
}

const ENDED = Object.freeze({
  name: 'WorkerEnded',
  message: 'A plugin did not answer. It was removed.',
});

/**
 * Whether a request brings JavaScript of the user.
 * @param {Question} question
 */
function bringsPlugins({ name, args: [first] }) {
  return name === 'usePlugins' || [first].flat().some((action) => action?.scheduler?.plugins);
}
