// Goal: no input makes the engine's stack overflow, and an overflow would end the call with an
// EngineError without overwriting anything. Method: the linker put the stack below the data, so
// that it begins as zeros and an overflow leaves the memory; how deep it was is read from the
// memory, and a copy of the module with less stack overflows where the module itself does not.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { EngineError, loadEngine, StowageError } from '../../../js/src/index.js';
import { stackBytes, wasmLayout, withStackTop } from '../../support/wasm_layout.js';
import { makeList, makeNode, storedPod } from '../support/objects.js';
import { modulePath, startWasm } from '../support/real_engine.js';

const module = await readFile(modulePath);
const { stackTop, dataStart } = wasmLayout(module);

test('the stack lies below the static data', () => {
  assert.equal(stackTop, 256 * 1024);
  assert.ok(dataStart >= stackTop, `data from ${dataStart}`);
});

const schedulerName = 'default-scheduler';
const cluster = [
  makeNode('a', { cpu: '2' }),
  storedPod('low', { cpu: '2', spec: { nodeName: 'a', priority: 1 } }),
  storedPod('high', { cpu: '1', spec: { priority: 9, schedulerName } }),
];

/**
 * The results of the preemptor's attempts.
 * @param {import('../../../js/src/index.js').Engine} engine
 */
async function decide(engine) {
  const scheduler = engine.createScheduler({ seed: 1 });
  scheduler.apply(makeList(...cluster));
  const decisions = await scheduler.schedule();
  scheduler.dispose();
  return decisions.map(({ result }) => result);
}

test('an overflow is an EngineError, or changes nothing', async () => {
  const right = ['unschedulable', 'scheduled'];
  const ends = { decided: 0, stopped: 0 };
  for (let size = 256; size <= stackTop; size *= 2) {
    /** @type {import('../../../js/src/index.js').Engine} */
    let engine;
    try {
      engine = await loadEngine({ wasm: withStackTop(module, size) });
      assert.deepEqual(await decide(engine), right, `${size} bytes of stack`);
      ends.decided += 1;
    } catch (error) {
      assert.ok(error instanceof StowageError, String(error));
      ends.stopped += 1;
      if (!engine) continue;
      assert.ok(error instanceof EngineError, String(error));
      assert.throws(() => engine.createScheduler(), EngineError);
    }
  }
  assert.ok(ends.decided > 0 && ends.stopped > 0, JSON.stringify(ends));
});

/** @param {number} depth @param {string} open @param {string} inner @param {string} close */
const nested = (depth, open, inner, close) => open.repeat(depth) + inner + close.repeat(depth);

const DEPTH = 100_000;
const pod = (/** @type {string} */ spec) =>
  `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"d","uid":"u"},"spec":${spec}}`;
const list = nested(DEPTH, '{"apiVersion":"v1","kind":"List","items":[', pod('{}'), ']}');
const values = {
  arrays: nested(DEPTH, '[', '', ']'),
  objects: nested(DEPTH, '{"a":', '1', '}'),
  'objects called object': nested(DEPTH, '{"type":"ADDED","object":', '1', '}'),
  lists: list,
  'arrays that nothing closes': '['.repeat(DEPTH),
};

for (const [name, value] of Object.entries(values)) {
  test(`any depth of ${name} takes little stack`, async () => {
    const { engine, memory } = await startWasm();
    const scheduler = engine.createScheduler();
    scheduler.apply(cluster);
    const attempts = [
      () => scheduler.apply(value),
      () => scheduler.apply(pod(value)),
      () => scheduler.apply(pod(`{"nodeSelector":${value}}`)),
      () => scheduler.apply(pod(`{"containers":[{"resources":{"requests":${value}}}]}`)),
      () => scheduler.apply(`{"type":"MODIFIED","object":${value}}`),
      () => scheduler.apply(`{"type":"COMPLETION","call":1,"status":200,"body":${value}}`),
      () => scheduler.apply(value, { format: 'lines' }),
      () => engine.createScheduler({ configuration: value }),
      () => engine.createScheduler({ configuration: `{"profiles":${value}}` }),
      () =>
        engine.createScheduler({
          configuration: `{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":${value}}]}]}`,
        }),
    ];
    for (const attempt of attempts) assert.throws(attempt, StowageError, attempt.toString());
    assert.equal(engine.failure, null);
    assert.deepEqual(await decide(engine), ['unschedulable', 'scheduled']);
    const used = stackBytes(memory(), stackTop);
    assert.ok(used < stackTop / 4, `${used} bytes of stack`);
  });
}
