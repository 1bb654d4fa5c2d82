// Goal: the packed package gives the same results in Deno as in Node, and needs only permission to
// read files.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { runWithDeno } from './launchers/deno.js';
import { contractProject } from './reports.js';

const { folder: cwd, expected, remove } = await contractProject();
after(remove);

test('a script', async () => {
  assert.deepEqual(JSON.parse(await runWithDeno('script.js', { cwd })), expected);
});
