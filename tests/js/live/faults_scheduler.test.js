// Goal: under any fate of its calls and watches, a live scheduler binds every pod that fits, once.
// Method: pods come and go while requests are lost, late, refused and answered out of order, and
// the API server is killed; the server counts. A seed is played again with `--test-name-pattern
// 'seed 7$'`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScheduledCluster } from './scheduled_cluster.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const BAD_WEATHER = {
  slow: 0.1,
  refused: 0.02,
  lostRequest: 0.05,
  lostAnswer: 0.05,
  lateRequest: 0.05,
  tooMany: 0.05,
  wrong: 0.05,
  expiredToken: 0.02,
  gone: 0.05,
  tooLarge: 0.02,
  noStream: 0.3,
  closedAtOnce: 0.03,
  'read.brokenBody': 0.2,
  'write.brokenBody': 0.02,
  cut: 0.3,
  foreign: 0.03,
  stale: 0.1,
  didNothing: 0.05,
};

for (const seed of [1, 2, 3, 4, 5]) {
  test(`pods come and go, and everything goes wrong at times: seed ${seed}`, async () => {
    const cluster = new ScheduledCluster({ seed });
    const { clock, random, ledger, apiserver } = cluster;
    const scheduler = cluster.startScheduler('a', {
      odds: BAD_WEATHER,
      options: { leaderElection: false },
    });
    cluster.create('never', { cpu: '99' });
    for (let round = 0; round < 40; round += 1) {
      cluster.createPods(random.below(10));
      if (random.chance(0.3)) cluster.deletePod();
      if (random.chance(0.05)) apiserver.server.compact();
      await clock.advance(random.below(20 * SECOND));
      if (round % 12 !== 6) continue;
      cluster.killApiServer();
      await clock.advance(random.below(10 * SECOND));
      apiserver.start(random.pick(['later', 'earlier']));
    }
    cluster.calmDown();
    await clock.until(() => cluster.unbound.length === 1, 30 * MINUTE);
    await clock.advance(30 * MINUTE);
    assert.deepEqual(cluster.unbound, ['default/never']);
    assert.deepEqual(ledger.boundTwice, []);
    await cluster.assertKnown(scheduler);
    assert.deepEqual(scheduler.failures, []);
    await cluster.end();
  });
}

// Goal: silence does not use up the calls that may be under way at once.
test('half of all calls are lost, many of them without a word: seed 1', async () => {
  const cluster = new ScheduledCluster({ seed: 1 });
  const { clock, ledger } = cluster;
  const scheduler = cluster.startScheduler('a', {
    odds: { 'write.lostRequest': 0.3, 'write.lostAnswer': 0.2 },
    options: { leaderElection: false, maxConcurrentCalls: 4 },
  });
  cluster.createPods(60);
  await clock.until(() => cluster.unbound.length === 0, 30 * MINUTE);
  scheduler.run.network.calm();
  await clock.advance(2 * MINUTE);
  assert.deepEqual(ledger.boundTwice, []);
  await cluster.assertKnown(scheduler);
  await cluster.end();
});
