// Goal: of two schedulers at most one binds at a time, and pods are bound as long as one of them
// can, whatever becomes of the leader. Method: each binding is looked at where the API server
// stores it: who asked for it has to be the one whom the Lease names then. A seed is played again
// with `--test-name-pattern 'seed 7$'`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaderElectionLost } from '../../../js/src/live.js';
import { ScheduledCluster } from './scheduled_cluster.js';

/** @import { SchedulerProcess } from './scheduler_process.js' */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A lease lasts for 15 s, candidates look every 4.4 s at most, a first turn takes its time. */
const TAKEOVER_MS = 21 * SECOND;
/** One that is given up is taken at the next look. */
const HANDOVER_MS = 6 * SECOND;

/**
 * How a leader ceases to be one, and when the other one binds at the latest.
 * @type {Record<string, [(leader: SchedulerProcess) => void, number]>}
 */
const MISFORTUNES = {
  'cannot renew its lease': [({ run }) => void (run.network.lost = /\/leases\b/), TAKEOVER_MS],
  'is cut off': [({ run }) => void (run.network.isCutOff = true), TAKEOVER_MS],
  'stands still': [({ run }) => run.clock.stop(), TAKEOVER_MS],
  'is killed': [(leader) => leader.kill(), TAKEOVER_MS],
  'is replaced': [(leader) => leader.replace(), HANDOVER_MS],
};

async function twoReplicas() {
  const cluster = new ScheduledCluster({ seed: 1 });
  cluster.startScheduler('a');
  await cluster.clock.advance(10 * SECOND);
  cluster.startScheduler('b');
  await cluster.work(10);
  return cluster;
}

/** @param {ScheduledCluster} cluster */
function assertInOrder({ ledger, unbound }) {
  assert.deepEqual(ledger.usurped, []);
  for (const { by, holder, pod } of ledger.bindings) assert.equal(by, holder, pod);
  assert.deepEqual(ledger.boundTwice, []);
  assert.deepEqual(unbound, []);
}

for (const [name, [befall, withinMs]] of Object.entries(MISFORTUNES)) {
  test(`the leader ${name}: the other one takes over`, async () => {
    const cluster = await twoReplicas();
    const { clock, ledger } = cluster;
    const [a, b] = cluster.schedulers;
    const start = clock.now();
    befall(a);
    await cluster.work(30);
    const [first] = ledger.since(start).filter(({ by }) => by === b.run.identity);
    assert.ok(first?.at - start <= withinMs, `after ${first?.at - start} ms`);
    const later = ledger.since(first.at);
    assert.ok(later.every(({ by }) => by === b.run.identity));
    cluster.calmDown();
    await cluster.work(10);
    await clock.advance(10 * SECOND);
    assertInOrder(cluster);
    assert.deepEqual(b.failures, []);
    assert.ok(a.failures.every((error) => error instanceof LeaderElectionLost));
    await cluster.end();
  });
}

test('a process that stood still does not send its pending retries', async () => {
  const cluster = await twoReplicas();
  const { clock, ledger } = cluster;
  const [a, b] = cluster.schedulers;
  // All its bindings get a 429, and its process stands still for longer than the lease.
  a.run.network.odds = { 'write.tooMany': 1 };
  cluster.createPods(100);
  await clock.advance(500);
  a.run.clock.stop();
  a.run.network.calm();
  await cluster.work(40);
  assert.ok(ledger.since(clock.now() - 10 * SECOND).every(({ by }) => by === b.run.identity));
  a.run.clock.resume();
  await cluster.work(10);
  assertInOrder(cluster);
  await cluster.end();
});

const WEATHER = {
  refused: 0.02,
  lostRequest: 0.03,
  lostAnswer: 0.03,
  tooMany: 0.05,
  wrong: 0.03,
  'watch.cut': 0.2,
};

for (const seed of [1, 2, 3]) {
  test(`two replicas have one misfortune after the other: seed ${seed}`, async () => {
    const cluster = new ScheduledCluster({ seed });
    const { random, clock, ledger, apiserver } = cluster;
    const replicas = ['a', 'b'].map((name) => cluster.startScheduler(name, { odds: WEATHER }));
    for (let round = 0; round < 8; round += 1) {
      await cluster.work(1 + random.below(10));
      const [befall] = MISFORTUNES[random.pick(Object.keys(MISFORTUNES))];
      befall(random.pick(replicas));
      await cluster.work(1 + random.below(30));
      if (random.chance(0.2)) {
        cluster.killApiServer();
        await clock.advance(random.below(20 * SECOND));
        apiserver.start('later');
      }
      cluster.calmDown();
      for (const { run } of replicas) run.network.odds = WEATHER;
    }
    cluster.calmDown();
    await clock.advance(15 * MINUTE);
    assertInOrder(cluster);
    for (const replica of replicas) await cluster.assertKnown(replica);
    const leaders = new Set(ledger.bindings.map(({ by }) => by));
    assert.ok(leaders.size > 1, [...leaders].join());
    await cluster.end();
  });
}
