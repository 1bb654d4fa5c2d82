// Goal: pages that bundlers built from the packed package give the same results in Chromium as in
// Node, and contain one copy of each class, whatever subpath it comes from.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { build as viteBuild } from 'vite';
import webpack from 'webpack';

import { loadEsbuild } from '../../wasm/toolchain/bundle.js';
import { FAULTS } from './entries/subpaths.js';
import { openBrowser, reportOf, servePages } from './launchers/chromium.js';
import { contractProject } from './reports.js';

const { folder, expected, remove } = await contractProject({
  'index.html': '<script type="module" src="page.js"></script>',
  'subpaths.html': '<script type="module" src="subpaths_page.js"></script>',
});
after(remove);
const browser = await openBrowser();
after(() => browser.close());

/** @param {string} root */
async function assertReports(root) {
  const { url, stop } = await servePages(root);
  try {
    for (const [page, report] of Object.entries({ index: expected, subpaths: FAULTS })) {
      assert.deepEqual(await reportOf(browser, `${url}/${page}.html`), { report, faults: [] });
    }
  } finally {
    await stop();
  }
}

test('Vite', async () => {
  const outDir = join(folder, 'vite');
  const input = ['index.html', 'subpaths.html'].map((name) => join(folder, name));
  await viteBuild({
    root: folder,
    logLevel: 'error',
    configFile: false,
    build: { outDir, rolldownOptions: { input } },
  });
  await assertReports(outDir);
});

test('webpack', async () => {
  const path = join(folder, 'webpack');
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: { page: './page.js', subpaths: './subpaths_page.js' },
    output: { path },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  assert.deepEqual(stats?.toJson({ all: false, errors: true }).errors, []);
  await writeFile(join(path, 'index.html'), '<body><script src="page.js" defer></script>');
  await writeFile(join(path, 'subpaths.html'), '<body><script src="subpaths.js" defer></script>');
  await assertReports(path);
});

test('esbuild', async () => {
  const outdir = join(folder, 'esbuild');
  const { build } = await loadEsbuild();
  await build({
    entryPoints: {
      page: join(folder, 'page_of_esbuild.js'),
      subpaths: join(folder, 'subpaths_page.js'),
    },
    outdir,
    bundle: true,
    format: 'esm',
    loader: { '.wasm': 'file' },
    logLevel: 'error',
  });
  const pageOf = (/** @type {string} */ file) => `<script type="module" src="${file}"></script>`;
  await writeFile(join(outdir, 'index.html'), pageOf('page.js'));
  await writeFile(join(outdir, 'subpaths.html'), pageOf('subpaths.js'));
  await assertReports(outdir);
});
