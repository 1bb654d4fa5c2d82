// Goal: builds record their sources and tools, and do not depend on their folder.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { hashesIn, RECORD } from '../../wasm/toolchain/build_record.js';
import { NOTICES } from '../../wasm/toolchain/notices.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { differences } from '../../wasm/toolchain/reproduce.js';

const DIST = join(repository, 'js/dist');
const read = (/** @type {string} */ name) => readFileSync(join(DIST, name), 'latin1');
const names = Object.keys(hashesIn(DIST));

test('no file contains the path of the folder in which it was built', () => {
  assert.ok(names.includes('stowage.wasm') && names.includes('index.js'));
  const folders = [repository, process.env.HOME, 'file://'].filter(Boolean);
  for (const name of names) {
    for (const folder of folders) assert.ok(!read(name).includes(`${folder}/`), name);
  }
});

test('the module’s CHECK locations are paths in the repository', () => {
  const places = [...read('stowage.wasm').matchAll(/([\w./+-]+):\d+: CHECK\(/g)];
  assert.ok(places.length > 100, `${places.length}`);
  for (const [, path] of places) {
    assert.match(path, /^(core|wasm)\//);
    readFileSync(join(repository, path));
  }
  // Emscripten's own libraries are compiled under these paths.
  const paths = read('stowage.wasm').match(
    /(?<![\w.)}])\/[\w.+-]+(?:\/[\w.+-]+)+\.(?:cc?|cpp|h)\b/g,
  );
  const others = (paths ?? []).filter((path) => !path.startsWith('/emsdk/emscripten/system/'));
  assert.deepEqual(others, []);
});

test('the record names the toolchain exactly, and every file beside it by its SHA-256', () => {
  const record = JSON.parse(read(RECORD));
  const { [RECORD]: _own, ...others } = hashesIn(DIST);
  assert.deepEqual(record.sha256, others);
  assert.match(record.sha256['stowage.wasm'], /^[0-9a-f]{64}$/);
  const { debianPackages = [], ...versions } = record.toolchain;
  const parts = ['binaryen', 'clang', 'emscripten', 'esbuild', 'fmt', 'nlohmann_json', 'terser'];
  assert.deepEqual(Object.keys(versions).sort(), parts);
  for (const [part, version] of Object.entries(versions)) {
    assert.match(String(version), /^\d+(\.\d+)*$/, part);
  }
  for (const one of debianPackages) assert.match(one, /^[\w+.-]+_[\w%+.~-]+$/);
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  assert.equal(record.version, manifest.version);
});

test('the notices of the module name the parts that it is linked from', () => {
  const titles = read(NOTICES).match(/^\S+ .*\(.*\)$/gm) ?? [];
  for (const part of ['Emscripten', 'musl', 'libc++', 'compiler-rt', 'fmt', 'nlohmann/json']) {
    assert.ok(
      titles.some((title) => title.startsWith(`${part} `)),
      part,
    );
  }
});

test('two builds are compared file by file', () => {
  const here = { a: '1', b: '2', c: '3' };
  assert.deepEqual(differences(here, { ...here }), []);
  assert.deepEqual(differences(here, { a: '1', b: 'x', d: '4' }), ['b', 'c', 'd']);
});
