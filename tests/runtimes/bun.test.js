// Goal: the packed package does in Bun what it does in Node, also in a program of one file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { runToEnd } from './launchers/child.js';
import { runWithBun } from './launchers/bun.js';
import { program } from './launchers/programs.js';
import { contractProject } from './reports.js';

const { folder: cwd, expected, remove } = await contractProject();
after(remove);

test('a script', async () => {
  assert.deepEqual(JSON.parse(await runWithBun('script.js', { cwd })), expected);
});

test('a program that has everything in it', async () => {
  const built = join(cwd, 'program');
  await runToEnd(program('bun'), ['build', '--compile', 'script.js', '--outfile', built], { cwd });
  assert.deepEqual(JSON.parse(await runToEnd(built, [])), expected);
});
