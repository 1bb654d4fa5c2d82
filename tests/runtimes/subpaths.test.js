// Goal: errors of every subpath are instances of the main entry's classes, in every runtime: there
// is one copy of each class. Method: the packed package; one error of each subpath, by its classes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { FAULTS } from './entries/subpaths.js';
import { runWithBun } from './launchers/bun.js';
import { runWithDeno } from './launchers/deno.js';
import { runWithNode } from './launchers/node.js';
import { serveWithWorkerd } from './launchers/workerd.js';
import { makeProject } from './packed.js';

const entries = ['subpaths.js', 'subpaths_script.js', 'subpaths_worker.js'];
const { folder: cwd, remove } = makeProject(
  Object.fromEntries(entries.map((name) => [name, new URL(`entries/${name}`, import.meta.url)])),
);
after(remove);

for (const pinned of /** @type {const} */ (['oldest', 'current'])) {
  test(`the ${pinned} Node`, async () => {
    const printed = await runWithNode('subpaths_script.js', { cwd, pinned });
    assert.deepEqual(JSON.parse(printed), FAULTS);
  });
}

test('Deno', async () => {
  // yaml reads environment variables for its settings.
  const options = ['--allow-env'];
  const printed = await runWithDeno('subpaths_script.js', { cwd, options });
  assert.deepEqual(JSON.parse(printed), FAULTS);
});

test('Bun', async () => {
  assert.deepEqual(JSON.parse(await runWithBun('subpaths_script.js', { cwd })), FAULTS);
});

test('workerd', async () => {
  const { url, stop } = await serveWithWorkerd('subpaths_worker.js', { cwd });
  after(stop);
  assert.deepEqual(await (await fetch(url)).json(), FAULTS);
});
