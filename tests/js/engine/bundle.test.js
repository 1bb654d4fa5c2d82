import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as source from '../../../js/src/index.js';
import * as manifestsSource from '../../../js/src/manifests.js';
import { makeNode, makePod } from '../support/objects.js';

const stowage = await import('stowage');
const manifests = await import('stowage/manifests');

test('the package exports what its sources do', () => {
  assert.deepEqual(Object.keys(stowage), Object.keys(source));
  assert.deepEqual(Object.keys(manifests), Object.keys(manifestsSource));
  assert.match(import.meta.resolve('stowage'), /js\/dist\/index\.js$/);
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
});
