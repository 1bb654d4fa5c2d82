// Goal: no unintended file is published. Method: each file has to be named by another, from
// package.json on; files in wrong places are found.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

import { packedPackage } from './packed.js';
import { strayFiles } from './stray_files.js';

const installed = join(packedPackage(), 'node_modules/stowage');
const files = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const texts = new Map(files.map((file) => [relative(installed, file), readFileSync(file, 'utf8')]));

test('every file of the package is named by another', () => {
  assert.ok(texts.size > 600, `${texts.size}`);
  assert.deepEqual(strayFiles(texts), []);
});

test('files that do not belong to the package are found', () => {
  for (const [path, text] of [
    ['NOTES.md', ''],
    ['js/notes.md', ''],
    ['js/schema/draft.json', '{}'],
    ['js/src/notes.md', 'See [the README](../README.md).'],
    ['js/src/informer/DESIGN.md', ''],
    ['js/src/scratch.js', "import './index.js';"],
    ['js/src/edge/edge_handler.test.js', "import './edge_handler.js';"],
    ['js/src/edge/edge_handler.copy.js', "export * from './edge_handler.js';"],
    ['js/src/edge/answers.json', '{}'],
    ['js/src/runtimes/quickjs.js', ''],
    ['js/dist/chunk-2OLD2OLD.js', 'import"./index.js";'],
    ['js/dist/index.js.bak', ''],
    ['js/types/src/scratch.d.ts', 'export {};'],
    ['js/types/apiserver/scratch.d.ts', 'export {};'],
    ['build/web/draft.html', '<script src="./assets/index.js"></script>'],
    ['build/web/assets/worker-OLD2OLD2.js', ''],
  ])
    assert.deepEqual(strayFiles(new Map([...texts, [path, text]])), [path]);
});

test('files that only name each other are found', () => {
  const ring = new Map([
    ['js/src/one.js', "import './other.js';"],
    ['js/src/other.js', "/** @import { One } from './one.js' */"],
  ]);
  assert.deepEqual(strayFiles(new Map([...texts, ...ring])), [...ring.keys()]);
});
