import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { makeNode, makePod } from '../support/objects.js';

const { exports } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);
const stowage = await import('stowage');
const manifests = await import('stowage/manifests');
const node = await import('stowage/node');
const informer = await import('stowage/informer');

test('the package exports what its sources do', async () => {
  const isCode = ([, { types }]) => types?.startsWith('./js/types/');
  const entries = Object.entries(exports).filter(isCode);
  assert.equal(entries.length, 11);
  for (const [path, { types, default: file, node: ours = file }] of entries) {
    const name = `stowage${path.slice(1)}`;
    const module = types.replace('/types/', '/').replace(/\.d\.ts$/, '.js');
    const source = await import(new URL(`../../../${module}`, import.meta.url));
    assert.deepEqual(Object.keys(await import(name)), Object.keys(source), name);
    assert.ok(import.meta.resolve(name).endsWith(ours.slice(1)), name);
  }
});

test('the package decides', async () => {
  const scheduler = await stowage.createScheduler();
  scheduler.apply([makeNode('node-0'), makePod('pod-0')]);
  const [decision] = await scheduler.schedule();
  assert.equal(decision.node, 'node-0');
  scheduler.dispose();
});

test('the entries share their classes', () => {
  assert.throws(() => [...manifests.parse('a: [')], stowage.StowageError);
  assert.ok(new node.CredentialsError('none') instanceof stowage.StowageError);
  const status = { apiVersion: 'v1', kind: 'Status', reason: 'Gone', code: 410 };
  assert.ok(new informer.ApiError(status) instanceof stowage.StowageError);
});
