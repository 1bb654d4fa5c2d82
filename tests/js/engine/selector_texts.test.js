// Goal: selectors of devices with odd numbers, deep nesting and great length are evaluated or
// refused, alike in WebAssembly, where the stack is small, and natively; the engine goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claim, deviceClass, request, slice } from '../apiserver/devices.js';
import { makeNode, makePod } from '../support/objects.js';
import { startNative, startWasm } from '../support/real_engine.js';

const engines = [(await startNative()).engine, (await startWasm()).engine];

const IN_VAIN = /CEL compile error/;

/** Selectors that are true, by what is odd about them. */
const TRUE = {
  'a number that is none': 'double("NaN") != double("nan")',
  infinity: 'double("-inf") < 0.0 && double("Infinity") > 0.0',
  'an exponent': 'double("1.5e3") == 1500.0 && 1e-400 == 0.0',
  parentheses: `${'('.repeat(240)}true${')'.repeat(240)}`,
  negations: `${'!'.repeat(240)}true`,
  lists: `size(${'['.repeat(120)}1${']'.repeat(120)}) == 1`,
  conditions: `${'true ? true : '.repeat(200)}true`,
  comprehensions: `${'[1].all(x, '.repeat(20)}true${')'.repeat(20)}`,
  calls: `"a"${'.lowerAscii()'.repeat(240)} == "a"`,
  'a long text': `size("${'x'.repeat(9_000)}") == 9000`,
};

/** Selectors that are refused. */
const REFUSED = {
  'an exponent without digits': 'double("1e") > 0.0',
  'no digits': 'double(".") > 0.0',
  'an empty number': 'double("") > 0.0',
  'a sign before nan': 'double("-nan") > 0.0',
  'a number out of range': '1e400 > 0.0',
  'too many levels': `${'('.repeat(2_000)}true${')'.repeat(2_000)}`,
  'too long': Array(1_500).fill('true').join(' && '),
};

/** @param {import('../../../js/src/index.js').Engine} engine @param {string} expression */
async function decided(engine, expression) {
  const scheduler = engine.createScheduler();
  const requests = [request({ selectors: [{ cel: { expression } }] })];
  const resourceClaims = [{ name: 'gpu', resourceClaimName: 'c' }];
  scheduler.apply([makeNode('n1'), deviceClass(), slice(), claim({ requests })]);
  scheduler.apply(makePod('p', { spec: { resourceClaims } }));
  const decisions = await scheduler.schedule();
  scheduler.dispose();
  const { result, message = '' } = decisions[decisions.length - 1];
  return { result, message };
}

for (const [title, expression] of Object.entries({ ...TRUE, ...REFUSED }))
  test(`both engines agree on selectors: ${title}`, async () => {
    const [native, wasm] = await Promise.all(engines.map((engine) => decided(engine, expression)));
    assert.deepEqual(wasm, native);
    if (title in TRUE) assert.equal(native.result, 'scheduled', native.message);
    else assert.match(native.message, IN_VAIN);
  });
