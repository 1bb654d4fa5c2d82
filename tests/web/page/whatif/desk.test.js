// Goal: changes that cannot be made are not lost, and old answers are known as such. Method: the
// panel's state over a session with a playground in this process.
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

/** @param {import('node:test').TestContext} t */
async function opened(t) {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  const session = new Session(/** @type {any} */ (withPlainErrors(playground)));
  const head = { apiVersion: 'stowage/v1', kind: 'Scenario', title: 'Changes' };
  await session.open(JSON.stringify({ ...head, objects: [node('a'), node('b')] }), 'test');
  return { session, desk: deskOf(session) };
}

test('failures of another future at the same position are old', async (t) => {
  const { session, desk } = await opened(t);
  const { failures } = desk;
  await session.do({ do: 'apply', objects: [node('c')] });
  await failures.begin('nodes');
  assert.deepEqual([failures.total.value, failures.isOld.value], [3, false]);
  await session.back();
  assert.ok(failures.isOld.value);
  await session.do({ do: 'delete', objects: [{ apiVersion: 'v1', kind: 'Node', name: 'b' }] });
  assert.deepEqual([session.position.value, failures.isOld.value], [2, true]);
});

test('changes stay if one is about a node that is gone, and are made without it', async (t) => {
  const { session, desk } = await opened(t);
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
