// Goal: the page shows the events that the scheduler wrote, and no others.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../../js/src/index.js';
import { bindingOf, eventOf } from '../../../../web/src/page/decision/event_text.js';
import { rowsOf } from '../../../../web/src/worker/timeline.js';
import { ARTIFACTS } from '../../../support/targets.js';
import { node, pod } from '../../world/objects.js';

/** @import { Decision, EngineRecord } from '../../../../js/src/engine/types.js' */

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/**
 * The scheduler's record, in the page's form.
 * @param {EngineRecord[]} records
 */
function told(records) {
  /** @type {Decision[]} */
  const decisions = [];
  const said = records.map((record) => ({ record, logLine: 0 }));
  const entry = {
    action: { do: /** @type {const} */ ('step') },
    at: 0,
    said,
    errors: [],
    hash: '',
  };
  const rows = rowsOf(entry, 1, (_, decision) => decisions.push(decision) - 1);
  const events = records.filter(({ kind }) => kind === 'Event');
  return {
    shown: decisions.flatMap(
      (decision, attempt) => eventOf(decision, bindingOf(rows, attempt)) ?? [],
    ),
    written: events.map(({ type, reason, note }) => ({ type, reason, message: note })),
  };
}

test('events are literally those of the record', () => {
  const scheduler = engine.createScheduler({ events: true });
  for (const object of [node('a', '1'), pod('one'), pod('two')]) scheduler.apply(object);
  const { records } = scheduler.run();
  const { shown, written } = told(records);
  assert.deepEqual(shown, written);
  assert.deepEqual(
    written.map(({ type, reason }) => `${type} ${reason}`),
    ['Normal Scheduled', 'Warning FailedScheduling'],
  );
  scheduler.dispose();
});

test('a binding that fails has the event of a failure, one under way has none', async () => {
  const scheduler = engine.createScheduler({ events: true, api: 'host' });
  for (const object of [node('a', '2'), pod('one')]) scheduler.apply(object);
  const first = scheduler.run();
  const binding = first.calls.find(({ verb }) => verb === 'bind');
  assert.ok(binding);
  assert.deepEqual(told(first.records).shown, [], 'it is not bound yet');
  const message = 'pods "one" is forbidden';
  const body = JSON.stringify({ kind: 'Status', status: 'Failure', code: 403, message });
  scheduler.complete(binding.id, { status: 403, body });
  const { records, calls } = scheduler.run();
  const posted = calls.filter(({ path }) => path?.endsWith('/events'));
  const written = posted.map(({ body: text }) => {
    const { type, reason, note } = JSON.parse(new TextDecoder().decode(text));
    return { type, reason, message: note };
  });
  assert.deepEqual(told([...first.records, ...records]).shown, written);
  assert.deepEqual(
    written.map(({ type, reason }) => `${type} ${reason}`),
    ['Warning FailedScheduling'],
  );
  scheduler.dispose();
});

test('a pod that the scheduler skips silently has no event', () => {
  const about = { pod: 'default/one', node: null };
  const failed = (/** @type {string} */ message) =>
    eventOf({ ...about, result: 'skipped', message }, undefined);
  assert.equal(failed('skip schedule assumed pod: default/one'), null);
  assert.equal(failed('skip schedule deleting pod: default/one')?.reason, 'FailedScheduling');
  assert.equal(eventOf({ ...about, result: 'gated', message: 'wait' }, undefined), null);
});
