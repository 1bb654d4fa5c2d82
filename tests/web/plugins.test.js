/** Goal: each sample plugin does what its text says, and is short. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { loadEngine } from '../../js/src/index.js';
import { sampleName } from '../../web/src/page/plugins/sample_name.js';
import { World } from '../../web/src/world/world.js';
import { ARTIFACTS } from '../support/targets.js';
import { node, pod } from './world/objects.js';
import { textModules } from './world/text_modules.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });
const FOLDER = new URL('../../web/plugins/', import.meta.url);

/** @type {Record<string, (world: World) => Promise<unknown>>} what each comes to */
const OUTCOMES = {
  async filter_even_numbers(world) {
    await world.do({ do: 'apply', objects: [node('n1'), node('n2'), pod('p')] });
    await world.do({ do: 'step' });
    assert.deepEqual(placed(world), ['n2']);
  },
  async gate_held_pods(world) {
    const held = { ...pod('p'), metadata: { name: 'p', labels: { hold: 'yes' } } };
    await world.do({ do: 'apply', objects: [node('n1'), held] });
    assert.equal(world.isIdle, true);
    const object = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'p' };
    await world.do({ do: 'patch', object, patch: { metadata: { labels: { hold: null } } } });
    await world.do({ do: 'step' });
    assert.deepEqual(placed(world), ['n1']);
  },
  async permit_in_pairs(world) {
    await world.do({ do: 'apply', objects: [node('n1'), pod('p')] });
    await world.do({ do: 'step' });
    assert.deepEqual(placed(world), [undefined]);
    await world.do({ do: 'apply', objects: [pod('q')] });
    await world.do({ do: 'step' });
    assert.deepEqual(placed(world), ['n1', 'n1']);
  },
  async score_most_pods(world) {
    await world.do({ do: 'apply', objects: [node('n1'), node('n2'), pod('p', '1m')] });
    await world.do({ do: 'step' });
    const { rawScores, scores } = world.scheduler.evaluate(pod('q', '1m'), { detail: 'nodes' });
    assert.deepEqual([...(rawScores?.MostPods ?? [])].sort(), [0, 1]);
    assert.deepEqual([...(scores?.MostPods ?? [])].sort(), [0, 100]);
  },
};

/** @param {World} world */
function placed({ server }) {
  return server.store.list('pods').map(({ spec }) => spec.nodeName);
}

const names = readdirSync(FOLDER).map((name) => name.replace('.js', ''));

test('every sample has a test', () => {
  assert.deepEqual(names.sort(), Object.keys(OUTCOMES).sort());
  assert.equal(sampleName('filter_even_numbers'), 'Filter: even numbers');
});

for (const name of names) {
  test(`${name} does what it says`, async (t) => {
    const source = readFileSync(new URL(`${name}.js`, FOLDER), 'utf8');
    assert.ok(source.split('\n').length <= 25);
    const scheduler = { plugins: [{ source }] };
    const world = await World.open({ engine, scheduler, modules: textModules([source]) });
    t.after(() => world.dispose());
    await OUTCOMES[name](world);
  });
}
