// Goal: what is in progress is known exactly, and what has ended is freed. Method: random comings
// and goings beside a Set; the collector is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InProgress } from '../../../js/src/io/in_progress.js';
import { randomFor } from '../../sim/random.js';

/** @typedef {{ place: number, text?: string }} Item */

test('it has the same items as a Set', () => {
  const random = randomFor(1, 'in progress');
  const items = /** @type {InProgress<Item>} */ (new InProgress());
  const known = /** @type {Set<Item>} */ (new Set());
  for (let step = 0; step < 5000; step += 1) {
    const [oldest] = known;
    const some = [...known][Math.floor(random.next() * known.size)];
    if (known.size < 2 || random.next() < 0.5) {
      const item = { place: -1 };
      items.add(item);
      known.add(item);
    } else {
      const gone = random.next() < 0.3 ? oldest : some;
      items.remove(gone);
      known.delete(gone);
      assert.equal(gone.place, -1);
    }
    assert.equal(items.size, known.size);
    if (step % 100 === 0) assert.deepEqual(new Set(items.all()), known);
  }
});

test('a minor garbage collection frees what has ended', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const items = /** @type {InProgress<Item & { data: number[] }>} */ (new InProgress());
  const going = /** @type {(Item & { data: number[] })[]} */ ([]);
  const turnOver = () => {
    for (let count = 0; count < 20_000; count += 1) {
      const item = { place: -1, data: new Array(100).fill(count) };
      items.add(item);
      if (going.push(item) > 100) items.remove(/** @type {typeof item} */ (going.shift()));
    }
  };
  turnOver();
  collect();
  const before = process.memoryUsage().heapUsed;
  turnOver();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  const kept = process.memoryUsage().heapUsed - before;
  assert.ok(kept < 4_000_000, `${kept} of 17 MB`);
});
