// Goal: a call ends with an answer, whatever becomes of it, and what it leaves under way ends, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CallEnd } from '../../../js/src/io/call_end.js';
import { answerInTime, CallsUnderWay } from '../../../js/src/engine/calls_in_time.js';

const CALL = /** @type {any} */ ({ id: 1, kind: 'api' });
const never = () => new Promise(() => {});

test('the answer of perform is returned; its signal only ends with an error', async () => {
  const network = { error: 'network', message: 'reset' };
  const timeout = { error: 'timeout', message: 'no answer in time' };
  const cases = [
    { perform: () => ({ status: 201, body: '' }), want: { status: 201, body: '' }, ends: false },
    { perform: () => ({ status: 503, body: 'x' }), want: { status: 503, body: 'x' }, ends: false },
    { perform: () => timeout, want: timeout, ends: true },
    { perform: () => Promise.reject(new Error('reset')), want: network, ends: true },
    { call: { ...CALL, timeoutMs: 1 }, perform: never, want: timeout, ends: true },
  ];
  for (const { call = CALL, perform, want, ends } of cases) {
    const end = new CallEnd();
    assert.deepEqual(await answerInTime(call, end, perform), want);
    assert.equal(end.signal.aborted, ends, JSON.stringify(want));
  }
});

test('those under way end together, and so do those that begin afterwards', async () => {
  const calls = new CallsUnderWay();
  const make = () => calls.make((end) => answerInTime(CALL, end, never));
  const made = [make(), make()];
  assert.equal(calls.size, 2);
  await calls.end(new Error('enough'));
  const aborted = { error: 'aborted', message: 'enough' };
  assert.deepEqual(await Promise.all(made), [aborted, aborted]);
  assert.equal(calls.size, 0);
  const late = await make();
  assert.equal(late.error, 'aborted');
});
