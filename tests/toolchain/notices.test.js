// Goal: every bundled package has a license notice; otherwise bundling fails.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { linkedParts } from '../../wasm/toolchain/module_notices.js';
import { noticesText, packageFolder, packageNotices } from '../../wasm/toolchain/notices.js';
import { repository } from '../../wasm/toolchain/paths.js';

test('a bundled module belongs to its innermost package, the bundler, or this repository', () => {
  const modules = join(repository, 'node_modules');
  for (const [id, folder] of [
    ['/a/node_modules/yaml/dist/index.js', '/a/node_modules/yaml'],
    ['/a/node_modules/@lezer/lr/index.js?x', '/a/node_modules/@lezer/lr'],
    ['/a/node_modules/one/node_modules/two/x.js', '/a/node_modules/one/node_modules/two'],
    ['\0vite/preload-helper.js', join(modules, 'vite')],
    ['\0rolldown/runtime.js', join(modules, 'rolldown')],
    ['\0virtual:lesson-files', null],
    ['/a/js/src/index.js', null],
  ]) {
    assert.equal(packageFolder(String(id)), folder, String(id));
  }
});

test('a package has one notice from its license file; without one bundling fails', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-notices-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const put = (/** @type {object} */ manifest, /** @type {string[]} */ ...licences) => {
    const { name } = /** @type {{name: string}} */ (manifest);
    const place = join(folder, 'node_modules', name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
    for (const file of licences) writeFileSync(join(place, file), `the terms of ${name}\n`);
    return join(place, 'index.js');
  };
  const one = put({ name: 'one', version: '1.0.0', license: 'MIT' }, 'LICENCE.md');
  const two = put({ name: '@some/two', version: '2.0.0', license: 'ISC' }, 'COPYING');
  assert.deepEqual(packageNotices([one, join(folder, 'own.js'), two, one.replace('index', 'b')]), [
    { name: 'one', version: '1.0.0', licence: 'MIT', text: 'the terms of one\n' },
    { name: '@some/two', version: '2.0.0', licence: 'ISC', text: 'the terms of @some/two\n' },
  ]);
  for (const bare of [
    put({ name: 'textless', version: '1.0.0', license: 'MIT' }),
    put({ name: 'nameless', version: '1.0.0' }, 'LICENSE'),
  ]) {
    assert.throws(() => packageNotices([one, bare]), {
      code: 'SetupNeeded',
      message: /(textless|nameless) 1\.0\.0 is bundled, but/,
    });
  }
});

test('notices are sorted, and equal texts appear once', () => {
  const notice = (/** @type {string} */ name, text = 'terms\n') => ({
    ...{ name, version: '1.0.0', licence: 'MIT', text },
  });
  const text = noticesText('It contains', [notice('b'), notice('c', 'other'), notice('a')]);
  const line = '='.repeat(80);
  const parts = ['a 1.0.0 (MIT)\nb 1.0.0 (MIT)\n\nterms\n', 'c 1.0.0 (MIT)\n\nother\n'];
  const head = 'It contains the following software, under these licences.\n';
  assert.equal(text, `${[head, ...parts.map((part) => `${line}\n${part}`)].join('\n')}\n`);
});

test('linked parts are identified by their archives; an unknown archive is refused', () => {
  const row = (/** @type {string} */ archive) =>
    `       -       11      3b4                 /sysroot/lib/${archive}(part.o):(f)\n`;
  const own = 'core/base/libstowage_base.a(check.cc.o):(f)\n';
  const always = ['Emscripten', 'fmt', 'libc++', 'nlohmann/json'];
  assert.deepEqual(linkedParts(own + row('libnoexit.a')), always);
  assert.deepEqual(
    linkedParts(row('libc.a') + row('libclang_rt.builtins.a') + row('libc.a')),
    [...always, 'compiler-rt', 'musl'].sort(),
  );
  assert.throws(() => linkedParts(row('libc.a') + row('libmimalloc.a')), {
    code: 'SetupNeeded',
    message: /libmimalloc\.a/,
  });
});
