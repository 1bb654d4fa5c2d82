// Goal: informers of many kinds begin together, end together, and report. Method: scripted answers,
// a recording sink, a clock moved by hand.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BatchError, ConfigurationError, InputError, virtualClock } from '../../../js/src/index.js';
import { ApiError, createInformers, SCHEDULER_KINDS } from '../../../js/src/informer.js';
import { RecordingSink } from '../support/recording_sink.js';
import { ScriptedClient, Stream } from '../support/scripted_client.js';
import { settle, steppedClock } from '../support/stepped_clock.js';

const KINDS = [
  { version: 'v1', resource: 'nodes', optional: false },
  { group: 'apps', version: 'v1', resource: 'replicasets' },
];
const end = (version) => ({
  type: 'BOOKMARK',
  object: {
    metadata: {
      resourceVersion: version,
      annotations: { 'k8s.io/initial-events-end': 'true' },
    },
  },
});
const absent = () =>
  new ApiError({ kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', message: 'no' });

/** @param {any[]} answers @param {object} [options] */
function prepare(answers, options = {}) {
  const client = new ScriptedClient(...answers);
  const clock = steppedClock(0);
  const sink = new RecordingSink();
  const stop = new AbortController();
  const informers = createInformers({
    ...{ client, sink, clock, random: () => 0, kinds: KINDS, signal: stop.signal },
    ...options,
  });
  return { client, clock, sink, stop, informers };
}

test('the kinds are those that the real kube-scheduler watches, with their selectors', () => {
  const file = new URL('../recordings/kube-scheduler-v1.36/requests.ndjson', import.meta.url);
  const watched = new Set();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { path } = JSON.parse(line);
    const url = new URL(path, 'http://api');
    if (url.searchParams.get('watch') !== 'true') continue;
    watched.add([url.pathname, url.searchParams.get('fieldSelector')].filter(Boolean).join('?'));
  }
  assert.equal(watched.size, 18);
  const ours = SCHEDULER_KINDS.map(({ group, version, resource, fieldSelector }) => {
    const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
    return [`${path}/${resource}`, fieldSelector].filter(Boolean).join('?');
  });
  assert.deepEqual(ours.sort(), [...watched].sort());
});

test('requests have the parameters of the real kube-scheduler’s', async () => {
  const file = new URL('../recordings/kube-scheduler-v1.36/requests.ndjson', import.meta.url);
  const recorded = new Map();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const url = new URL(JSON.parse(line).path, 'http://api');
    const { timeout, timeoutSeconds, ...others } = Object.fromEntries(url.searchParams);
    if (others.watch === 'true') recorded.set(url.pathname, others);
  }
  const { client, informers, stop } = prepare([], { kinds: undefined });
  const run = informers.run();
  await settle();
  assert.equal(client.asked.length, recorded.size);
  for (const { path, query } of client.asked) {
    const { timeoutSeconds, ...others } = query;
    const given = Object.entries(others).filter(([, value]) => value !== undefined);
    const asked = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    assert.deepEqual({ ...asked, watch: 'true' }, recorded.get(path), path);
  }
  stop.abort();
  await run;
});

test('every list begins before one is requested', async () => {
  const { client, sink, informers, stop } = prepare([
    new Stream().push(end('5')),
    new Stream().push(end('6')),
  ]);
  const seen = [];
  const apply = sink.apply.bind(sink);
  sink.apply = (...given) => {
    seen.push(client.asked.length);
    return apply(...given);
  };
  const run = informers.run();
  await informers.synced();
  assert.deepEqual(
    sink.lines.slice(0, 2).map((line) => JSON.parse(line)),
    [
      { type: 'SYNC_BEGIN', resource: 'nodes' },
      { type: 'SYNC_BEGIN', resource: 'replicasets.v1.apps' },
    ],
  );
  assert.deepEqual(seen.slice(0, 3), [0, 0, 2]);
  assert.deepEqual(
    sink.lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'SYNC_END'),
    [
      { type: 'SYNC_END', resource: 'nodes', resourceVersion: '5' },
      { type: 'SYNC_END', resource: 'replicasets.v1.apps', resourceVersion: '6' },
    ],
  );
  assert.deepEqual(
    informers.status().map(({ resource, state }) => [resource, state]),
    [
      ['nodes', 'watching'],
      ['replicasets.v1.apps', 'watching'],
    ],
  );
  stop.abort();
  await run;
});

test('all kinds of the scheduler: synced, and ended without a warning or a timer', async () => {
  const warnings = [];
  const warn = (warning) => warnings.push(String(warning));
  process.on('warning', warn);
  const streams = SCHEDULER_KINDS.map(() => new Stream().push(end('5')));
  const { client, clock, informers, stop } = prepare(streams, { kinds: undefined });
  const run = informers.run();
  assert.equal(informers.run(), run);
  await Promise.all([informers.synced(), informers.synced()]);
  await informers.synced();
  for (let count = 0; count < 30; count += 1) {
    streams[count % 18].push(end(String(count)));
    await settle();
  }
  stop.abort(new Error('enough'));
  await run;
  await settle();
  process.off('warning', warn);
  assert.deepEqual(warnings, []);
  assert.deepEqual(clock.sleeping(), []);
  assert.ok(client.asked.every(({ signal }) => signal.aborted));
  await informers.synced();
});

