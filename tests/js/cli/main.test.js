import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('a checkout that is not built says what to do, and blames nobody', () => {
  mkdirSync(join(root, 'build'), { recursive: true });
  // Below the root, so that the package's dependencies and import map are found.
  const folder = mkdtempSync(join(root, 'build', 'not-built-'));
  try {
    cpSync(join(root, 'js/src'), join(folder, 'js/src'), { recursive: true });
    const args = [join(folder, 'js/src/cli/stowage.js'), 'version'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(stderr, 'error: not built yet: run npm start\n');
    assert.equal(status, 3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
