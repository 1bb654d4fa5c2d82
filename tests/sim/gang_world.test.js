/** Goal: pod groups keep their promises while the API server is slow and refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadTarget } from '../support/targets.js';
import { GangWorld } from './gang_world.js';

const SEEDS = 40;
const STEPS = 60;

test('no part of a gang is bound, and none waits, whatever fails', async () => {
  const engine = await loadTarget('native');
  /** @type {Record<string, number>} */
  const counts = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const world = new GangWorld(engine, seed);
    try {
      world.play(STEPS);
    } catch (error) {
      assert.fail(`seed ${seed}: ${/** @type {Error} */ (error).message}`);
    }
    for (const [name, count] of Object.entries(world.counts)) {
      counts[name] = (counts[name] ?? 0) + count;
    }
  }
  for (const [name, count] of Object.entries(counts)) assert.ok(count > 20, `${name}: ${count}`);
});
