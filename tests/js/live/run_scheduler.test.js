// Goal: a live scheduler follows its cluster, waits for its lease, binds, and ends cleanly. Method:
// the native engine, the client and the informers against the embedded API server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConfigurationError,
  DisposedError,
  EngineError,
} from '../../../js/src/kubernetes/errors.js';
import { createApiClient } from '../../../js/src/informer.js';
import { createRequestMetrics, LeaderElectionLost, runScheduler } from '../../../js/src/live.js';
import { makeNode, storedPod } from '../support/objects.js';
import { ManualClock } from '../support/manual_clock.js';
import { startNative } from '../support/real_engine.js';
import { DisturbedApiServer } from '../support/disturbed_apiserver.js';

const NODES = '/api/v1/nodes';

const { engine } = await startNative();

/** Until the condition holds, in turns of the event loop. @param {() => unknown} condition */
async function eventually(condition) {
  for (const end = Date.now() + 20_000; !condition();) {
    assert.ok(Date.now() < end, `never: ${condition}`);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** @param {any} [options] */
function makeRun({ server = new DisturbedApiServer(), ...options } = {}) {
  const stop = new AbortController();
  const requestMetrics = createRequestMetrics();
  const client = createApiClient({
    baseUrl: 'http://apiserver.test',
    fetch: requestMetrics.counted(server.fetch),
  });
  const records = /** @type {any[]} */ ([]);
  const entries = /** @type {any[]} */ ([]);
  const live = runScheduler({
    client,
    engine,
    hostname: 'host',
    signal: stop.signal,
    requestMetrics,
    onRecord: (record) => records.push(record),
    onLog: (entry) => entries.push(entry),
    ...options,
  });
  live.done.catch(() => {});
  const get = async (/** @type {string} */ path, method = 'GET') => {
    const response = await live.fetch(new Request(`http://self${path}`, { method }));
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const said = (/** @type {string} */ message) =>
    entries.filter((entry) => entry.message === message);
  return { server, live, stop, records, entries, said, get };
}

/** @param {DisturbedApiServer} server */
const nodeOf = (server, name = 'a') =>
  server.objects('pods').find(({ metadata }) => metadata.name === name)?.spec.nodeName;

function makeCluster() {
  const server = new DisturbedApiServer();
  server.put(makeNode('n1', { cpu: '4' }));
  server.put(storedPod('a', { cpu: '1', spec: { schedulerName: 'default-scheduler' } }));
  return server;
}

test('a scheduler of an older release tells pods what that release did', async (t) => {
  const server = new DisturbedApiServer();
  const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
  server.put(makeNode('n1', { spec: { taints } }));
  server.put(storedPod('a', { spec: { schedulerName: 'default-scheduler' } }));
  const { live, stop } = makeRun({ server, kubernetesVersion: '1.33' });
  t.after(() => stop.abort());
  const failed = () => server.objects('events').find(({ reason }) => reason === 'FailedScheduling');
  await eventually(failed);
  assert.match(failed()?.note ?? failed()?.message, /untolerated taint \{gpu: yes\}/);
  assert.equal((await live.scheduler).kubernetesVersion, 'v1.33');
});

test('the leader binds pods, and releases the lease at the end', async () => {
  const { server, live, stop, said, get } = makeRun({ server: makeCluster() });
  const events = () => server.objects('events').filter(({ reason }) => reason === 'Scheduled');
  await eventually(() => nodeOf(server) === 'n1');
  server.put(storedPod('b', { spec: { schedulerName: 'default-scheduler' } }));
  await eventually(() => nodeOf(server, 'b') === 'n1');
  await eventually(() => events().length === 2);
  await eventually(() => said('Successfully bound pod to node').length === 2);
  assert.deepEqual(said('Successfully bound pod to node')[0].values, {
    pod: 'default/a',
    node: 'n1',
    evaluatedNodes: 1,
    feasibleNodes: 1,
  });
  assert.equal((await get('/readyz')).status, 200);
  const scheduler = await live.scheduler;
  assert.equal(scheduler.evaluate('default/a').node, 'n1');
  stop.abort();
  assert.match((await get('/readyz?verbose')).text, /\[-\]shutdown failed: reason withheld\n/);
  await live.done;
  const [{ spec }] = server.objects('leases');
  assert.equal(spec.holderIdentity, '');
  const started = server.asked.find(({ body }) => body?.spec?.holderIdentity);
  assert.match(started?.body.spec.holderIdentity, /^host_[0-9a-f]{8}-/);
  const event = server.objects('events').find(({ reason }) => reason === 'LeaderElection');
  assert.match(event.message, /^host_[0-9a-f-]+ became leader$/);
  assert.equal(event.reportingComponent, 'default-scheduler');
  assert.throws(() => scheduler.inspect(), DisposedError);
  assert.equal((await get('/healthz')).status, 500);
});

/** Times of an election that a test can wait for. */
const QUICK = { leaseDuration: 1000, renewDeadline: 500, retryPeriod: 3 };

test('of two replicas one leads; the other is ready, and takes over', async () => {
  const server = makeCluster();
  const first = makeRun({ server, leaderElection: QUICK });
  await eventually(() => nodeOf(server) === 'n1');
  const second = makeRun({ server, leaderElection: QUICK });
  await eventually(() => second.said('Lease is held by and has not yet expired').length > 3);
  assert.equal((await second.get('/readyz')).status, 200);
  assert.match((await first.get('/readyz?verbose')).text, /\[\+\]leaderElection ok\n/);
  first.stop.abort();
  await first.live.done;
  server.put(storedPod('b', { spec: { schedulerName: 'default-scheduler' } }));
  await eventually(() => nodeOf(server, 'b') === 'n1');
  assert.deepEqual(
    second.records.filter(({ kind }) => kind === 'Decision').map(({ pod }) => pod),
    ['default/b'],
    'what the first one did is known to the second',
  );
  second.stop.abort();
  await second.live.done;
});

test('a scheduler that loses the lease ends, and sends no further request', async () => {
  const { server, live, said, get } = makeRun({ server: makeCluster(), leaderElection: QUICK });
  await eventually(() => nodeOf(server) === 'n1');
  const [lease] = server.objects('leases');
  server.put({ ...lease, spec: { ...lease.spec, holderIdentity: 'another' } });
  await assert.rejects(live.done, LeaderElectionLost);
  const { length } = server.writes;
  server.put(storedPod('b', { spec: { schedulerName: 'default-scheduler' } }));
  await new Promise(setImmediate);
  assert.equal(server.writes.length, length);
  assert.equal(server.objects('leases')[0].spec.holderIdentity, 'another');
  assert.equal(said('Leaderelection lost').length, 1);
  assert.equal((await get('/livez')).status, 500);
});

test('a process that stood still does not bind with an expired lease', async () => {
  const clock = new ManualClock();
  let stall = 0;
  const steady = { now: () => clock.now() + stall, sleep: clock.sleep };
  const { server, live, stop, records } = makeRun({ server: makeCluster(), steady });
  await eventually(() => nodeOf(server) === 'n1');
  stall = 15_000;
  server.put(storedPod('b', { spec: { schedulerName: 'default-scheduler' } }));
  await eventually(() => records.some(({ result }) => result === 'bindFailed'));
  assert.match(
    records.find(({ result }) => result === 'bindFailed').message,
    /leader election lost: the lease kube-system\/kube-scheduler is not held any more/,
  );
  assert.ok(!server.writes.includes('POST /api/v1/namespaces/default/pods/b/binding'));
  stop.abort();
  await clock.advance(1000);
  await live.done;
});

test('a call without an answer times out, and the pod is tried again', async () => {
  const clock = new ManualClock();
  const { server, live, stop, records } = makeRun({ server: makeCluster(), clock });
  let binds = 0;
  server.disturb = ({ path }) =>
    path.endsWith('/binding') && (binds += 1) === 1 ? new Promise(() => {}) : undefined;
  await clock.advance(59_000);
  assert.deepEqual([binds, nodeOf(server)], [1, undefined]);
  await clock.advance(10_000);
  assert.deepEqual([binds, nodeOf(server)], [2, 'n1']);
  assert.deepEqual(
    records.filter(({ kind }) => kind === 'BindingResult').map(({ result }) => result),
    ['bindFailed', 'bound'],
  );
  assert.equal(records.find(({ kind, error }) => kind === 'Completion' && error)?.error, 'timeout');
  stop.abort();
  await clock.advance(1000);
  await live.done;
});

test('bindings do not wait for Events, which are limited apart', async () => {
  const server = new DisturbedApiServer();
  server.put(makeNode('n1', { cpu: '4' }));
  const held = /** @type {(() => void)[]} */ ([]);
  server.disturb = ({ path }) =>
    path.startsWith('/apis/events.k8s.io/')
      ? new Promise((resolve) => void held.push(() => resolve(undefined)))
      : undefined;
  const bound = async (/** @type {string} */ name) => {
    const spec = { schedulerName: 'default-scheduler' };
    server.put(storedPod(name, { cpu: '100m', spec }));
    await eventually(() => nodeOf(server, name) === 'n1');
  };
  const { live, stop } = makeRun({ server, leaderElection: false, maxConcurrentCalls: 2 });
  for (const name of ['a', 'b']) await bound(name);
  await eventually(() => held.length === 2);
  for (const name of ['c', 'd', 'e']) await bound(name);
  const events = () => server.objects('events').filter(({ reason }) => reason === 'Scheduled');
  assert.deepEqual([held.length, events().length], [2, 0]);
  await eventually(() => {
    for (const release of held.splice(0)) release();
    return events().length === 5;
  });
  stop.abort();
  await live.done;
});

test('a dry run decides, and sends only GETs', async () => {
  const server = makeCluster();
  server.put(storedPod('big', { cpu: '99', spec: { schedulerName: 'default-scheduler' } }));
  const { live, stop, records, get } = makeRun({ server, dryRun: true });
  await eventually(() => records.some(({ result }) => result === 'bound'));
  await eventually(() => records.some(({ result }) => result === 'unschedulable'));
  const scheduler = await live.scheduler;
  assert.deepEqual(scheduler.inspect().assumed, ['default/a']);
  // The room is taken: a second one of that size still fits, a fifth does not.
  for (const name of ['b', 'c', 'd', 'e'])
    server.put(storedPod(name, { spec: { schedulerName: 'default-scheduler' } }));
  await eventually(() => records.filter(({ result }) => result === 'bound').length === 4);
  // An update by another client of a pod that is placed here changes nothing.
  server.put({
    ...storedPod('a', { spec: { schedulerName: 'default-scheduler' } }),
    metadata: { namespace: 'default', name: 'a', uid: 'u-a', labels: { touched: 'yes' } },
  });
  await eventually(() =>
    records.some(({ pod, result }) => pod === 'default/e' && result === 'unschedulable'),
  );
  assert.deepEqual(server.writes, []);
  assert.doesNotMatch((await get('/readyz?verbose')).text, /leaderElection/);
  stop.abort();
  await live.done;
  assert.deepEqual(server.writes, []);
});

test('in a dry run extenders filter, and do not bind', async () => {
  const asked = /** @type {string[]} */ ([]);
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    extenders: [
      {
        urlPrefix: 'http://extender.test/x',
        filterVerb: 'filter',
        bindVerb: 'bind',
        nodeCacheCapable: true,
      },
    ],
  };
  const fetch = async (/** @type {string} */ url, /** @type {any} */ { body }) => {
    asked.push(url);
    const { NodeNames } = JSON.parse(new TextDecoder().decode(body));
    return Response.json({ NodeNames });
  };
  const run = makeRun({ server: makeCluster(), dryRun: true, configuration, fetch });
  await eventually(() => run.records.some(({ result }) => result === 'bound'));
  run.stop.abort();
  await run.live.done;
  assert.deepEqual(asked, ['http://extender.test/x/filter']);
  assert.deepEqual(run.server.writes, []);
});

test('after the signal a binding ends, and one that hangs is aborted', async () => {
  for (const isAnswered of [true, false]) {
    // The release of the lease has as long, on a busy machine too.
    const run = makeRun({ server: makeCluster(), shutdownGracePeriod: isAnswered ? 10_000 : 500 });
    let release = () => {};
    run.server.disturb = ({ path }) =>
      path.endsWith('/binding')
        ? new Promise((resolve) => {
            release = () => resolve(undefined);
          })
        : undefined;
    await eventually(() => run.server.writes.some((write) => write.endsWith('/binding')));
    run.stop.abort();
    await new Promise(setImmediate);
    if (isAnswered) release();
    await run.live.done;
    const results = run.records.filter(({ kind }) => kind === 'BindingResult');
    assert.deepEqual(
      results.map(({ result }) => result),
      isAnswered ? ['bound'] : [],
    );
    const aborted = run.records.filter(({ error }) => error === 'aborted');
    assert.equal(aborted.length, isAnswered ? 0 : 1);
    assert.equal(run.server.objects('leases')[0].spec.holderIdentity, '');
  }
});

test('another scheduler name ignores other pods, and has its own lease', async () => {
  const server = makeCluster();
  server.put(storedPod('mine', { spec: { schedulerName: 'stowage' } }));
  const { live, stop } = makeRun({ server, schedulerName: 'stowage' });
  await eventually(() => nodeOf(server, 'mine') === 'n1');
  assert.equal(nodeOf(server), undefined);
  assert.deepEqual(
    server.objects('leases').map(({ metadata }) => metadata.name),
    ['stowage'],
  );
  stop.abort();
  await live.done;
});

test('with delayCacheUntilActive nothing is listed before it leads', async () => {
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    delayCacheUntilActive: true,
    leaderElection: { leaseDuration: '1s', renewDeadline: '500ms', retryPeriod: '3ms' },
  };
  const server = makeCluster();
  const spec = { holderIdentity: 'another', leaseDurationSeconds: 3600, leaseTransitions: 0 };
  const metadata = { namespace: 'kube-system', name: 'kube-scheduler' };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
  server.put({ ...lease, spec });
  const { live, stop, said, get } = makeRun({ server, configuration });
  await eventually(() => said('Lease is held by and has not yet expired').length > 3);
  assert.ok(server.asked.every(({ path }) => path.includes('/leases/')));
  const { status, text } = await get('/readyz/informer-sync');
  assert.deepEqual(
    [status, text.slice(0, 50)],
    [500, 'internal server error: 18 informers not synced yet'],
  );
  server.put({ ...lease, spec: { ...spec, holderIdentity: '' } });
  await eventually(() => nodeOf(server) === 'n1');
  stop.abort();
  await live.done;
});

test('metrics include the engine’s, the live scheduler’s and the client’s', async () => {
  // What the engine has itself goes first.
  const own = {
    name: 'scheduler_scheduling_algorithm_duration_seconds',
    type: 'histogram',
    help: 'The engine’s own.',
    labels: [],
    bounds: [1],
    samples: [{ labels: [], buckets: [1], sum: 0.5, count: 1 }],
  };
  const withMetrics = {
    createScheduler(/** @type {any} */ options) {
      const scheduler = engine.createScheduler(options);
      const inspect = scheduler.inspect.bind(scheduler);
      scheduler.inspect = (query) => {
        const answer = inspect(query);
        answer.metrics?.families.push(own);
        return answer;
      };
      return scheduler;
    },
  };
  const { server, live, stop, get, records } = makeRun({
    server: makeCluster(),
    engine: withMetrics,
  });
  await eventually(() => records.some(({ result }) => result === 'bound'));
  const { status, text, headers } = await get('/metrics');
  assert.equal(status, 200);
  assert.equal(headers.get('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8');
  for (const line of [
    'scheduler_schedule_attempts_total{profile="default-scheduler",result="scheduled"} 1',
    'scheduler_pod_scheduling_sli_duration_seconds_count{attempts="1"} 1',
    'scheduler_pod_scheduling_attempts_bucket{le="1"} 1',
    'scheduler_queue_incoming_pods_total{event="UnschedulablePodAdd",queue="active"} 1',
    'scheduler_cache_size{type="nodes"} 1',
    'scheduler_pending_pods{queue="active"} 0',
    'scheduler_scheduling_attempt_duration_seconds_count' +
      '{profile="default-scheduler",result="scheduled"} 1',
    'scheduler_framework_extension_point_duration_seconds_count' +
      '{extension_point="Bind",profile="default-scheduler",status="Success"} 1',
    'scheduler_scheduling_algorithm_duration_seconds_sum 0.5',
    'leader_election_master_status{name="kube-scheduler"} 1',
    'leader_election_slowpath_total{name="kube-scheduler"} 0',
  ])
    assert.ok(text.includes(`${line}\n`), `${line}\n\n${text}`);
  assert.match(
    text,
    /rest_client_requests_total\{code="201",host="apiserver.test",method="POST"\} \d/,
  );
  assert.equal(text.match(/# TYPE scheduler_scheduling_algorithm/g)?.length, 1);
  assert.deepEqual((await get('/metrics', 'HEAD')).text, '');
  assert.equal((await get('/metrics', 'POST')).status, 405);
  assert.equal((await get('/metrics/other')).status, 404);
  assert.equal((await get('/')).status, 404);
  assert.equal((await get('/readyz/leaderElection')).text, 'ok');
  stop.abort();
  await live.done;
  const end = await get('/metrics');
  assert.equal(end.status, 503);
  assert.equal(JSON.parse(end.text).reason, 'ServiceUnavailable');
  assert.ok(server.asked.length > 0);
});

test('invalid options reject `done`', async () => {
  const bad = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
  for (const [options, message] of /** @type {[any, RegExp][]} */ ([
    [{ configuration: { ...bad, parallelism: 0, percentageOfNodesToScore: 101 } }, /percentageOf/],
    [{ configuration: '{' }, /./],
    [{ api: 'simulated' }, /api: a live scheduler has no such option/],
    [{ client: {} }, /client: must be an API client/],
    [{ surprise: 1 }, /unknown option surprise/],
    [{ maxConcurrentCalls: 0 }, /maxConcurrentCalls: must be an integer from 1/],
    ...[-1, NaN, '5'].map((shutdownGracePeriod) => [
      { shutdownGracePeriod },
      /shutdownGracePeriod: must be/,
    ]),
    [
      { leaderElection: { leaseDuration: 1000 } },
      /leaseDuration must be greater than renewDeadline/,
    ],
  ])) {
    const { live, get } = makeRun(options);
    const isIt = (/** @type {any} */ error) =>
      error instanceof ConfigurationError && message.test(error.message);
    await assert.rejects(live.done, isIt, String(message));
    assert.notEqual((await get('/healthz')).status, 200);
  }
});

test('a callback that throws rejects `done`', async () => {
  const fault = new Error('disk full');
  const throwing = { onRecord: () => assert.fail(fault) };
  const { live, server } = makeRun({ server: makeCluster(), ...throwing });
  await assert.rejects(live.done, fault);
  assert.equal(server.objects('leases')[0].spec.holderIdentity, '');
});

test('a failure of the engine rejects `done`', async () => {
  const failing = {
    createScheduler(/** @type {any} */ options) {
      const scheduler = engine.createScheduler(options);
      scheduler.start = () => Promise.reject(new EngineError('CHECK failed'));
      return scheduler;
    },
  };
  const { live, server } = makeRun({ server: makeCluster(), engine: failing });
  await assert.rejects(live.done, EngineError);
  assert.equal(server.objects('leases')[0].spec.holderIdentity, '');
});

test('a signal before the start, or before the lists, ends it', async () => {
  const early = makeRun({ server: makeCluster(), signal: AbortSignal.abort() });
  await early.live.done;
  assert.deepEqual(early.server.writes, []);
  const server = makeCluster();
  server.disturb = ({ path }) => (path === NODES ? new Promise(() => {}) : undefined);
  const { live, stop, get } = makeRun({ server });
  await eventually(() => server.asked.some(({ path }) => path === NODES));
  assert.equal((await get('/readyz/sched-handler-sync')).status, 500);
  assert.equal((await get('/readyz/informer-sync')).status, 500);
  assert.equal((await get('/healthz')).status, 200);
  stop.abort();
  await live.done;
  assert.deepEqual(server.writes, []);
});
