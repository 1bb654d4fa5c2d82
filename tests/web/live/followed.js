/** A live cluster that a test follows: the embedded API server, through its `fetch`. */
import { createApiServer } from '../../../js/apiserver/index.js';
import { loadEngine } from '../../../js/src/index.js';
import { LiveCluster } from '../../../web/src/live/live_cluster.js';
import { emptyCluster, withChanges } from '../../../web/src/page/cluster/cluster_state.js';
import { ARTIFACTS } from '../../support/targets.js';

/**
 * @import { LiveOptions, News } from '../../../web/src/live/live_cluster.js'
 * @import { LiveRow } from '../../../web/src/live/live_rows.js'
 */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** The longest wait for any condition: milliseconds. */
const PATIENCE = 30_000;

/** All updates that a page has received. */
export class ExpectedCache {
  cluster = emptyCluster();
  /** @type {LiveRow[]} */
  rows = [];
  /** @type {News['status'] | undefined} */
  status = undefined;
  /** @type {(() => void) | undefined} */
  #look;

  /** @param {News} news */
  take({ update, rows, status }) {
    this.cluster = withChanges(this.cluster, update.cluster);
    this.rows.push(...rows);
    this.status = status;
    this.#look?.();
  }

  /**
   * @param {(told: ExpectedCache) => unknown} isTrue
   * @returns {Promise<void>}
   */
  until(isTrue) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`waited for: ${isTrue}`)), PATIENCE);
      this.#look = () => {
        if (!isTrue(this)) return;
        clearTimeout(timer);
        this.#look = undefined;
        resolve();
      };
      this.#look();
    });
  }

  /** The texts of the rows, each after the name of its object. */
  get texts() {
    return this.rows.map(({ kind, pod, node, text }) => `${kind} ${pod ?? node}: ${text}`);
  }
}

/** @param {import('node:test').TestContext} t @param {object[]} objects */
export function serverOf(t, objects = []) {
  const server = createApiServer({ objects });
  t.after(() => server.dispose());
  return server;
}

/**
 * @param {import('node:test').TestContext} t
 * @param {(request: Request) => Promise<Response>} fetch
 * @param {Partial<LiveOptions>} [options]
 */
export async function follow(t, fetch, options) {
  const told = new ExpectedCache();
  const live = await LiveCluster.connect({
    engine,
    options: { baseUrl: 'http://cluster', ...options },
    onNews: (news) => told.take(news),
    fetch,
  });
  t.after(() => live.dispose());
  return { live, told };
}
