// Goal: a map over another one is as a copy of it. Method: random operations on layers of three,
// compared with those on copies of a Map.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LayeredMap } from '../../../js/src/whatif/layered_map.js';

/** A sequence of numbers below 1. @param {number} seed */
function numbers(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

test('layers are as copies, in the order of their keys too', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = numbers(seed);
    /** @type {LayeredMap<number, { at: number }>} */
    let layered = new LayeredMap();
    let plain = new Map();
    /** @type {{ layered: typeof layered, entries: [number, { at: number }][] }[]} */
    const below = [];
    for (let at = 0; at < 60; at += 1) {
      const key = Math.floor(random() * 8);
      const kind = Math.floor(random() * 4);
      if (at % 20 === 19) {
        below.push({ layered, entries: structuredClone([...plain]) });
        [layered, plain] = [layered.layer(), new Map(structuredClone([...plain]))];
      } else if (kind === 0) {
        layered.delete(key);
        plain.delete(key);
      } else if (kind === 1) {
        const own = layered.own(key, (value) => ({ ...value }));
        if (own) own.at = plain.get(key).at = at;
      } else {
        layered.set(key, { at });
        plain.set(key, { at });
      }
      assert.deepEqual([...layered.entries()], [...plain], `seed ${seed}, ${at}`);
      assert.deepEqual([...layered.keys()], [...plain.keys()]);
      assert.deepEqual([...layered.values()], [...plain.values()]);
      assert.deepEqual([layered.has(key), layered.get(key)], [plain.has(key), plain.get(key)]);
    }
    for (const one of below) assert.deepEqual([...one.layered.entries()], one.entries);
  }
});
