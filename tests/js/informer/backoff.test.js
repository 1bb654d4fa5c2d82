// Goal: the waits are those of client-go's reflector.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../../js/src/informer/backoff.js';

test('waits double up to 30 seconds, plus as much by chance', () => {
  for (const chance of [0, 0.5, 0.999]) {
    const backoff = new Backoff({ clock: { now: () => 0 }, random: () => chance });
    const waits = Array.from({ length: 8 }, () => Math.round(backoff.next() / (1 + chance)));
    assert.deepEqual(waits, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  }
});

test('the backoff resets after two minutes without a failure', () => {
  let now = 0;
  const backoff = new Backoff({ clock: { now: () => now }, random: () => 0 });
  backoff.next();
  now += 120_000;
  assert.equal(backoff.next(), 1600);
  now += 120_001;
  assert.equal(backoff.next(), 800);
});
