/**
 * A scheduler that runs live: `live_child.js WAY NODES PODS`, where `WAY` is the place of the API
 * server. Prints one JSON object.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { loadEngine } from '../../js/src/index.js';
import { createApiClient } from '../../js/src/informer.js';
import { runScheduler } from '../../js/src/live.js';
import { createHttpFetch, listen } from '../../js/src/node.js';
import { ARTIFACTS } from '../support/targets.js';
import { heapBytes, LiveCluster, usageSince } from './live_cluster.js';

/**
 * @typedef {object} Place the place of the API server
 * @property {import('../../js/src/informer.js').ApiClientOptions} client
 * @property {LiveCluster['createPods']} createPods
 * @property {boolean} isApart whether it has a process of its own
 * @property {() => void | Promise<void>} close
 */

const SERVER = fileURLToPath(new URL('live_server.js', import.meta.url));

/** Pods of the warm-up, in which the code is compiled. */
const WARM_UP_PODS = 1000;

/** For latencies: pods per second, for two seconds. */
const PACE = 500;

/** @type {Record<string, (nodes: number) => Place | Promise<Place>>} */
const PLACES = {
  fetch: (nodes) => {
    const cluster = new LiveCluster(nodes);
    return {
      client: { baseUrl: 'http://embedded', fetch: cluster.fetch },
      createPods: (count, pace) => cluster.createPods(count, pace),
      isApart: false,
      close: () => cluster.dispose(),
    };
  },
  'http-one-process': async (nodes) => {
    const cluster = new LiveCluster(nodes);
    const { url, close } = await listen(cluster.fetch, { port: 0 });
    return {
      client: { baseUrl: url, ...createHttpFetch() },
      createPods: (count, pace) => cluster.createPods(count, pace),
      isApart: false,
      close,
    };
  },
  http: async (nodes) => {
    const server = fork(SERVER, [String(nodes)]);
    // Its messages are on the shared standard error.
    server.on('exit', (code) => code && process.exit(code));
    const [{ url }] = await once(server, 'message');
    return {
      client: { baseUrl: url, ...createHttpFetch() },
      createPods: async (count, pace) => {
        server.send({ count, ...(pace && { pace }) });
        const [wave] = await once(server, 'message');
        return wave;
      },
      isApart: true,
      close: () => void server.disconnect(),
    };
  },
};

const [way, nodes, pods] = process.argv.slice(2);
const place = await PLACES[way](Number(nodes));
const engine = await loadEngine({ wasm: ARTIFACTS.module });
const stop = new AbortController();
const live = runScheduler({
  client: createApiClient(place.client),
  engine,
  leaderElection: false,
  signal: stop.signal,
});
const ready = new Request('http://scheduler/readyz');
while ((await live.fetch(ready)).status !== 200) await setTimeout(10);

await place.createPods(WARM_UP_PODS);
const usage = usageSince(process.cpuUsage(), heapBytes());
const burst = await place.createPods(Number(pods));
const own = usage(Number(pods));
const { p50Ms, p99Ms } = await place.createPods(PACE * 2, PACE);
stop.abort();
await live.done;
await place.close();
console.log(
  JSON.stringify({
    perSecond: burst.perSecond,
    p50Ms,
    p99Ms,
    cpuUsPerPod: Math.max(own.cpuUs, burst.cpuUs),
    heapBytesPerPod: own.heapBytes + (place.isApart ? burst.heapBytes : 0),
  }),
);
