/** Which pods wait while the cycle of a gang does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ExpectedCache } from './expected_cache.js';
import { GangBooks } from './gangs.js';

/** @param {string} name @param {string} [podGroupName] */
const pod = (name, podGroupName) => ({
  kind: 'Pod',
  metadata: { namespace: 'default', name, uid: `u-${name}` },
  spec: {
    schedulerName: 'default-scheduler',
    ...(podGroupName && { schedulingGroup: { podGroupName } }),
  },
});

/** @param {...object} pods */
function booksWith(...pods) {
  const told = new ExpectedCache(['default-scheduler'], ['Pod', 'PodGroup']);
  for (const object of pods) told.take({ type: 'ADDED', object });
  return new GangBooks(told);
}

test('the pods of a gang wait together, and no others with them', () => {
  const books = booksWith(pod('p', 'g'), pod('q', 'g'), pod('r', 'h'), pod('s'));
  const inFlight = ['default/p', 'default/q', 'default/r', 'default/s'];
  assert.deepEqual(books.waitingWith([], inFlight), []);
  assert.deepEqual(books.waitingWith(['default/p'], inFlight), ['default/p', 'default/q']);
  assert.deepEqual(books.waitingWith(['default/q', 'default/p'], inFlight), [
    'default/q',
    'default/p',
  ]);
  assert.deepEqual(books.waitingWith(['default/s'], inFlight), ['default/s']);
});

test('two scheduling cycles that wait at once are found', () => {
  const books = booksWith(pod('p'), pod('q'), pod('r', 'g'));
  for (const waiting of [
    ['default/p', 'default/q'],
    ['default/p', 'default/r'],
  ])
    assert.throws(() => books.waitingWith(waiting, waiting), { invariant: 'one cycle at a time' });
});
