// Goal: the packed package gives the same results in Bun as in Node, also in a single-file program.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { runWithBun } from './launchers/bun.js';
import { runToEnd } from './launchers/child.js';
import { program } from './launchers/programs.js';
import { contractProject } from './reports.js';

const { folder: cwd, expected, remove } = await contractProject();
after(remove);

test('a script', async () => {
  assert.deepEqual(JSON.parse(await runWithBun('script.js', { cwd })), expected);
});

test('a program that contains everything', async () => {
  const built = join(cwd, 'program');
  await runToEnd(program('bun'), ['build', '--compile', 'script.js', '--outfile', built], { cwd });
  assert.deepEqual(JSON.parse(await runToEnd(built, [])), expected);
});
