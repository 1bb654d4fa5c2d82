// Goal: the built page ships a notice for every package in it, and links to the notices. Method:
// the packages that the sources import by name, independent of the bundler.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { NOTICES } from '../../wasm/toolchain/notices.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { WEB_FOLDER } from '../../wasm/toolchain/web.js';

/** A package's name in an import or an export, a dynamic import, or CSS. */
const PACKAGE = /(?:\bfrom|\bimport|\bimport\(|@import)\s*['"]((?:@[\w-]+\/)?[a-z][\w.-]*)[/'"]/g;

/** @param {string} folder @returns {string[]} the texts of its sources */
function sourcesIn(folder) {
  return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(jsx?|css)$/.test(name))
    .map((name) => readFileSync(join(repository, folder, name), 'utf8'));
}

/** Without types, which are not bundled. @param {string} text */
const withoutComments = (text) => text.replace(/\/\*[^]*?\*\//g, '');

const notices = readFileSync(join(WEB_FOLDER, NOTICES), 'utf8');
const titles = new Set(notices.match(/^\S+(?= (?:of Emscripten )?\d[\w.]* \(.*\)$)/gm));

test('every package that the page imports has a notice', () => {
  const texts = sourcesIn('web/src').map(withoutComments);
  const names = texts.flatMap((text) => [...text.matchAll(PACKAGE)].map(([, name]) => name));
  const imported = [...new Set(names)].filter((name) =>
    existsSync(join(repository, 'node_modules', name)),
  );
  for (const name of ['preact', '@preact/signals', '@codemirror/view', 'comlink']) {
    assert.ok(imported.includes(name), name);
  }
  const missing = imported.filter((name) => !titles.has(name));
  assert.deepEqual(missing, []);
  // Packages of the API server in the worker, and dependencies of the editor's packages.
  for (const name of ['yaml', 'style-mod', 'w3c-keyname', 'crelt', '@preact/signals-core']) {
    assert.ok(titles.has(name), name);
  }
});

test('the WebAssembly module has its notices too', () => {
  for (const part of ['Emscripten', 'musl', 'libc++', 'libc++abi', 'compiler-rt', 'dlmalloc']) {
    assert.ok(titles.has(part), part);
  }
  for (const part of ['fmt', 'nlohmann/json']) assert.ok(titles.has(part), part);
});

test('the page links to the notices', () => {
  const scripts = readdirSync(join(WEB_FOLDER, 'assets')).filter((name) => name.endsWith('.js'));
  const texts = scripts.map((name) => readFileSync(join(WEB_FOLDER, 'assets', name), 'utf8'));
  assert.ok(texts.some((text) => new RegExp(`href:\\s*.${NOTICES}`).test(text)));
});
