// Goal: the time for many objects is proportional to their number. Method: pages of a list, also
// with a write in between, and Services: sixteen times as many take less than 128 times as long,
// while work for each pair of them takes 256 times as long. The shortest of several runs counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { listOptions } from '../../../js/apiserver/list_options.js';
import { listPage } from '../../../js/apiserver/lists.js';
import { Storage } from '../../../js/apiserver/storage.js';
import { resourceNamed } from '../../../js/src/kubernetes/kinds.js';
import { AskedServer } from './asked_server.js';

const RUNS = 3;
const TIMES = 16;
const RESOURCE = resourceNamed('configmaps');

/** @param {() => () => void} prepare */
function shortest(prepare) {
  const times = Array.from({ length: RUNS }, () => {
    const run = prepare();
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** @param {number} few @param {(count: number) => () => void} prepare returns what is timed */
function isProportional(few, prepare) {
  const first = shortest(() => prepare(few));
  const second = shortest(() => prepare(few * TIMES));
  assert.ok(second < 8 * TIMES * first, `${few}: ${first} ms, ${few * TIMES}: ${second} ms`);
}

/** @param {Storage} storage @param {string} token */
function page(storage, token) {
  const options = listOptions(
    RESOURCE,
    new URLSearchParams({ limit: '50', continue: token }),
    false,
  );
  return listPage(storage, { resource: RESOURCE, namespace: '' }, options);
}

for (const isWritten of [false, true])
  test(`a list in pages${isWritten ? ', with a write in between' : ''}`, () => {
    isProportional(4000, (count) => {
      const storage = new Storage({ history: 10_000, resourceVersion: 0 });
      for (let at = 0; at < count; at++)
        storage.put('configmaps', `a/x${at}`, { metadata: { name: `x${at}`, namespace: 'a' } });
      return () => {
        for (let token = ''; ;) {
          token = page(storage, token).metadata.continue ?? '';
          if (token === '') break;
          if (isWritten) storage.put('configmaps', 'a/b', { metadata: { name: 'b' } });
        }
      };
    });
  });

for (const type of ['ClusterIP', 'NodePort'])
  test(`Services of type ${type}`, () => {
    isProportional(200, (count) => {
      const { store } = new AskedServer();
      const spec = { type, ports: [{ port: 80 }] };
      return () => {
        for (let at = 0; at < count; at++)
          store.create('services', { metadata: { name: `x${at}`, namespace: 'default' }, spec });
      };
    });
  });
