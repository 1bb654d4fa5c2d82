// Goal: the packed package does in Node what it does here, in the oldest one that it is for and in
// a current one.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { runWithNode } from './launchers/node.js';
import { contractProject } from './reports.js';

const { folder: cwd, expected, remove } = await contractProject();
after(remove);

test(`Node ${process.versions.node}`, async () => {
  assert.deepEqual(JSON.parse(await runWithNode('script.js', { cwd })), expected);
});

test('a current Node requires it as well', async () => {
  const script =
    "const { createScheduler } = require('stowage');\nconsole.log(typeof createScheduler);\n";
  await writeFile(join(cwd, 'script.cjs'), script);
  assert.equal(await runWithNode('script.cjs', { cwd, current: true }), 'function');
});

test('a current Node', async () => {
  const [major] = (
    await runWithNode('-p', { args: ['process.versions.node'], current: true })
  ).split('.');
  assert.ok(Number(major) >= 26, major);
  assert.deepEqual(JSON.parse(await runWithNode('script.js', { cwd, current: true })), expected);
});
