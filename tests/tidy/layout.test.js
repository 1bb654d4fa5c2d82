import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allFiles, assertNone, read } from './files.js';
import { BINDINGS_MAX, boundNames, lockedAddresses, topLevel } from './layout.js';

test('the top folder holds what it should and nothing else', () => {
  assert.deepEqual(topLevel(allFiles()), { surplus: [], missing: [] });
});

test('the boundary to JavaScript stays narrow', () => {
  const names = boundNames(read('wasm/bindings.cc'));
  assert.ok(names.length > 0 && names.length <= BINDINGS_MAX, names.join(', '));
  const surface = /^## The engine surface\n([^]*?)^## /m.exec(read('js/README.md'))?.[1] ?? '';
  for (const name of names) assert.match(surface, new RegExp(`\`${name}\\(`), name);
  assert.ok(read('.github/CONTRIBUTING.md').includes('the boundary, eleven functions;'));
  assert.equal(names.length, 11);
});

const PACKAGES = ['.', 'wasm/toolchain/bundler', 'wasm/toolchain/runtimes'];

test('no lockfile names a download address', () => {
  for (const folder of PACKAGES) assertNone(lockedAddresses(read(`${folder}/package-lock.json`)));
});

test('dependencies are pinned exactly', () => {
  for (const folder of PACKAGES) {
    const manifest = JSON.parse(read(`${folder}/package.json`));
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const versions = Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    });
    assert.ok(versions.length > 0, folder);
    for (const [name, version] of versions) {
      assert.match(String(version), /^(npm:[\w-]+@)?\d+\.\d+\.\d+$/, name);
    }
  }
});

test('CONTRIBUTING.md lists every dependency with its version', () => {
  const [, section] = /^## Dependencies\n([^]*)/m.exec(read('.github/CONTRIBUTING.md')) ?? [];
  const words = new Set(String(section).split(/[^\w@/.-]+/));
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    const short = name.replace(/^@codemirror\//, '');
    assert.ok(words.has(short) && words.has(String(version)), `${name} ${version}`);
  }
});

test('the rules of the layout find what they are for', () => {
  const { surplus, missing } = topLevel(['scratch.txt', '.ci/run', 'core/base/check.h']);
  assert.deepEqual(surplus, ['scratch.txt']);
  assert.ok(missing.includes('README.md') && !missing.includes('core'));
  assert.deepEqual(boundNames('function("run", &Run); emscripten::function(\n    "abi", &Abi);'), [
    'run',
    'abi',
  ]);
  const lock = { packages: { '': {}, 'node_modules/a': { resolved: 'https://x/a.tgz' } } };
  assert.equal(lockedAddresses(JSON.stringify(lock)).length, 1);
});
