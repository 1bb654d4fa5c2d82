import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { repository } from '../../wasm/toolchain/paths.js';

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));

test('every script names existing files, and no two scripts are the same', () => {
  const scripts = Object.values(manifest.scripts);
  assert.equal(new Set(scripts).size, scripts.length);
  const files = scripts.flatMap((script) => script.match(/[\w/.]+\.js/g));
  for (const file of files) assert.ok(existsSync(join(repository, file)), file);
});

test('generated files are built before the package is packed', () => {
  assert.ok(manifest.files.includes('js/dist') && manifest.files.includes('js/types'));
  assert.ok(manifest.files.includes('build/web'));
  const [build, declarations, page] = manifest.scripts.prepack.split(' && ');
  assert.equal(build, manifest.scripts.build);
  assert.equal(declarations, 'node wasm/toolchain/check.js --declarations');
  assert.equal(page, manifest.scripts['build:web']);
});
