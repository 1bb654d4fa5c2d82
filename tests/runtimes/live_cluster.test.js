// Goal: API server, informers, scheduler and webhook of the packed package work together in every
// runtime: a pod is bound with the public imports alone, also in a page without a bundler.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';

import { runWithBun } from './launchers/bun.js';
import { openBrowser, POLICY, reportOf, servePages } from './launchers/chromium.js';
import { runWithDeno } from './launchers/deno.js';
import { runWithNode } from './launchers/node.js';
import { serveWithWorkerd } from './launchers/workerd.js';
import { makeProject } from './packed.js';

const NAMES = ['live_cluster', 'live_script', 'live_worker', 'page_of_live_cluster'];
const files = NAMES.map((name) => [`${name}.js`, new URL(`entries/${name}.js`, import.meta.url)]);
const { folder: cwd, root, remove } = makeProject(Object.fromEntries(files));
after(remove);

/**
 * The expected results for JSON, and for YAML where the package `yaml` is installed.
 * @param {any} report
 */
function assertReport({ bound, followed, yaml }) {
  assert.deepEqual(bound, { node: 'large', ready: 200 });
  const { states, answers } = followed;
  assert.ok(states.length > 10 && states.includes('pods watching'), states.join());
  const [now, notNow, never] = answers;
  assert.deepEqual(now, { allowed: true });
  assert.equal(notNow.allowed, true);
  assert.match(notNow.warnings[0], /^pod "next" would be unschedulable: 0\/2 nodes are available/);
  assert.equal(never.allowed, false);
  assert.match(never.message, /^pod "next" would be unschedulable even in an empty cluster: 0\/2 /);
  assert.deepEqual(yaml, { status: 201 });
}

const SCRIPT = 'live_script.js';
/** Environment variables that the package `yaml` reads for its debugging. */
const YAML_ENVIRONMENT = '--allow-env=LOG_STREAM,LOG_TOKENS';

for (const [name, printed] of Object.entries({
  Node: () => runWithNode(SCRIPT, { cwd, pinned: 'oldest' }),
  Deno: () => runWithDeno(SCRIPT, { cwd, options: [YAML_ENVIRONMENT] }),
  Bun: () => runWithBun(SCRIPT, { cwd }),
})) {
  test(name, async () => assertReport(JSON.parse(await printed())));
}

test('workerd', async () => {
  const { url, stop } = await serveWithWorkerd('live_worker.js', { cwd });
  after(stop);
  assertReport(await (await fetch(url)).json());
});

/** The import map, without `yaml`: each export is a file. */
function importMap() {
  const manifest = readFileSync(join(root, 'node_modules/stowage/package.json'), 'utf8');
  const { exports } = JSON.parse(manifest);
  const paths = ['.', './admission', './embedded-apiserver', './informer', './live'];
  const imports = paths.map((path) => [
    join('stowage', path),
    join('/node_modules/stowage', exports[path].default),
  ]);
  return JSON.stringify({ imports: Object.fromEntries(imports) });
}

test('a page without a bundler, which reports that it cannot parse YAML', async () => {
  const map = importMap();
  const digest = createHash('sha256').update(map).digest('base64');
  const policy = POLICY.replace("script-src 'self'", `script-src 'self' 'sha256-${digest}'`);
  const script = '<script type="module" src="page_of_live_cluster.js"></script>';
  const page = makeProject({
    ...Object.fromEntries(files),
    'page.html': `<script type="importmap">${map}</script>${script}`,
  });
  after(page.remove);
  const browser = await openBrowser();
  after(() => browser.close());
  const { url, stop } = await servePages(root, policy);
  after(stop);
  const { report, faults } = await reportOf(browser, `${url}/${basename(page.folder)}/page.html`);
  assert.deepEqual(faults, []);
  const { status, message } = report.yaml;
  assert.equal(status, 415);
  assert.match(message, /in YAML, which is read by the package "yaml": .*specifier/);
  assertReport(JSON.parse(JSON.stringify({ ...report, yaml: { status: 201 } })));
});
