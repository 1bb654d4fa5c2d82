import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine, whyNot } from '../../../js/src/index.js';
import { Attempts } from '../../../web/src/world/attempts.js';
import { Journal } from '../../../web/src/world/journal.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from './objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

test('a past attempt is explained as it was then', async (t) => {
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
});