test('one kind is absent, one is late: synced when both are known', async () => {
  const late = new Stream();
  const { informers, stop } = prepare([late, absent()]);
  const run = informers.run();
  let isSynced = false;
  informers.synced().then(() => (isSynced = true));
  await settle();
  assert.equal(isSynced, false);
  assert.deepEqual(
    informers.status().map(({ state }) => state),
    ['listing', 'absent'],
  );
  late.push(end('3'));
  await settle();
  assert.equal(isSynced, true);
  stop.abort();
  await run;
});

test('a wait for the lists rejects if they will not come', async () => {
  const { informers, stop } = prepare([]);
  const run = informers.run();
  const waits = assert.rejects(informers.synced(), /enough/);
  await settle();
  stop.abort(new Error('enough'));
  await run;
  await waits;
  await assert.rejects(informers.synced(), /enough/);
});

test('an aborted signal: no request is made', async () => {
  const { informers, client, sink } = prepare([], { signal: AbortSignal.abort() });
  await informers.run();
  assert.deepEqual([client.asked, sink.lines], [[], []]);
});

test('bad objects are reported, and cause no relist', async () => {
  const bad = new InputError({ code: 'FieldValueInvalid', field: 'status', detail: 'bad' });
  const waysToTell = [
    (onError, result) => (onError(bad), result),
    (_, result) => {
      throw new BatchError([bad], result);
    },
  ];
  for (const tell of waysToTell) {
    const told = [];
    const statuses = [];
    const stream = new Stream().push(end('5'));
    const { client, sink, informers, stop } = prepare([stream], {
      kinds: [KINDS[0]],
      onError: (error, resource) => told.push([error, resource]),
      onStatus: (status) => statuses.push(status),
    });
    const run = informers.run();
    await informers.synced();
    sink.apply = (_lines, { onError }) => tell(onError, { resourceVersion: '8' });
    stream.push({ type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '8' } } });
    await settle();
    assert.deepEqual(told, [[bad, 'nodes']]);
    const { lastError, ...status } = informers.status()[0];
    assert.deepEqual(status, {
      ...{ resource: 'nodes', state: 'watching', resourceVersion: '8', relists: 0 },
    });
    assert.equal(lastError?.reason, 'FieldValueInvalid');
    assert.deepEqual(statuses.at(-1).lastError, lastError);
    assert.equal(client.asked.length, 1);
    stop.abort();
    await run;
  }
});

test('a sink that does not read a kind: versions are read from the events', async () => {
  const stream = new Stream().push(end('5'));
  const { client, sink, informers, stop } = prepare([stream, new Stream()], { kinds: [KINDS[0]] });
  sink.apply = () => ({});
  const run = informers.run();
  await informers.synced();
  stream.push({ type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '8' } } }).end();
  await settle();
  assert.equal(client.requests[1].resourceVersion, '8');
  stop.abort();
  await run;
});

test('a sink without an answer: an ERROR is still handled', async () => {
  const status = {
    kind: 'Status',
    status: 'Failure',
    code: 410,
    reason: 'Expired',
    message: 'old',
  };
  const stream = new Stream().push(end('5'), { type: 'ERROR', object: status });
  const { informers, stop, sink } = prepare([stream], { kinds: [KINDS[0]] });
  sink.apply = () => undefined;
  const run = informers.run();
  await settle();
  assert.deepEqual(informers.status()[0].lastError, { at: 0, reason: 'Expired', message: 'old' });
  stop.abort();
  await run;
});

test('an error of a caller’s function ends the run', async () => {
  const fault = new TypeError('a bug');
  const throwing = () => {
    throw fault;
  };
  const cases = [
    ['sink', { sink: { apply: throwing } }],
    ['onStatus', { onStatus: throwing }],
    ['onError', { onError: throwing }],
  ];
  for (const [name, options] of cases) {
    const { client, clock, informers } = prepare([absent()], options);
    const waits = assert.rejects(informers.synced(), fault);
    await assert.rejects(informers.run(), fault, name);
    await waits;
    await settle();
    assert.ok(
      client.asked.every(({ signal }) => signal.aborted),
      name,
    );
    assert.deepEqual(clock.sleeping(), [], name);
  }
});

test('options that cannot be are refused', () => {
  const client = new ScriptedClient();
  const sink = new RecordingSink();
  const cases = [
    [{ client, sink, kind: [] }, 'kind'],
    [{ sink }, 'client'],
    [{ client }, 'sink'],
    [{ client, sink, clock: virtualClock() }, 'clock'],
    [{ client, sink, kinds: 'pods' }, 'kinds'],
    [{ client, sink, kinds: [] }, 'kinds'],
    [{ client, sink, kinds: ['pods'] }, 'kinds[0]'],
    [{ client, sink, kinds: [{ version: 'v1' }] }, 'kinds[0]'],
    [{ client, sink, kinds: [{ resource: 'pods', version: 'v1', namespace: 'a' }] }, 'kinds[0]'],
    [{ client, sink, kinds: [{ resource: 'a/b', version: 'v1' }] }, 'kinds[0]'],
    [{ client, sink, kinds: [{ resource: 'pods', version: 'v1', group: 'a/b' }] }, 'kinds[0]'],
    [{ client, sink, kinds: [{ resource: 'pods', version: 'v1', labelSelector: 1 }] }, 'kinds[0]'],
    [{ client, sink, kinds: [{ resource: 'pods', version: 'v1', optional: 1 }] }, 'kinds[0]'],
    [{ client, sink, kinds: [...KINDS, { ...KINDS[1] }] }, 'kinds[2]'],
  ];
  for (const [options, field] of cases)
    assert.throws(
      () => createInformers(options),
      (error) => error instanceof ConfigurationError && error.errors[0].field === field,
      JSON.stringify(field),
    );
});
