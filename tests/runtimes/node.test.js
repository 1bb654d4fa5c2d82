// Goal: the packed package gives the same results as the sources, in the oldest supported Node and
// in a current one.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { runWithNode } from './launchers/node.js';
import { contractProject } from './reports.js';

const MANIFEST = new URL('../../package.json', import.meta.url);

const { folder: cwd, expected, remove } = await contractProject();
after(remove);

/** @param {'oldest' | 'current'} pinned */
async function majorOf(pinned) {
  const version = await runWithNode('-p', { args: ['process.versions.node'], pinned });
  return Number(version.split('.')[0]);
}

test('the oldest supported Node', async () => {
  const { engines } = JSON.parse(await readFile(MANIFEST, 'utf8'));
  assert.equal(engines.node, '>=20');
  assert.equal(await majorOf('oldest'), 20);
  const printed = await runWithNode('script.js', { cwd, pinned: 'oldest' });
  assert.deepEqual(JSON.parse(printed), expected);
});

test('a current Node', async () => {
  const major = await majorOf('current');
  assert.ok(major >= 26, `${major}`);
  const printed = await runWithNode('script.js', { cwd, pinned: 'current' });
  assert.deepEqual(JSON.parse(printed), expected);
});

test('a current Node loads it with require', async () => {
  const script =
    "const { createScheduler } = require('stowage');\nconsole.log(typeof createScheduler);\n";
  await writeFile(join(cwd, 'script.cjs'), script);
  assert.equal(await runWithNode('script.cjs', { cwd, pinned: 'current' }), 'function');
});
