// Goal: the small texts of a live scheduler: log entries, events, identities, a dry run's answers,
// counted requests.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { virtualClock } from '../../../js/src/io/clock.js';
import {
  answerDryRun,
  extendersWithoutBinding,
  fetchWithoutBinding,
} from '../../../js/src/live/dry_run.js';
import { candidateIdentity, randomUuid } from '../../../js/src/live/identity.js';
import { leaderEvent } from '../../../js/src/live/leader_event.js';
import { metricsText } from '../../../js/src/live/metrics_text.js';
import { RecordLog } from '../../../js/src/live/record_log.js';
import { createRequestMetrics } from '../../../js/src/live/request_metrics.js';

const RECORDING = '../recordings/kube-scheduler-v1.36/requests.ndjson';

test('the leader’s event is the one that was recorded', async () => {
  const text = await readFile(new URL(RECORDING, import.meta.url), 'utf8');
  const exchanges = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const lease = exchanges.find(({ method, path }) => method === 'POST' && path.includes('/leases'));
  const event = exchanges.find(({ body }) => body?.reason === 'LeaderElection').body;
  const made = leaderEvent({
    lease: lease.response,
    message: event.message,
    component: 'default-scheduler',
    now: Date.parse('2026-11-21T04:30:23.277Z'),
  });
  assert.match(made.metadata.name, /^kube-scheduler\.[0-9a-f]{16}$/);
  assert.equal(made.metadata.name.slice(0, 21), event.metadata.name.slice(0, 21));
  const name = event.metadata.name;
  assert.equal(
    JSON.stringify({ ...made, metadata: { ...made.metadata, name } }),
    JSON.stringify(event),
  );
});

