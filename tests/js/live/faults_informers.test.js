// Goal: whatever becomes of connections, answers, credentials and histories, informers come to know
// what is there, no more and no less. Method: a cluster that changes, behind a network worse than
// reality; in the end what the lines have told, and what the engine has made of them, is compared
// with the server. A seed is played again with `--test-name-pattern 'seed 7$'`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FollowedCluster } from './followed_cluster.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A bit of everything. */
const BAD_WEATHER = {
  slow: 0.1,
  refused: 0.02,
  lostRequest: 0.03,
  lostAnswer: 0.03,
  tooMany: 0.04,
  wrong: 0.05,
  expiredToken: 0.03,
  forbidden: 0.01,
  gone: 0.08,
  tooLarge: 0.02,
  noStream: 0.3,
  closedAtOnce: 0.03,
  brokenBody: 0.2,
  cut: 0.4,
  foreign: 0.05,
  stale: 0.1,
};

/** @param {FollowedCluster} followed */
function breachesOf({ network: { counts } }) {
  const { 'breach within a line': within = 0, 'breach between lines': between = 0 } = counts;
  return { within, between };
}

test('watches are cut a thousand times, at any byte: seed 1', async () => {
  const followed = new FollowedCluster({ seed: 1, odds: { 'watch.cut': 0.9, noStream: 0.1 } });
  for (let cuts = 0; cuts < 1000;) {
    followed.change(1 + followed.random.below(20));
    await followed.clock.advance(followed.random.below(MINUTE));
    const { within, between } = breachesOf(followed);
    cuts = within + between;
  }
  await followed.calmDown();
  followed.assertKnown();
  followed.assertWatching();
  const { within, between } = breachesOf(followed);
  assert.ok(within > 600 && between > 100, `${within} within a line, ${between} between lines`);
  await followed.end();
});

for (const seed of [1, 2, 3, 4, 5]) {
  test(`everything goes wrong at times: seed ${seed}`, async () => {
    const history = seed % 2 ? 10 : undefined;
    const followed = new FollowedCluster({ seed, odds: BAD_WEATHER, history });
    for (let round = 0; round < 60; round += 1) {
      followed.change(followed.random.below(30));
      if (followed.random.chance(0.1)) followed.apiserver.server.compact();
      await followed.clock.advance(followed.random.below(MINUTE));
    }
    await followed.calmDown();
    followed.assertKnown();
    followed.assertWatching();
    await followed.end();
  });
}

// Goal: the test above has every fault.
test('every fault occurs, and is reported if it is not retried: seed 1', async () => {
  const faults = Object.keys(BAD_WEATHER);
  const odds = { ...Object.fromEntries(faults.map((fault) => [fault, 0.08])), noStream: 0.5 };
  const followed = new FollowedCluster({ seed: 1, odds });
  for (let round = 0; round < 20; round += 1) {
    followed.change(20);
    await followed.clock.advance(MINUTE);
  }
  await followed.end();
  assert.deepEqual(
    faults.filter((fault) => !followed.network.counts[fault]),
    [],
  );
  const codes = new Set(followed.errors.map(({ code }) => code));
  const connection = ['ConnectionRefused', 'ConnectionReset', 'Timeout'];
  for (const code of [...connection, 'Gone', 'Forbidden', 'InternalError', 'TooManyRequests'])
    assert.ok(codes.has(code), code);
});

// Goal: an informer that was away while the history was compacted relists, and drops the objects
// that were deleted meanwhile, without an event. Method: all watches end, or are silent, for ten
// minutes.
for (const breach of ['broken', 'silent']) {
  test(`the history is compacted while the watches are ${breach}`, async () => {
    const followed = new FollowedCluster({ seed: 1 });
    await followed.clock.advance(MINUTE);
    const relists = () => followed.informers.status().map((status) => status.relists);
    assert.ok(relists().every((count) => count === 0));
    followed.network.isCutOff = true;
    if (breach === 'broken') followed.network.breakAll();
    const { synthesised } = followed.known;
    const { DELETED: told } = followed.known.lines;
    for (let round = 0; round < 10; round += 1) {
      followed.change(100);
      await followed.clock.advance(MINUTE);
    }
    followed.apiserver.server.compact();
    await followed.calmDown();
    followed.assertKnown();
    followed.assertWatching();
    assert.deepEqual(
      relists(),
      relists().map(() => 1),
    );
    assert.ok(followed.known.synthesised - synthesised > 5);
    assert.equal(followed.known.lines.DELETED, told);
    await followed.end();
  });
}
