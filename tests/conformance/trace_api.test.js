/** The calls that the API server of a trace leaves open, and until when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TraceApi } from './trace_api.js';

const pod = 'default/p';
const uid = 'u';
const path = '/api/v1/namespaces/default/persistentvolumeclaims/c';
const write = (/** @type {number} */ id, of = pod) => ({
  id,
  pod: of,
  verb: 'update',
  path,
  body: JSON.stringify({ kind: 'PersistentVolumeClaim', metadata: { name: 'c' } }),
});

/** @param {object} [cycle] */
function cycleStep(cycle) {
  const expect = { cycle: { pod, uid, bindPhase: 'PreBind', ...cycle }, apiWrites: [{}, {}] };
  return { op: 'cycle', bind: 'pending', expect };
}

/** @param {any[]} completions */
const ids = (completions) => completions.map(({ call }) => call);

test('the last write before a wait is answered for the step at which the wait ends', () => {
  const api = new TraceApi();
  api.begin(cycleStep());
  assert.deepEqual(ids(api.answer([write(1)])), [1]);
  assert.deepEqual(ids(api.answer([write(2)])), []);
  assert.equal(api.effects.apiWrites.length, 2, 'both were asked for in their step');
  api.begin({
    op: 'event',
    object: { kind: 'Pod', metadata: { namespace: 'default', name: 'p' } },
  });
  assert.deepEqual(api.releaseWrite(), []);
  api.begin({ op: 'bindResult', pod: 'default/other', uid });
  assert.deepEqual(api.releaseWrite(), []);
  api.begin({ op: 'bindResult', pod, uid });
  assert.deepEqual(ids(api.releaseWrite()), [2]);
  assert.deepEqual(api.releaseWrite(), [], 'once');
});

test('other writes are answered at once', () => {
  const cases = /** @type {[object, string][]} */ ([
    [cycleStep({ bindPhase: 'Bind' }), pod],
    [cycleStep(), 'default/other'],
  ]);
  for (const [step, of] of cases) {
    const api = new TraceApi();
    api.begin(/** @type {any} */ (step));
    assert.deepEqual(ids(api.answer([write(1, of), write(2, of)])), [1, 2]);
  }
});