test('an identity is the host’s name and a UUID', () => {
  let lot = 0;
  const random = () => (lot = (lot + 0.37) % 1);
  assert.match(
    randomUuid(random),
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  assert.match(candidateIdentity('node-1', random), /^node-1_[0-9a-f-]{36}$/);
  assert.match(candidateIdentity('', random), /^stowage_[0-9a-f-]{36}$/);
});

test('a dry run answers as a server does where all goes well', () => {
  const body = new TextEncoder().encode('{"kind":"Event"}');
  const answers = Object.fromEntries(
    ['bind', 'delete', 'create', 'patch', 'update'].map((verb) => [
      verb,
      answerDryRun(/** @type {any} */ ({ verb, body })),
    ]),
  );
  const success = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"';
  assert.deepEqual(answers, {
    bind: { status: 201, body: `${success},"code":201}` },
    delete: { status: 200, body: `${success}}` },
    create: { status: 201, body: '{"kind":"Event"}' },
    patch: { status: 200, body: '{"kind":"Event"}' },
    update: { status: 200, body: '{"kind":"Event"}' },
  });
});

test('in a dry run extenders are asked, and bind nothing', async () => {
  const asked = /** @type {string[]} */ ([]);
  const inner = /** @type {any} */ (
    async (/** @type {string} */ url) => {
      asked.push(url);
      return Response.json({ NodeNames: [] });
    }
  );
  const fetch = fetchWithoutBinding(inner, ['http://a/bind']);
  assert.deepEqual(await (await fetch('http://a/filter')).json(), { NodeNames: [] });
  assert.deepEqual(await (await fetch('http://a/bind')).json(), {});
  assert.deepEqual(asked, ['http://a/filter']);
  const own = {
    limit: 3,
    filter() {
      return this.limit;
    },
    bind: () => assert.fail('it binds'),
  };
  const { 'http://b': extender } = extendersWithoutBinding({ 'http://b': own });
  assert.equal(extender.filter?.({}), 3);
  assert.deepEqual(extender.bind?.({}), {});
  assert.equal(extender.preempt, undefined);
});

test('requests are counted by their outcome', async () => {
  const clock = virtualClock();
  const metrics = createRequestMetrics({ clock });
  const statuses = [200, 200, 409];
  const fetch = metrics.counted(async () => {
    clock.advanceTo(clock.now() + 30);
    const status = statuses.shift();
    if (!status) throw new TypeError('fetch failed');
    return new Response('', { status });
  });
  const request = (/** @type {string} */ method) =>
    fetch(new Request('https://10.0.0.1:6443/api/v1/pods?watch=true', { method }));
  await request('GET');
  await request('GET');
  assert.equal((await request('PUT')).status, 409);
  await assert.rejects(request('GET'), /fetch failed/);
  const text = metricsText(metrics.families());
  assert.match(text, /requests_total\{code="200",host="10.0.0.1:6443",method="GET"\} 2\n/);
  assert.match(text, /requests_total\{code="409",host="10.0.0.1:6443",method="PUT"\} 1\n/);
  assert.match(text, /requests_total\{code="<error>",host="10.0.0.1:6443",method="GET"\} 1\n/);
  assert.match(text, /_seconds_bucket\{host="10.0.0.1:6443",verb="GET",le="0.025"\} 0\n/);
  assert.match(text, /_seconds_bucket\{host="10.0.0.1:6443",verb="GET",le="0.1"\} 3\n/);
});

test('records are logged in kube-scheduler’s words', () => {
  const log = new RecordLog();
  const said = (/** @type {any} */ record) => log.entriesOf(record);
  const placed = { kind: 'Decision', seq: 4, pod: 'default/a', result: 'scheduled', node: 'n1' };
  assert.deepEqual(
    said({ ...placed, evaluatedNodes: 5, feasibleNodes: 2 }).map(({ verbosity }) => verbosity),
    [4],
  );
  assert.deepEqual(
    said({ kind: 'BindingResult', decision: 4, pod: 'default/a', node: 'n1', result: 'bound' }),
    [
      {
        severity: 'info',
        verbosity: 2,
        message: 'Successfully bound pod to node',
        values: { pod: 'default/a', node: 'n1', evaluatedNodes: 5, feasibleNodes: 2 },
      },
    ],
  );
  const preemption = { nominatedNode: 'n2', victims: ['default/v'] };
  assert.deepEqual(
    said({
      kind: 'Decision',
      pod: 'default/b',
      result: 'unschedulable',
      message: '0/5 nodes',
      preemption,
    }),
    [
      {
        severity: 'info',
        verbosity: 2,
        message: 'Unable to schedule pod; no fit; waiting',
        values: { pod: 'default/b', err: '0/5 nodes' },
      },
      {
        severity: 'info',
        verbosity: 2,
        message: 'Preemptor Pod preempted victim Pod',
        values: { preemptor: 'default/b', victim: 'default/v', node: 'n2' },
      },
    ],
  );
  const [failed] = said({
    kind: 'BindingResult',
    decision: 9,
    pod: 'default/c',
    node: 'n1',
    result: 'bindFailed',
    phase: 'Bind',
    plugin: 'DefaultBinder',
    message: 'conflict',
  });
  assert.deepEqual(failed, {
    severity: 'error',
    verbosity: 0,
    message: 'Error scheduling pod; retrying',
    error: 'conflict',
    values: { pod: 'default/c', node: 'n1', phase: 'Bind', plugin: 'DefaultBinder' },
  });
});

test('each kind of record has its words, or none', () => {
  const log = new RecordLog();
  const messages = [
    { kind: 'Decision', result: 'error', pod: 'p', message: 'm' },
    { kind: 'Decision', result: 'gated', pod: 'p', message: 'm', plugin: 'SchedulingGates' },
    { kind: 'Decision', result: 'skipped', pod: 'p' },
    { kind: 'InputError', error: { kind: 'Pod', namespace: 'n', name: 'p', message: 'm' } },
    { kind: 'Inconsistency', operation: 'ExpirePod', object: 'n/p', message: 'm' },
    { kind: 'RecordsDropped', count: 3 },
    { kind: 'Call', id: 1 },
  ].map((record) => log.entriesOf(record).flatMap(({ severity, message }) => [severity, message]));
  assert.deepEqual(messages, [
    ['error', 'Error scheduling pod; retrying'],
    ['info', 'Pod is gated'],
    ['info', 'Skip schedule deleting pod'],
    ['error', 'Object cannot be read'],
    ['error', 'Scheduler cache is inconsistent'],
    ['error', 'Records were lost to the log'],
    [],
  ]);
});
