// Goal: the clusters that come with the page open, and their pods find nodes.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadEngine } from '../../js/src/index.js';
import { Playground } from '../../web/src/worker/playground.js';
import { ARTIFACTS } from '../support/targets.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });
const CLUSTERS = new URL('../../web/clusters/', import.meta.url);

/** By file: the numbers of nodes and of scheduled pods. */
const EXPECTED = {
  'empty.yaml': [0, 0],
  'five-thousand-nodes.yaml': [5000, 2000],
  'three-zones.yaml': [12, 40],
};

test('every cluster has a test', () => {
  assert.deepEqual(readdirSync(CLUSTERS).sort(), Object.keys(EXPECTED));
});

for (const [name, [nodes, pods]] of Object.entries(EXPECTED)) {
  test(`${name} schedules every pod`, async (t) => {
    const playground = new Playground({ engine, readFile: async () => [] });
    t.after(() => playground.close());
    const { update } = await playground.open(readFileSync(new URL(name, CLUSTERS), 'utf8'));
    assert.deepEqual([update.errors, update.cluster.nodes.length], [[], nodes]);
    const { rows, isIdle } = await playground.steps(pods + 1);
    const placed = rows.filter(({ kind, result }) => kind === 'Decision' && result === 'scheduled');
    assert.deepEqual([placed.length, isIdle], [pods, true]);
  });
}
