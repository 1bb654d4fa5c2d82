import assert from 'node:assert/strict';
import test from 'node:test';

import { configuredWith } from '../../wasm/toolchain/build.js';

test('a build folder is deleted for another generator, compiler or preset file', () => {
  const build = /** @type {const} */ ({ preset: 'native', tests: true });
  const emscripten = /** @type {any} */ ({ stamp: 'emcc 3.1.69' });
  const first = configuredWith(build, 'Ninja', '{}');
  assert.equal(configuredWith(build, 'Ninja', Buffer.from('{}')), first);
  for (const other of [
    configuredWith(build, 'Unix Makefiles', '{}'),
    configuredWith({ ...build, emscripten }, 'Ninja', '{}'),
    configuredWith(build, 'Ninja', '{ }'),
  ]) {
    assert.notEqual(other, first);
  }
});
