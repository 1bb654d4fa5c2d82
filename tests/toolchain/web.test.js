import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { isCurrent } from '../../wasm/toolchain/web.js';

test('generated files are built again if any of their sources has changed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [source, lock, made] = ['source', 'lock.json', 'made.html'].map((name) =>
    join(folder, name),
  );
  const write = (/** @type {string} */ file, /** @type {number} */ time) => {
    writeFileSync(file, '');
    utimesSync(file, time, time);
  };
  mkdirSync(join(source, 'deep'), { recursive: true });
  write(join(source, 'deep/code.js'), 1);
  write(lock, 1);
  for (const name of ['', 'deep']) utimesSync(join(source, name), 1, 1);
  assert.ok(!isCurrent(made, [source, lock]), 'it is not there');
  write(made, 2);
  assert.ok(isCurrent(made, [source, lock]));
  write(join(source, 'deep/code.js'), 3);
  assert.ok(!isCurrent(made, [source, lock]));
  assert.ok(isCurrent(made, [lock]));
});
