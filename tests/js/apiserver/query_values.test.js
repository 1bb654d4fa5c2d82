// Goal: boolean parameters of queries mean what they mean to kube-apiserver. Method: the spellings
// of clients (Python's `True`, a parameter without a value) for each boolean parameter; the answer
// shows how the server read it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from './asked_server.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MAP = `${MAPS}/m`;
const TRUE = ['=true', '=True', '=1', '=yes', '=', ''];
const FALSE = ['=false', '=False', '=FALSE', '=0'];
const APPLY = 'application/apply-patch+yaml';

/** @param {string} value */
const applied = (value) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm' },
  data: { value },
});

for (const spelling of TRUE) {
  test(`?watch${spelling} starts a watch`, async () => {
    const server = new AskedServer();
    const response = await server.request('GET', `${MAPS}?timeoutSeconds=1&watch${spelling}`);
    await server.clock.advance(2000);
    assert.equal(await response.text(), '');
  });

  test(`?force${spelling} takes the fields of another manager`, async () => {
    const server = new AskedServer();
    await server.patch(`${MAP}?fieldManager=one`, applied('1'), APPLY);
    const path = `${MAP}?fieldManager=two&force${spelling}`;
    assert.equal((await server.patch(path, applied('2'), APPLY)).status, 200);
  });

  test(`?orphanDependents${spelling} keeps the dependents`, async () => {
    const server = new AskedServer();
    await server.ask('POST', MAPS, { metadata: { name: 'm' } });
    const { body } = await server.ask('DELETE', `${MAP}?orphanDependents${spelling}`);
    assert.deepEqual(body.metadata.finalizers, ['orphan']);
  });
}

for (const spelling of FALSE) {
  test(`?watch${spelling} returns a list`, async () => {
    const server = new AskedServer();
    assert.equal((await server.get(`${MAPS}?watch${spelling}`)).kind, 'ConfigMapList');
  });

  test(`?force${spelling} leaves the fields to the other manager`, async () => {
    const server = new AskedServer();
    await server.patch(`${MAP}?fieldManager=one`, applied('1'), APPLY);
    const path = `${MAP}?fieldManager=two&force${spelling}`;
    assert.equal((await server.patch(path, applied('2'), APPLY)).status, 409);
  });

  test(`?orphanDependents${spelling} deletes at once`, async () => {
    const server = new AskedServer();
    await server.ask('POST', MAPS, { metadata: { name: 'm', finalizers: ['orphan'] } });
    await server.ask('DELETE', `${MAP}?orphanDependents${spelling}`);
    assert.equal((await server.ask('GET', MAP)).status, 404);
  });

  test(`?allowWatchBookmarks${spelling} sends none`, async () => {
    const server = new AskedServer();
    const query = `watch=1&timeoutSeconds=70&allowWatchBookmarks${spelling}`;
    const watch = await server.watch(`${MAPS}?${query}`);
    await server.clock.advance(100_000);
    assert.deepEqual(watch.lines, []);
  });
}
