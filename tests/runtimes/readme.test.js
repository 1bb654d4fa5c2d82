// Goal: the examples in the runtimes' README work unchanged. Method: each block is a file of a
// project that has the package; its output or its answer contains the pods' nodes.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { build as viteBuild } from 'vite';
import webpack from 'webpack';

import { repository } from '../../wasm/toolchain/paths.js';
import { runWithBun } from './launchers/bun.js';
import { runToEnd } from './launchers/child.js';
import { openBrowser, servePages } from './launchers/chromium.js';
import { runWithDeno } from './launchers/deno.js';
import { runWithNode } from './launchers/node.js';
import { serveWithWorkerd } from './launchers/workerd.js';
import { makeProject } from './packed.js';

const README = new URL('../../js/src/runtimes/README.md', import.meta.url);
const CLUSTER = new URL('../../examples/browser/cluster.json', import.meta.url);
const ESBUILD = join(repository, 'wasm/toolchain/bundler/node_modules/.bin/esbuild');

/** Files by their section. @type {Map<string, Record<string, string>>} */
const sections = new Map();
/** Commands. @type {Map<string, string[]>} */
const commands = new Map();
for (const section of readFileSync(README, 'utf8').split(/^### /m).slice(1)) {
  const title = section.slice(0, section.indexOf('\n'));
  const files = [...section.matchAll(/^```(?:js|html) (\S+)\n([^]*?)^```/gm)];
  sections.set(title, Object.fromEntries(files.map(([, name, code]) => [name, code])));
  const lines = [...section.matchAll(/^```sh\n(.*)\n```/gm)].map(([, line]) => line);
  commands.set(title, lines);
}

const browser = await openBrowser();
after(() => browser.close());

/** @param {string} title */
function project(title) {
  const files = sections.get(title);
  assert.ok(files && Object.keys(files).length === 1, title);
  const { folder, root, remove } = makeProject({ ...files, 'cluster.json': CLUSTER });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  after(remove);
  return folder;
}

/** Opens a page that prints the pods' nodes. @param {string} folder */
async function assertPage(folder) {
  cpSync(CLUSTER, join(folder, 'cluster.json'));
  const { url, stop } = await servePages(folder, "object-src 'none'");
  const page = await browser.newPage();
  try {
    /** @type {string[]} */
    const lines = [];
    const printed = page.on('console', (message) => lines.push(message.text()));
    await page.goto(`${url}/index.html`);
    if (lines.length < 2) await printed.waitForEvent('console', () => lines.length === 2);
    assert.deepEqual(lines, ['shop/web small', 'shop/train null']);
  } finally {
    await page.close();
    await stop();
  }
}

test('every section is tried', () => {
  assert.deepEqual(
    [...sections.keys()],
    ['Node', 'Deno', 'Bun', 'workerd', 'Vite and webpack', 'esbuild', 'A page without a bundler'],
  );
});

test('Node, Deno and Bun', async () => {
  for (const [title, run] of Object.entries({
    Node: runWithNode,
    Deno: runWithDeno,
    Bun: runWithBun,
  })) {
    const printed = await run('script.js', { cwd: project(title) });
    assert.equal(printed, 'shop/web small\nshop/train null', title);
  }
});

test('workerd', async () => {
  const { url, stop } = await serveWithWorkerd('worker.js', { cwd: project('workerd') });
  after(stop);
  const response = await fetch(url, { method: 'POST', body: readFileSync(CLUSTER) });
  const decisions = await response.json();
  assert.deepEqual(
    decisions.map((/** @type {any} */ { pod, node }) => [pod, node]),
    [
      ['shop/web', 'small'],
      ['shop/train', null],
    ],
  );
});

test('Vite and webpack', async () => {
  const folder = project('Vite and webpack');
  const page = '<body><script type="module" src="page.js"></script>';
  writeFileSync(join(folder, 'index.html'), page);
  const outDir = join(folder, 'vite');
  await viteBuild({ root: folder, logLevel: 'error', configFile: false, build: { outDir } });
  await assertPage(outDir);
  const output = { path: join(folder, 'webpack'), filename: 'page.js' };
  const optimization = { minimize: false };
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: './page.js',
    output,
    optimization,
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  assert.deepEqual(stats?.toJson({ all: false, errors: true }).errors, []);
  writeFileSync(join(output.path, 'index.html'), page);
  await assertPage(output.path);
});

test('esbuild', async () => {
  const folder = project('esbuild');
  const [[command, ...words]] = (commands.get('esbuild') ?? []).map((line) => line.split(' '));
  assert.equal(command, 'esbuild');
  await runToEnd(ESBUILD, words, { cwd: folder });
  const page = '<body><script type="module" src="page.js"></script>';
  writeFileSync(join(folder, 'dist/index.html'), page);
  await assertPage(join(folder, 'dist'));
});

test('a page without a bundler', () => assertPage(project('A page without a bundler')));
