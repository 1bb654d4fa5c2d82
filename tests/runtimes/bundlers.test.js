// Goal: pages that bundlers made of the packed package do in Chromium what it does in Node.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { build as viteBuild } from 'vite';
import webpack from 'webpack';

import { loadEsbuild } from '../../wasm/toolchain/bundle.js';
import { openBrowser, reportOf, servePages } from './launchers/chromium.js';
import { contractProject } from './reports.js';

const { folder, expected, remove } = await contractProject({
  'index.html': '<script type="module" src="page.js"></script>',
});
after(remove);
const browser = await openBrowser();
after(() => browser.close());

/** @param {string} root */
async function assertReport(root) {
  const { url, stop } = await servePages(root);
  try {
    assert.deepEqual(await reportOf(browser, `${url}/index.html`), {
      report: expected,
      faults: [],
    });
  } finally {
    await stop();
  }
}

test('Vite', async () => {
  const outDir = join(folder, 'vite');
  await viteBuild({ root: folder, logLevel: 'error', configFile: false, build: { outDir } });
  await assertReport(outDir);
});

test('webpack', async () => {
  const path = join(folder, 'webpack');
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: './page.js',
    output: { path, filename: 'page.js' },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  assert.deepEqual(stats?.toJson({ all: false, errors: true }).errors, []);
  await writeFile(join(path, 'index.html'), '<body><script src="page.js" defer></script>');
  await assertReport(path);
});

test('esbuild', async () => {
  const outdir = join(folder, 'esbuild');
  const { build } = await loadEsbuild();
  await build({
    entryPoints: { page: join(folder, 'page_of_esbuild.js') },
    outdir,
    bundle: true,
    format: 'esm',
    loader: { '.wasm': 'file' },
    logLevel: 'error',
  });
  await writeFile(join(outdir, 'index.html'), '<script type="module" src="page.js"></script>');
  await assertReport(outdir);
});
