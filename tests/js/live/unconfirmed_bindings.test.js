// Goal: a binding that no watch event confirms within two minutes is read back, and what the API
// server says of the pod counts. Method: answers that say yes and did nothing, watches that bring
// nothing, and what may come of the question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnconfirmedBindings } from '../../../js/src/live/unconfirmed_bindings.js';
import { makePod } from '../support/objects.js';
import { IdleClock } from './idle_clock.js';
import { ScheduledCluster } from './scheduled_cluster.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const options = { leaderElection: false };

/** @param {number} seed @param {object} [more] */
async function scheduled(seed, more) {
  const cluster = new ScheduledCluster({ seed });
  const { clock } = cluster;
  /** @type {any[]} */
  const log = [];
  const onLog = (/** @type {any} */ entry) => void log.push(entry);
  const scheduler = cluster.startScheduler('a', { options: { ...options, onLog, ...more } });
  await clock.advance(SECOND);
  const { network } = scheduler.run;
  const reads = () =>
    log.filter(({ message }) => message === 'No watch event confirmed the binding');
  const assumed = async () => (await scheduler.run.scheduler).inspect().assumed;
  return { cluster, clock, scheduler, network, log, reads, assumed };
}

for (const seed of [1, 2]) {
  test(`a binding that was not done is made again: seed ${seed}`, async () => {
    const { cluster, clock, scheduler, network, reads, assumed } = await scheduled(seed);
    network.odds = { 'write.didNothing': 1 };
    cluster.create('p', { cpu: '1' });
    await clock.advance(SECOND);
    network.odds = {};
    assert.deepEqual(await assumed(), ['default/p']);
    await clock.advance(115 * SECOND);
    assert.deepEqual(reads(), []);
    await clock.advance(10 * SECOND);
    assert.equal(reads().length, 1);
    assert.deepEqual(cluster.unbound, []);
    await cluster.assertKnown(scheduler);
    await clock.advance(10 * MINUTE);
    assert.equal(reads().length, 1);
    await cluster.end();
  });
}

// Goal: the report depends on the stored pod, and on its changes meanwhile. Method: a stand-in for
// the scheduler, and one for the API server.
test('a binding that the watch keeps to itself is confirmed, unless another came', async () => {
  const bound = makePod('p', { metadata: { uid: 'u' }, spec: { nodeName: 'n' } });
  const pending = makePod('p', { metadata: { uid: 'u' } });
  const cases = [
    { name: 'bound', object: bound, want: ['MODIFIED n'] },
    { name: 'pending', object: pending, want: ['DELETED', 'MODIFIED'] },
    { name: 'confirmed while it is read', object: bound, meanwhile: 'confirmed', want: [] },
    { name: 'gone while it is read', object: bound, meanwhile: 'gone', want: [] },
    { name: 'bound again while it is read', object: bound, meanwhile: 'bound', want: [] },
  ];
  for (const { name, object, meanwhile, want } of cases) {
    const clock = new IdleClock();
    const pod = 'default/p';
    const known = { assumed: true, uid: 'u' };
    /** @type {any[]} */
    const applied = [];
    const turn = /** @type {any} */ ({
      records: [{ kind: 'BindingResult', result: 'bound', pod }],
    });
    const bindings = new UnconfirmedBindings({
      clock,
      signal: new AbortController().signal,
      scheduler: /** @type {any} */ ({
        inspect: () => ({ ...known }),
        apply: (/** @type {any[]} */ events) => void applied.push(...events),
      }),
      client: {
        json: async () => {
          if (meanwhile === 'confirmed') known.assumed = false;
          if (meanwhile === 'gone') known.uid = 'other';
          if (meanwhile === 'bound') bindings.take(turn);
          return object;
        },
      },
      within: (read) => read(),
      onFault: assert.ifError,
    });
    bindings.take(turn);
    await clock.advance(119 * SECOND);
    assert.deepEqual(applied, [], name);
    await clock.advance(2 * SECOND);
    const said = applied.map(({ type, object: { spec } }) =>
      `${type} ${spec?.nodeName ?? ''}`.trim(),
    );
    assert.deepEqual(said, want, name);
  }
});

test('a pod that is gone, or has another under its name, makes room', async () => {
  const { cluster, clock, scheduler, network } = await scheduled(2);
  network.odds = { 'write.didNothing': 1 };
  cluster.create('p', { cpu: '1' });
  cluster.create('q', { cpu: '1' });
  await clock.advance(SECOND);
  network.lost = /\/pods\?.*watch/;
  network.breakAll();
  cluster.store.delete('pods', 'default', 'p');
  cluster.store.delete('pods', 'default', 'q');
  cluster.create('q', { cpu: '2' });
  network.odds = {};
  await clock.advance(3 * MINUTE);
  assert.deepEqual(cluster.unbound, []);
  network.calm();
  network.breakAll();
  await clock.advance(10 * MINUTE);
  await cluster.assertKnown(scheduler);
  await cluster.end();
});

test('an answer that is not a pod is ignored, and the pod is read again', async () => {
  const { cluster, clock, scheduler, network, reads, assumed, log } = await scheduled(2);
  network.odds = { 'write.didNothing': 1 };
  cluster.create('p', { cpu: '1' });
  await clock.advance(SECOND);
  for (const fault of ['foreign', 'wrong', 'lostAnswer', 'forbidden']) {
    network.odds = { [`read.${fault}`]: 1 };
    await clock.advance(4 * MINUTE);
    assert.deepEqual(await assumed(), ['default/p'], fault);
  }
  assert.deepEqual(reads(), []);
  const failed = log.filter(({ message }) => message.startsWith('Unable to read'));
  assert.ok(failed.length >= 4, String(failed.length));
  network.calm();
  await clock.advance(4 * MINUTE);
  assert.equal(reads().length, 1);
  await cluster.assertKnown(scheduler);
  await cluster.end();
});

test('nothing is read back if nothing is written', async () => {
  const { cluster, clock, reads, assumed } = await scheduled(2, { dryRun: true });
  cluster.create('p', { cpu: '1' });
  await clock.advance(10 * MINUTE);
  assert.deepEqual(reads(), []);
  assert.deepEqual(await assumed(), ['default/p']);
  await cluster.end();
});
