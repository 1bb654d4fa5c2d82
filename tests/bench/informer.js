/** Watch bytes of a busy cluster, through informers into the engine. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { createApiClient, createInformers } from '../../js/src/informer.js';
import { createHttpFetch } from '../../js/src/node.js';
import { median, ratioOf, repeatAsync } from './measure.js';
import { prepareWatches, serveWatches } from './watch_source.js';

/**
 * @import { Engine, Scheduler } from '../../js/src/index.js'
 * @import { ApiClientOptions } from '../../js/src/informer.js'
 */

/** @typedef {ReturnType<typeof prepareWatches>} Watches */

/**
 * The source of the watches: the engine gets their bytes directly; a `fetch` in this process; a
 * server in another process, over HTTP on 127.0.0.1.
 */
export const SOURCES = /** @type {const} */ (['core', 'fetch', 'http']);

const SERVER = fileURLToPath(new URL('watch_server.js', import.meta.url));
const KINDS = ['nodes', 'pods'].map((resource) => ({ version: 'v1', resource, optional: false }));
const LINE_FEED = 10;

/**
 * @param {Engine} engine
 * @param {{ source: typeof SOURCES[number], events: number, runs: number }} load
 */
export async function measureInformer(engine, { source, events, runs }) {
  const watches = prepareWatches(events);
  const { calibration, results } = await repeatAsync(runs, async () => {
    const scheduler = engine.createScheduler({ api: 'host', keepObjects: false });
    try {
      return source === 'core'
        ? applyAll(scheduler, watches)
        : await follow(scheduler, watches, source);
    } finally {
      scheduler.dispose();
    }
  });
  const seconds = median(results);
  return {
    perSecond: events / seconds,
    ratio: ratioOf(events / seconds, calibration),
    megabytesPerSecond: watches.bytes / 1e6 / seconds,
    eventBytes: Math.round(watches.bytes / events),
    calibrationMs: calibration * 1000,
  };
}

/** @param {Scheduler} scheduler @param {Watches} watches @returns {number} seconds */
function applyAll(scheduler, { nodes, pods }) {
  const apply = (/** @type {Uint8Array} */ lines) => scheduler.apply(lines, { format: 'lines' });
  apply(nodes.initial);
  apply(pods.initial);
  const pieces = [...linesOf(nodes.chunks), ...linesOf(pods.chunks)];
  const begin = performance.now();
  for (const lines of pieces) apply(lines);
  return (performance.now() - begin) / 1000;
}

/** Whole lines in pieces of the same size. @param {Uint8Array[]} chunks */
function linesOf(chunks) {
  const pieces = [];
  let rest = new Uint8Array();
  for (const chunk of chunks) {
    const joined = Buffer.concat([rest, chunk]);
    const end = joined.lastIndexOf(LINE_FEED) + 1;
    pieces.push(joined.subarray(0, end));
    rest = joined.subarray(end);
  }
  return pieces;
}

/**
 * @param {Scheduler} scheduler
 * @param {Watches} watches
 * @param {'fetch' | 'http'} source
 * @returns {Promise<number>} seconds from the first event to the last one applied
 */
async function follow(scheduler, watches, source) {
  const { client, go, close } = await (source === 'fetch' ? inProcess(watches) : overHttp(watches));
  const stop = new AbortController();
  const left = new Set(['nodes', 'pods']);
  let allApplied = () => {};
  const applied = new Promise((resolve) => void (allApplied = () => resolve(undefined)));
  /** @type {import('../../js/src/informer.js').Sink} */
  const sink = {
    apply: (lines, options) => {
      const taken = scheduler.apply(lines, options);
      const resource = /** @type {'nodes' | 'pods'} */ (options.source);
      if (taken.resourceVersion === watches[resource].last) left.delete(resource);
      if (left.size === 0) allApplied();
      return taken;
    },
  };
  const { signal } = stop;
  const informers = createInformers({
    client: createApiClient(client),
    sink,
    kinds: KINDS,
    signal,
  });
  const ended = informers.run();
  await informers.synced();
  const begin = performance.now();
  go();
  await Promise.race([applied, ended]);
  const seconds = (performance.now() - begin) / 1000;
  stop.abort();
  await ended;
  await close();
  return seconds;
}

/** @typedef {{ client: ApiClientOptions, go: () => void, close: () => unknown }} Source */

/** @param {Watches} watches @returns {Source} */
function inProcess(watches) {
  const { fetch, go } = serveWatches(watches);
  return { client: { baseUrl: 'http://prepared', fetch }, go, close: () => {} };
}

/** @param {Watches} watches @returns {Promise<Source>} */
async function overHttp({ events }) {
  const server = fork(SERVER, [String(events)]);
  const [{ url }] = await once(server, 'message');
  const { fetch, close } = createHttpFetch();
  return {
    client: { baseUrl: url, fetch },
    go: () => void server.send('go'),
    close: async () => {
      await close();
      server.disconnect();
    },
  };
}
