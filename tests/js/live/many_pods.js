/**
 * Ten thousand pods that are scheduled as fast as it goes by the WebAssembly module, over HTTP, by
 * one that holds the lease. In a process of its own: the test runner follows every promise, and
 * there are many. Prints what became of them as JSON.
 */
import { createApiServer } from '../../../js/apiserver/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { runScheduler } from '../../../js/src/live.js';
import { listen } from '../../../js/src/node.js';
import { createHttpFetch } from '../../../js/src/runtimes/node/http_fetch.js';
import { makeNode, makePod } from '../support/objects.js';
import { startWasm } from '../support/real_engine.js';
import { BindingLedger } from './binding_ledger.js';

const PODS = 10_000;
/** All pods fit, with little to spare: 1,200,000m of cpu on 1,260,000m. */
const NODES = 210;
const NODE_MILLI_CPU = 6000;
const NODE_PODS = 60;

/** @param {number} row */
function nodeOf(row) {
  const node = makeNode(`n${row}`);
  const allocatable = { cpu: `${NODE_MILLI_CPU}m`, memory: '64Gi', pods: String(NODE_PODS) };
  return { ...node, status: { allocatable } };
}

/** Of each four pods one is large. @param {number} row */
function podOf(row) {
  const cpu = row % 4 === 0 ? '240m' : '80m';
  return makePod(`p${row}`, { cpu, metadata: { namespace: 'default' } });
}

/** Nodes with more on them than they can hold. @param {any[]} pods */
function overfull(pods) {
  /** @type {Map<string, { count: number, milliCpu: number }>} */
  const held = new Map();
  for (const { spec } of pods) {
    const { count, milliCpu } = held.get(spec.nodeName) ?? { count: 0, milliCpu: 0 };
    const own = parseInt(spec.containers[0].resources.requests.cpu, 10);
    held.set(spec.nodeName, { count: count + 1, milliCpu: milliCpu + own });
  }
  const isTooMuch = ({ count = 0, milliCpu = 0 }) => count > NODE_PODS || milliCpu > NODE_MILLI_CPU;
  return [...held].filter(([, of]) => isTooMuch(of)).map(([node]) => node);
}

const { engine } = await startWasm();
const server = createApiServer();
const { store } = server;
const ledger = new BindingLedger({ now: () => performance.now() });
ledger.follow(store);
for (let row = 0; row < NODES; row += 1) store.load(nodeOf(row));
for (let row = 0; row < PODS; row += 1) store.create('pods', podOf(row));

const failures = /** @type {string[]} */ ([]);
const onError = (/** @type {any} */ { message }) => void failures.push(message);
const listener = await listen(server.fetch, { port: 0, onError });
const client = createApiClient({ baseUrl: listener.url, ...createHttpFetch() });
const stop = new AbortController();
const start = performance.now();
const live = runScheduler({
  client,
  engine,
  identity: 'only',
  signal: stop.signal,
});
await new Promise((resolve) => {
  store.subscribe('pods', () => {
    if (ledger.bindings.length === PODS) resolve(undefined);
  });
  live.done.catch((error) => {
    onError(error);
    resolve(undefined);
  });
});
const seconds = (performance.now() - start) / 1000;
const scheduler = await live.scheduler;
const { queues } = scheduler.inspect();
const holders = () => store.list('leases').map(({ spec }) => spec.holderIdentity);
const leaders = holders();
stop.abort();
await live.done.catch(() => {});
const leadersAfterwards = holders();
await client.close();
await listener.close();
server.dispose();
console.log(
  JSON.stringify({
    seconds,
    failures,
    bound: ledger.bindings.length,
    boundTwice: ledger.boundTwice,
    overfull: overfull(store.list('pods')),
    waiting: Object.values(queues).flat(),
    leaders,
    leadersAfterwards,
  }),
);
