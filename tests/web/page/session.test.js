// Goal: what the page shows belongs together, also after something was refused. Method: a session
// with a playground in this process.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Session } from '../../../web/src/page/session.js';
import { withPlainErrors } from '../../../web/src/worker/plain_errors.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from '../world/objects.js';

/** @import { TestContext } from 'node:test' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** @param {TestContext} t @param {object[]} objects */
async function opened(t, objects) {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  const session = new Session(/** @type {any} */ (withPlainErrors(playground)));
  const head = { apiVersion: 'stowage/v1', kind: 'Scenario', title: 'A session' };
  await session.open(JSON.stringify({ ...head, objects }), 'test');
  return session;
}

test('a pod of another scheduler has no decision, and the queues stay up to date', async (t) => {
  const foreign = { ...pod('foreign'), spec: { ...pod('foreign').spec, schedulerName: 'volcano' } };
  const session = await opened(t, [node('a'), pod('one', '9'), foreign]);
  await session.selectPod('default/one');
  assert.equal(session.evaluation.value?.pod, 'default/one');
  await session.selectPod('default/foreign');
  assert.equal(session.evaluation.value, null);
  assert.match(session.unreadable.value, /^Pod default\/foreign: .* no profile has the name/);
  assert.equal(session.fault.value, null);
  await session.step();
  const { counts } = session.inspection.value ?? {};
  assert.deepEqual([counts?.active, counts?.unschedulable], [0, 1]);
  await session.selectPod('default/one');
  assert.deepEqual(
    [session.evaluation.value?.result, session.unreadable.value],
    ['unschedulable', ''],
  );
});

test('the errors of several actions are shown together', async (t) => {
  const session = await opened(t, [node('a')]);
  const reference = (/** @type {string} */ name) => ({ apiVersion: 'v1', kind: 'Node', name });
  await session.do(
    { do: 'delete', objects: [reference('gone')] },
    { do: 'apply', objects: [node('b')] },
    { do: 'delete', objects: [reference('lost')] },
    { do: 'delete', objects: [reference('a')] },
  );
  assert.deepEqual([...session.cluster.value.nodes.keys()], ['b']);
  assert.match(String(session.fault.value?.message), /"gone" not found\n.*"lost" not found$/);
  assert.equal(session.position.value, 5);
  await session.step();
  assert.equal(session.fault.value, null);
});
