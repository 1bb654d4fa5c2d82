// Goal: GitHub runs the same commands as a developer, with minimal rights and without secrets of
// its own.
import assert from 'node:assert/strict';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';

import { repository } from '../../wasm/toolchain/paths.js';

const read = (/** @type {string} */ name) => readFileSync(join(repository, name), 'utf8');
const workflow = (/** @type {string} */ name) => parse(read(`.github/workflows/${name}.yml`));
const ci = workflow('ci');
const release = workflow('release');
const nightly = workflow('nightly');
const { scripts, engines } = JSON.parse(read('package.json'));

/** The git setting for a checkout that belongs to another user than the container's. */
const TRUST = 'git config --global --add safe.directory "$GITHUB_WORKSPACE"';

/** @param {{ steps: { run?: string }[] }} job */
const commandsOf = ({ steps }) => steps.flatMap(({ run }) => run ?? []);

test('a commit of main or of a pull request is tested once, by the repository’s command', () => {
  assert.deepEqual(Object.keys(ci.on), ['push', 'pull_request', 'workflow_call']);
  assert.deepEqual(ci.on.push, { branches: ['main'] });
  assert.equal(
    ci.concurrency.group,
    'ci-${{ github.workflow }}-${{ github.event.pull_request.number || github.sha }}',
  );
  assert.equal(ci.concurrency['cancel-in-progress'], "${{ github.event_name == 'pull_request' }}");
  assert.deepEqual(Object.keys(ci.jobs), ['test']);
  assert.deepEqual(commandsOf(ci.jobs.test), [TRUST, '.ci/run']);
  accessSync(join(repository, '.ci/run'), constants.X_OK);
  assert.match(read('.ci/run'), /^npm start\nnpm test$/m);
});

test('a tag is tested, then built, then published, by the script', () => {
  assert.deepEqual(release.on, { push: { tags: ['v*'] } });
  assert.deepEqual(Object.keys(release.jobs), ['test', 'build', 'publish']);
  assert.deepEqual(release.jobs.test, { uses: './.github/workflows/ci.yml' });
  const { build, publish } = release.jobs;
  assert.equal(build.needs, 'test');
  assert.deepEqual(commandsOf(build), [TRUST, 'npm run release -- pack', 'npm run reproduce']);
  assert.equal(publish.needs, 'build');
  assert.deepEqual(commandsOf(publish), [TRUST, 'npm run release -- publish']);
  assert.equal(scripts.release, 'node wasm/toolchain/release.js');
  assert.equal(scripts.reproduce, 'node wasm/toolchain/reproduce.js');
});

test('one job passes the tarball to the other, and its SHA-256 by another way', () => {
  const { build, publish } = release.jobs;
  const [pack] = build.steps.filter((/** @type {{id?: string}} */ { id }) => id);
  assert.deepEqual(pack, { id: 'pack', run: 'npm run release -- pack' });
  assert.deepEqual(build.outputs, { sha256: '${{ steps.pack.outputs.sha256 }}' });
  const of = (/** @type {any} */ job, /** @type {string} */ action) =>
    job.steps.filter((/** @type {{uses?: string}} */ { uses }) => uses?.startsWith(action))[0].with;
  const { name, path } = of(build, 'actions/upload-artifact@');
  assert.equal(path, 'build/release/stowage.tgz');
  assert.deepEqual(of(publish, 'actions/download-artifact@'), { name, path: 'build/release' });
});

test('long tests run every night: fuzzers, simulations, WebAssembly, releases, mutations', () => {
  assert.deepEqual(Object.keys(nightly.on), ['schedule', 'workflow_dispatch']);
  assert.deepEqual(Object.keys(nightly.jobs), ['long']);
  const { long } = nightly.jobs;
  assert.deepEqual(commandsOf(long), [TRUST, '${{ matrix.prepare }}', '${{ matrix.command }}']);
  const { include } = long.strategy.matrix;
  assert.deepEqual(
    include.map((/** @type {{ command: string }} */ { command }) => command),
    [
      'npm run fuzz -- --minutes 1',
      'npm run sim:long',
      'npm run sim -- --decisions --seeds 10000',
      'npm test -- wasm-all',
      'npm run conformance:every-way',
      'npm run mutations',
    ],
  );
  for (const { command } of include) {
    const [, script] = /^npm (?:run )?(\S+)/.exec(command) ?? assert.fail(command);
    assert.ok(script in scripts, command);
  }
  assert.equal(scripts.fuzz, 'node tests/fuzz/fuzz.js');
});

test('caches are keyed by their contents, and releases are built without them', () => {
  const cachesOf = (/** @type {any} */ job) =>
    job.steps.filter((/** @type {{uses?: string}} */ { uses }) => uses?.includes('actions/cache@'));
  const keys = cachesOf(ci.jobs.test).map((/** @type {any} */ step) => step.with.key);
  assert.deepEqual(
    keys.map((/** @type {string} */ key) => key.split('-')[0]),
    ['toolchain', 'npm', 'ccache'],
  );
  for (const [, name] of keys[0].matchAll(/'([^']+)'/g)) {
    accessSync(join(repository, name), constants.R_OK);
  }
  for (const job of [release.jobs.build, release.jobs.publish]) assert.deepEqual(cachesOf(job), []);
});

test('a failed run keeps its logs and pictures', () => {
  const { if: when, with: kept } = ci.jobs.test.steps.at(-1);
  assert.equal(when, 'failure()');
  for (const path of ['build/failures', 'build/test-times', 'build/*/Testing/Temporary/*.log']) {
    assert.ok(kept.path.split('\n').includes(path), path);
  }
});

const jobs = [ci.jobs.test, release.jobs.build, release.jobs.publish, nightly.jobs.long];

test('jobs may only read, and only the publishing job may request an identity', () => {
  for (const { permissions } of [ci, release, nightly])
    assert.deepEqual(permissions, { contents: 'read' });
  for (const job of [ci.jobs.test, release.jobs.build, nightly.jobs.long])
    assert.equal(job.permissions, undefined);
  const { permissions } = release.jobs.publish;
  assert.deepEqual(permissions, { contents: 'read', 'id-token': 'write' });
});

test('the secret is named in one place, where nothing is built, and is written in no file', () => {
  const steps = jobs.flatMap((job) => job.steps);
  assert.deepEqual(
    steps.flatMap(({ env }) => env ?? []),
    [
      {
        TARBALL_SHA256: '${{ needs.build.outputs.sha256 }}',
        NODE_AUTH_TOKEN: '${{ secrets.NPM_TOKEN }}',
      },
    ],
  );
  const { env } = release.jobs.publish.steps.at(-1);
  assert.ok(env.NODE_AUTH_TOKEN);
  for (const { uses, with: given } of steps.filter((step) => step.uses?.includes('checkout'))) {
    assert.deepEqual(given, { 'persist-credentials': false }, uses);
  }
  for (const { env: all, defaults } of [ci, release, nightly, ...jobs])
    assert.deepEqual([all, defaults], [undefined, undefined]);
});

test('the containers have a supported Node, and an npm with trusted publishing', () => {
  for (const { container } of jobs) {
    const [, major] = /^node:(\d+)-bookworm@/.exec(container) ?? [];
    assert.ok(Number(major) >= 24, container);
    assert.ok(Number(major) >= Number(engines.node.slice('>='.length)));
  }
});
