// Goal: changes that cannot be made are not lost. Method: the panel's state over a session with a
// playground in this process.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../../js/src/index.js';
import { Session } from '../../../../web/src/page/session.js';
import { deskOf } from '../../../../web/src/page/whatif/desk.js';
import { withPlainErrors } from '../../../../web/src/worker/plain_errors.js';
import { Playground } from '../../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../../support/targets.js';
import { node } from '../../world/objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

test('changes stay if one is about a node that is gone, and are made without it', async (t) => {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  const session = new Session(/** @type {any} */ (withPlainErrors(playground)));
  const head = { apiVersion: 'stowage/v1', kind: 'Scenario', title: 'Changes' };
  await session.open(JSON.stringify({ ...head, objects: [node('a'), node('b')] }), 'test');
  const desk = deskOf(session);
  desk.add({ type: 'addNodes', like: 'a', count: 1 });
  desk.add({ type: 'addNodes', like: 'b', count: 1 });
  const [ofA, ofB] = desk.changes.value;
  await session.do({ do: 'delete', objects: [{ apiVersion: 'v1', kind: 'Node', name: 'b' }] });
  await desk.make();
  assert.deepEqual(desk.changes.value, [ofA, ofB]);
  assert.deepEqual([...session.cluster.value.nodes.keys()], ['a']);
  desk.remove(ofB);
  await desk.make();
  assert.deepEqual(desk.changes.value, []);
  assert.equal(session.cluster.value.nodes.size, 2);
});
