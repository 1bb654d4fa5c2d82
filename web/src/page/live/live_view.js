/** The page's state of a live cluster, and how following one begins and ends. */
import { batch, signal } from '@preact/signals';
import { proxy } from 'comlink';

import { isFramed } from '../framed.js';

/**
 * @import { LiveOptions, News } from '../../live/live_cluster.js'
 * @import { LiveRow } from '../../live/live_rows.js'
 * @import { LiveStatus } from '../../live/live_status.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 */

/** The most rows that the page keeps. */
const MOST_ROWS = 3000;

/** The key in the hash of the page's address that names the followed cluster. */
const HASH = '#cluster=';

/**
 * A page that frames this one could trick the user into a click that changes the cluster.
 * @type {PlainError}
 */
const IN_A_FRAME = {
  name: 'FramedError',
  message: 'a playground in a frame of another page follows no cluster: open it in its own page',
};

export class LiveView {
  /** As the server reports it, such as `v1.36.2`. */
  version = '';
  allowsChanges = false;
  status = signal(/** @type {LiveStatus | null} */ (null));
  /** Sorted by time. */
  rows = signal(/** @type {LiveRow[]} */ ([]));

  /**
   * @param {string} url
   * @param {string} hash of the page's address before
   */
  constructor(url, hash = '') {
    this.url = url;
    this.hashBefore = hash;
  }

  /** @param {News} news */
  take({ rows, status }) {
    this.status.value = status;
    if (rows.length === 0) return;
    // An Event may arrive later than the change that it reports.
    const all = [...this.rows.value, ...rows].sort((a, b) => (a.at < b.at ? -1 : 1));
    this.rows.value = all.slice(-MOST_ROWS);
  }
}

/**
 * Follows a cluster. The open scenario waits.
 * @param {Session} session
 * @param {LiveOptions} options
 * @returns {Promise<PlainError | undefined>} the error; then nothing has changed
 */
export async function connectCluster(session, options) {
  if (isFramed()) return IN_A_FRAME;
  const { baseUrl } = options;
  const live = new LiveView(baseUrl, location.hash);
  const onNews = proxy((/** @type {News} */ news) =>
    session.ask(async () => {
      if (session.live.value !== live) return;
      live.take(news);
      await session.show(news.update);
    }),
  );
  /** @type {PlainError | undefined} */
  let fault;
  void session.playback.pause();
  await session.ask(async (playground) => {
    try {
      Object.assign(live, await playground.follow(options, onNews));
    } catch (error) {
      fault = /** @type {PlainError} */ (error);
      return;
    }
    batch(() => {
      session.live.value = live;
      session.panel.value = 'story';
      forget(session);
    });
  });
  if (!fault) history.replaceState(null, '', hashOf(baseUrl));
  return fault;
}

/**
 * Returns to the scenario that was open before.
 * @param {Session} session
 */
export async function disconnectCluster(session) {
  const { hashBefore = '' } = session.live.value ?? {};
  await session.ask(async (playground) => {
    const update = await playground.unfollow();
    session.live.value = null;
    forget(session);
    await session.show(update);
  });
  const isOfScenario = hashBefore !== '' && !hashBefore.startsWith(HASH);
  const hash = isOfScenario ? hashBefore : `#lesson=${session.source.value}`;
  history.replaceState(null, '', hash);
}

/**
 * The cluster that the page's address names, or that the page's own server serves.
 * @param {{ hash: string, origin: string }} location
 * @param {boolean} isOfCluster whether that server reports a cluster of `stowage up`
 * @returns {LiveOptions | undefined}
 */
export function clusterAt({ hash, origin }, isOfCluster) {
  const isNamed = hash.startsWith(HASH);
  if (!isNamed && !(isOfCluster && hash === '')) return undefined;
  const baseUrl = decoded(hash.slice(HASH.length)) || origin;
  return { baseUrl, allowsChanges: baseUrl === origin ? 'sandbox' : false };
}

/**
 * Text that cannot be decoded is returned as it is, and fails as an address.
 * @param {string} text
 */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} baseUrl */
function hashOf(baseUrl) {
  return `${HASH}${baseUrl}`;
}

/** Clears the selection, which belongs to another cluster. @param {Session} session */
function forget(session) {
  session.selectedPod.value = null;
  session.isFollowing.value = true;
  session.selectedNode.value = null;
  session.evaluation.value = null;
  session.fault.value = null;
}
