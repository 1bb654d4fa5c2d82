import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Journal } from '../../../web/src/world/journal.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from './objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** @param {import('node:test').TestContext} t */
async function played(t) {
  const journal = await Journal.begin({
    engine,
    onError: (error) => assert.fail(/** @type {Error} */ (error)),
  });
  t.after(() => journal.dispose());
  const objects = [node('a'), node('b'), pod('one'), pod('two'), pod('three'), pod('four')];
  await journal.do({ do: 'apply', objects });
  for (let count = 0; count < 3; count += 1) await journal.do({ do: 'step' });
  await journal.do({ do: 'wait', for: 5000 });
  await journal.do({ do: 'apply', objects: [pod('five')] });
  while (!journal.world.isIdle) await journal.do({ do: 'step' });
  return journal;
}

/** @param {Journal} journal */
const placements = ({ world }) =>
  world.server.store
    .list('pods')
    .map(({ metadata, spec, status }) => [metadata.name, spec.nodeName, status.phase]);

test('the journal goes back to any step, and forward again', async (t) => {
  const journal = await played(t);
  const end = journal.position;
  const last = { placements: placements(journal), now: journal.world.now };
  const { hash } = journal.entries[end - 1];
  await journal.goTo(2);
  assert.equal(placements(journal).filter(([, where]) => where).length, 1);
  assert.equal(journal.entries.length, end, 'the future is still there');
  await journal.goTo(end);
  assert.deepEqual({ placements: placements(journal), now: journal.world.now }, last);
  assert.equal(journal.world.scheduler.hash, hash);
});

test('an action in the past begins another future', async (t) => {
  const journal = await played(t);
  await journal.goTo(1);
  const entry = await journal.do({ do: 'apply', objects: [node('c', '8')] });
  assert.deepEqual([journal.position, journal.entries.length], [2, 2]);
  assert.deepEqual(entry.errors, []);
  await journal.do({ do: 'step' });
  const { record } = journal.entries[2].said.find(
    ({ record: { kind } }) => kind === 'Decision',
  ) ?? { record: {} };
  assert.equal(record.node, 'c');
});

test('errors of the API server are reported, and the rest is done', async (t) => {
  const journal = await played(t);
  const { errors } = await journal.do({
    do: 'apply',
    objects: [pod('BAD'), pod('six')],
  });
  assert.equal(errors.length, 1);
  assert.match(String(errors[0]), /metadata\.name: Invalid value: "BAD"/);
  assert.ok(journal.world.server.store.get('pods', 'default', 'six'));
  await assert.rejects(journal.goTo(99), RangeError);
});

test('until a move ends, or if it is cancelled, the world stays unchanged', async (t) => {
  const journal = await played(t);
  const { world, position } = journal;
  const before = placements(journal);
  const giveUp = new AbortController();
  /** @type {number[]} */
  const reached = [];
  await journal.goTo(5, {
    signal: giveUp.signal,
    onPosition: (at) => {
      reached.push(at);
      assert.deepEqual([journal.world, journal.position], [world, position]);
      if (at === 2) giveUp.abort();
    },
  });
  assert.deepEqual(reached, [1, 2]);
  assert.deepEqual([journal.world, journal.position], [world, position]);
  assert.deepEqual(placements(journal), before);
  await journal.do({ do: 'apply', objects: [pod('six')] });
  assert.equal(journal.entries.length, position + 1, 'it goes on from there');
});

test('going forward continues in the present world', async (t) => {
  const journal = await played(t);
  await journal.goTo(2);
  const { world } = journal;
  /** @type {number[]} */
  const reached = [];
  await journal.goTo(5, { onPosition: (at) => void reached.push(at) });
  assert.deepEqual([journal.world, reached], [world, [3, 4, 5]]);
});
