// Goal: what GitHub runs is what a person runs, with the least rights, and holds no secret itself.
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
const { scripts, engines } = JSON.parse(read('package.json'));

/** What git is told, as the checkout belongs to somebody else than the container's user. */
const TRUST = 'git config --global --add safe.directory "$GITHUB_WORKSPACE"';

/** @param {{ steps: { run?: string }[] }} job */
const commandsOf = ({ steps }) => steps.flatMap(({ run }) => run ?? []);

test('every push and pull request is tested, by the command of the repository', () => {
  assert.deepEqual(Object.keys(ci.on), ['push', 'pull_request', 'workflow_call']);
  assert.deepEqual(ci.on.push, { branches: ['**'] });
  assert.deepEqual(Object.keys(ci.jobs), ['test']);
  assert.deepEqual(commandsOf(ci.jobs.test), [TRUST, '.ci/run']);
  accessSync(join(repository, '.ci/run'), constants.X_OK);
  assert.match(read('.ci/run'), /^npm start\nnpm test$/m);
});

test('a tag is released by the script, when the same tests have passed', () => {
  assert.deepEqual(release.on, { push: { tags: ['v*'] } });
  assert.deepEqual(Object.keys(release.jobs), ['test', 'publish']);
  assert.deepEqual(release.jobs.test, { uses: './.github/workflows/ci.yml' });
  const { publish } = release.jobs;
  assert.equal(publish.needs, 'test');
  assert.deepEqual(commandsOf(publish), [TRUST, 'npm run release']);
  assert.equal(scripts.release, 'node wasm/toolchain/release.js');
});

test('they may read, and only who publishes may say who it is', () => {
  for (const { permissions } of [ci, release]) assert.deepEqual(permissions, { contents: 'read' });
  assert.equal(ci.jobs.test.permissions, undefined);
  const { permissions } = release.jobs.publish;
  assert.deepEqual(permissions, { contents: 'read', 'id-token': 'write' });
});

test('secrets are named in one place, and written in none', () => {
  const all = [ci.jobs.test, release.jobs.publish].flatMap(({ steps }) => steps);
  assert.deepEqual(
    all.flatMap(({ env }) => env ?? []),
    [{ NODE_AUTH_TOKEN: '${{ secrets.NPM_TOKEN }}' }],
  );
  for (const { uses, with: given } of all.filter((step) => step.uses)) {
    assert.equal(uses, 'actions/checkout@v4', 'nobody else is let in');
    assert.deepEqual(given, { 'persist-credentials': false });
  }
  for (const { env, defaults } of [ci, release, ci.jobs.test, release.jobs.publish])
    assert.deepEqual([env, defaults], [undefined, undefined]);
});

test('the containers have a Node for the package, and an npm that knows trusted publishers', () => {
  const images = [ci.jobs.test, release.jobs.publish].map(({ container }) => container);
  for (const image of images) {
    const [, major] = /^node:(\d+)-bookworm$/.exec(image) ?? [];
    assert.ok(Number(major) >= 24, image);
    assert.ok(Number(major) >= Number(engines.node.slice('>='.length)));
  }
});
