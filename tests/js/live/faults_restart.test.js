// Goal: an API server that is killed in the middle of everything and comes back, with versions from
// which no watch can resume, costs its informers a relist and nothing else. Method: it is killed
// with watches, lists and writes under way; what was there is there again, and changes before
// any informer has come back. A seed is played again with `--test-name-pattern 'seed 7$'`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FollowedCluster } from './followed_cluster.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

for (const seed of [1, 2, 3, 4]) {
  test(`the server is killed and comes back, again and again: seed ${seed}`, async () => {
    const odds = { slow: 0.5, noStream: seed % 2 ? 0 : 0.9, refused: 0.05, cut: 0.1 };
    const followed = new FollowedCluster({ seed, odds });
    const { random, clock, apiserver } = followed;
    for (let round = 0; round < 10; round += 1) {
      followed.change(random.below(40));
      await clock.advance(random.pick([10, SECOND, 20 * SECOND]) * random.next());
      followed.change(random.below(10));
      followed.kill();
      await clock.advance(random.pick([0, SECOND, 5 * MINUTE]) * random.next());
      apiserver.start(random.pick(['later', 'earlier']));
      followed.change(random.below(30));
      if (random.chance(0.2)) apiserver.server.compact();
      await clock.advance(random.below(2 * MINUTE));
    }
    await followed.calmDown();
    followed.assertKnown();
    followed.assertWatching();
    await followed.end();
  });
}

// Goal: each kind relists once for one restart, and not at all where it can go on: behind the last
// version that was given out nothing is missing.
for (const { name, relists, versions, isCompacted } of /** @type {const} */ ([
  { name: 'goes on', versions: 'later', isCompacted: false, relists: 0 },
  { name: 'goes on, and is compacted', versions: 'later', isCompacted: true, relists: 1 },
  { name: 'was restored from a backup', versions: 'earlier', isCompacted: false, relists: 1 },
])) {
  test(`a server that ${name}: ${relists} relists of each kind`, async () => {
    const followed = new FollowedCluster({ seed: 1 });
    await followed.clock.advance(MINUTE);
    followed.kill();
    await followed.clock.advance(MINUTE);
    followed.apiserver.start(versions);
    followed.change(100);
    if (isCompacted) followed.apiserver.server.compact();
    await followed.calmDown();
    followed.assertKnown();
    for (const status of followed.informers.status())
      assert.equal(status.relists, relists, status.resource);
    await followed.end();
  });
}

test('pages of a list, whose history is compacted in between', async () => {
  const followed = new FollowedCluster({ seed: 1, odds: { noStream: 1 } });
  const { apiserver, clock } = followed;
  const create = (/** @type {string} */ name) =>
    followed.store.create('services', {
      metadata: { name, namespace: 'default' },
      spec: { clusterIP: 'None', ports: [{ port: 80 }] },
    });
  for (let count = 0; count < 1200; count += 1) create(`many-${1000 + count}`);
  await clock.advance(MINUTE);
  const pages = /** @type {number[]} */ ([]);
  apiserver.beforeServing = ({ url }) => {
    const { pathname, searchParams: query } = new URL(url);
    if (pathname !== '/api/v1/services' || query.has('watch')) return;
    pages.push(Number(query.get('limit')));
    if (!query.has('continue')) return;
    // One of those that were listed already, one of those that are still to come, and a new one.
    followed.store.delete('services', 'default', 'many-1001');
    followed.store.delete('services', 'default', 'many-2100');
    create('many-0');
    apiserver.server.compact();
  };
  followed.kill();
  apiserver.start('earlier');
  await clock.advance(5 * MINUTE);
  // At the last version, as often as Retry-After makes the client ask; in pages; then at once.
  assert.deepEqual(pages, [...Array(11).fill(0), 500, 500, 0]);
  await followed.calmDown();
  followed.assertKnown();
  await followed.end();
});
