// Goal: the module describes faults in JSON as the native engine does. The module replaces two
// functions of the C library that these descriptions call (wasm/library_calls.cc).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNative, startWasm } from '../support/real_engine.js';

const engines = [(await startNative()).engine, (await startWasm()).engine];

const TEXTS = {
  'control characters': ['{"kind":"a\u0000"}', '{"kind":"\u0001"}', '{"kind":"\u001f', '[\u0007]'],
  numbers: ['{"a":1.5', '{"a":1e5 x}', '{"a":-}', '{"a":1e400}', '{"a":-1e999999}', '{"a":01}'],
  'long numbers': [`{"a":${'9'.repeat(400)}}`, `{"a":0.${'1'.repeat(400)} 2}`],
  'other faults': ['{', '{"a"}', 'nul', '[1,]', '{"a":"\\x"}', ''],
};

/** @param {import('../../../js/src/index.js').Engine} engine @param {string} text */
function faultOf(engine, text) {
  const scheduler = engine.createScheduler();
  /** @type {any[]} */
  const errors = [];
  scheduler.apply(text, { onError: (error) => errors.push(error) });
  scheduler.dispose();
  return errors.map(({ name, code, message }) => ({ name, code, message }));
}

for (const [title, texts] of Object.entries(TEXTS))
  test(`both engines describe faults alike: ${title}`, () => {
    for (const text of texts) {
      const [native, wasm] = engines.map((engine) => faultOf(engine, text));
      assert.deepEqual(wasm, native, text);
      if (text !== '') assert.equal(native.length, 1, text);
    }
  });
