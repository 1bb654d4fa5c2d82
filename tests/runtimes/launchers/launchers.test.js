import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeProject } from '../packed.js';
import { runWithBun, serveWithBun } from './bun.js';
import { runWithDeno, serveWithDeno } from './deno.js';
import { runWithNode } from './node.js';
import { serveWithWorkerd } from './workerd.js';

const FILES = {
  'script.js': "import { argv } from 'node:process';\nconsole.log(...argv.slice(2));\n",
  'throws.js': "throw new Error('not today');\n",
  'handler.js': `export default {
    fetch: (request) => new Response(new URL(request.url).pathname),
  };\n`,
};

test('scripts run, and their output is returned', async (t) => {
  const { folder: cwd, remove } = makeProject(FILES);
  t.after(remove);
  const runPinned =
    (/** @type {'oldest' | 'current'} */ pinned) =>
    (/** @type {string} */ script, /** @type {object} */ place) =>
      runWithNode(script, { ...place, pinned });
  const ofNode = [runWithNode, runPinned('oldest'), runPinned('current')];
  for (const run of [...ofNode, runWithDeno, runWithBun]) {
    assert.equal(await run('./script.js', { cwd, args: ['one', 'two'] }), 'one two');
    await assert.rejects(run('./throws.js', { cwd }), /not today/);
  }
});

test('handlers are served until they are stopped', async (t) => {
  const { folder: cwd, remove } = makeProject(FILES);
  t.after(remove);
  for (const serve of [serveWithDeno, serveWithBun, serveWithWorkerd]) {
    const { url, stop } = await serve('./handler.js', { cwd });
    assert.equal(await (await fetch(`${url}/some/path`)).text(), '/some/path');
    await stop();
    await assert.rejects(fetch(url));
    await assert.rejects(serve('./throws.js', { cwd }), /not today/);
  }
});
