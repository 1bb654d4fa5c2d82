// Goal: consecutive requests for one object share one result; a later request computes it again,
// with an equal result.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofLatest } from '../../../js/apiserver/of_latest.js';
import { itemText, objectText } from '../../../js/apiserver/object_text.js';
import { createApiServer } from '../../../js/apiserver/index.js';

test('ofLatest caches the latest object only', () => {
  const made = /** @type {object[]} */ ([]);
  const named = ofLatest((/** @type {{ name: string }} */ object) => {
    made.push(object);
    return { is: object.name };
  });
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  assert.equal(named(a), named(a));
  assert.deepEqual([named(b), named(a)], [{ is: 'b' }, { is: 'a' }]);
  assert.deepEqual(made, [a, b, a]);
});

test('the JSON of an object begins with its kind, that of list items has none', () => {
  const { store, dispose } = createApiServer();
  const metadata = { name: 'a', namespace: 'default' };
  store.load({ metadata: { name: 'n' }, spec: {}, kind: 'Node', apiVersion: 'v1' });
  store.create('configmaps', { data: { a: '1' }, metadata });
  store.update('configmaps', { data: { a: '2' }, metadata, apiVersion: 'v1', kind: 'ConfigMap' });
  for (const resource of ['nodes', 'configmaps', 'namespaces']) {
    for (const object of store.list(resource)) {
      const { kind, apiVersion, ...item } = object;
      assert.deepEqual(Object.entries(JSON.parse(objectText(object))).slice(0, 2), [
        ['kind', kind],
        ['apiVersion', apiVersion],
      ]);
      assert.deepEqual(JSON.parse(itemText(object)), item);
    }
  }
  dispose();
});
