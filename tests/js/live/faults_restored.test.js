// Goal: when etcd is restored from a backup, bound pods are unbound or bound elsewhere, and what
// was deleted is back; informers and scheduler come to know it, and every pod that fits is bound,
// whatever the history. Method: the API server is killed and comes back with what it had, or with
// an older backup, while requests go wrong in every way. A seed is played again with
// `--test-name-pattern 'seed 7$'`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScheduledCluster } from './scheduled_cluster.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const BAD_WEATHER = {
  slow: 0.1,
  lostAnswer: 0.05,
  lateRequest: 0.05,
  wrong: 0.05,
  gone: 0.05,
  tooLarge: 0.02,
  noStream: 0.5,
  foreign: 0.05,
  stale: 0.3,
  didNothing: 0.1,
  'read.brokenBody': 0.1,
  cut: 0.3,
};

// Goal: without other faults one relist is enough, wherever versions go on from.
for (const versions of /** @type {const} */ (['earlier', 'later'])) {
  for (const seed of [1, 2]) {
    test(`a restored backup, with ${versions} versions: seed ${seed}`, async () => {
      const cluster = new ScheduledCluster({ seed });
      const { clock, apiserver } = cluster;
      const scheduler = cluster.startScheduler('a', { options: { leaderElection: false } });
      cluster.createPods(10);
      apiserver.backUp();
      await clock.until(() => cluster.unbound.length === 0);
      cluster.createPods(10);
      cluster.deletePod();
      await clock.until(() => cluster.unbound.length === 0);
      cluster.killApiServer();
      apiserver.start(versions, 'restored');
      assert.equal(cluster.unbound.length, 10);
      await clock.until(() => cluster.unbound.length === 0, 2 * MINUTE);
      await clock.advance(5 * MINUTE);
      await cluster.assertKnown(scheduler);
      assert.deepEqual(scheduler.failures, []);
      await cluster.end();
    });
  }
}

for (const seed of [1, 2, 3, 4]) {
  test(`state goes back again and again, among other faults: seed ${seed}`, async () => {
    const cluster = new ScheduledCluster({ seed });
    const { clock, random, apiserver } = cluster;
    const scheduler = cluster.startScheduler('a', {
      odds: BAD_WEATHER,
      options: { leaderElection: false },
    });
    cluster.create('never', { cpu: '99' });
    for (let round = 0; round < 40; round += 1) {
      cluster.createPods(random.below(10));
      if (random.chance(0.3)) cluster.deletePod();
      if (random.chance(0.3)) apiserver.backUp();
      if (random.chance(0.05)) apiserver.server.compact();
      await clock.advance(random.below(20 * SECOND));
      if (!random.chance(0.2)) continue;
      cluster.killApiServer();
      await clock.advance(random.below(10 * SECOND));
      apiserver.start(random.pick(['later', 'earlier']), random.pick(['kept', 'restored']));
    }
    cluster.calmDown();
    await clock.until(() => cluster.unbound.length <= 1, 30 * MINUTE);
    await clock.advance(30 * MINUTE);
    assert.deepEqual(
      cluster.unbound.filter((pod) => pod !== 'default/never'),
      [],
    );
    await cluster.assertKnown(scheduler);
    assert.deepEqual(scheduler.failures, []);
    await cluster.end();
  });
}
