import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine, whyNot } from '../../../js/src/index.js';
import { Attempts } from '../../../web/src/world/attempts.js';
import { KnownObjects } from '../../../web/src/world/known_objects.js';
import { Journal } from '../../../web/src/world/journal.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from './objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

test('an attempt of the past is explained as it was then', async (t) => {
  const journal = await Journal.begin({ engine });
  const attempts = new Attempts(engine);
  t.after(async () => {
    attempts.dispose();
    await journal.dispose();
  });
  await journal.do({ do: 'apply', objects: [node('a', '1'), pod('one'), pod('two')] });
  await journal.do({ do: 'step' });
  await journal.do({ do: 'step' });
  await journal.do({ do: 'apply', objects: [node('b')] });
  const decisions = journal.entries.flatMap(({ said }) =>
    said.filter(({ record }) => record.kind === 'Decision'),
  );
  assert.deepEqual(
    decisions.map(({ record }) => [record.pod, record.node]),
    [
      ['default/one', 'a'],
      ['default/two', null],
    ],
  );
  const { log } = journal.world;
  for (const { record, logLine } of decisions) {
    const { scheduler } = await attempts.moment({ log, line: logLine });
    const evaluation = scheduler.evaluate(record.pod);
    assert.deepEqual([evaluation.node, evaluation.message], [record.node, record.message]);
  }
  const before = await attempts.moment({ log, line: decisions[1].logLine });
  const refused = before.scheduler.evaluate('default/two', { detail: 'table' });
  assert.equal(whyNot(refused, 'a'), 'NodeResourcesFit refuses a: Insufficient cpu.');
  assert.deepEqual(refused.table?.nodes, ['a'], 'node b was not there yet');
  assert.deepEqual(namesOf(before, 'nodes'), ['a'], 'nor among the objects');
  assert.equal(before.objects.get('pods', 'default', 'one')?.spec.nodeName, 'a');
  assert.equal(before.objects.get('pods', 'default', 'none'), undefined);
});

test('objects that were deleted, or not listed again, are gone', () => {
  const line = (/** @type {object[]} */ ...items) => {
    const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
    return JSON.stringify({ now: 0, apply: 'lines', text });
  };
  const apps = { kind: 'ReplicaSet', metadata: { namespace: 'default', name: 'r' } };
  const bookmark = { kind: 'Node', metadata: { resourceVersion: '7' } };
  const objects = KnownObjects.ofLog([
    line({ type: 'SYNC_BEGIN', resource: 'nodes' }),
    line({ kind: 'NodeList', items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] }),
    line({ type: 'SYNC_END', resource: 'nodes' }),
    JSON.stringify({ now: 0, run: 1 }),
    line({ type: 'ADDED', object: apps }, { type: 'DELETED', object: node('b') }),
    line({ type: 'ADDED', object: node('c') }, { type: 'BOOKMARK', object: bookmark }),
  ]);
  assert.deepEqual(namesOf({ objects }, 'nodes'), ['a', 'c']);
  assert.deepEqual(namesOf({ objects }, 'replicasets'), ['r']);
  const again = line({ type: 'SYNC_BEGIN', resource: 'replicasets.v1.apps' });
  assert.deepEqual(
    KnownObjects.ofLog([line({ type: 'ADDED', object: apps }), again]).list('replicasets'),
    [],
  );
});

/**
 * @param {Pick<import('../../../web/src/world/attempts.js').Moment, 'objects'>} moment
 * @param {string} resource
 */
function namesOf({ objects }, resource) {
  return objects.list(resource).map(({ metadata }) => metadata.name);
}
