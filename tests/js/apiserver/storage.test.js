import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Storage } from '../../../js/apiserver/storage.js';

const named = (/** @type {string} */ name, extra = {}) => ({ metadata: { name }, ...extra });

/** @param {Storage} storage @param {string} resource */
function names(storage, resource) {
  return storage.list(resource).map(({ metadata }) => metadata.name);
}

test('one counter gives every change of every resource its version', () => {
  const storage = new Storage({ history: 10, resourceVersion: 40 });
  const first = storage.put('pods', 'a/x', named('x'));
  const second = storage.put('nodes', 'n', named('n'));
  const third = storage.put('pods', 'a/x', named('x', { spec: {} }));
  const last = storage.remove('pods', 'a/x');
  assert.deepEqual(
    [first, second, third, last].map(({ metadata }) => metadata.resourceVersion),
    ['41', '42', '43', '44'],
  );
  assert.equal(storage.resourceVersion, 44);
  assert.ok(Object.isFrozen(third.spec));
});

test('lists are sorted by key, whatever the order of writes', () => {
  const storage = new Storage({ history: 10, resourceVersion: 0 });
  for (const key of ['b/z', 'a/y', 'a-b/x', 'c/w']) storage.put('pods', key, named(key));
  assert.deepEqual(names(storage, 'pods'), ['a-b/x', 'a/y', 'b/z', 'c/w']);
  storage.remove('pods', 'a/y');
  storage.put('pods', 'a/a', named('a/a'));
  assert.deepEqual(names(storage, 'pods'), ['a-b/x', 'a/a', 'b/z', 'c/w']);
  assert.deepEqual(storage.keys('pods', 'a/'), ['a/a']);
  assert.deepEqual(names(storage, 'nodes'), []);
});

test('many new keys are put in order at once, few one by one', () => {
  const storage = new Storage({ history: 10, resourceVersion: 0 });
  const keys = Array.from({ length: 40 }, (_, at) => `a/${String((at * 7) % 40).padStart(2, '0')}`);
  for (const key of keys) storage.put('pods', key, named(key));
  assert.deepEqual(storage.keys('pods', 'a/'), [...keys].sort());
  for (const key of ['a/5', 'b/0', '0', 'a/00x']) storage.put('pods', key, named(key));
  storage.remove('pods', 'a/5');
  const all = [...keys, 'b/0', '0', 'a/00x'].sort();
  assert.deepEqual(storage.keys('pods'), all);
  assert.deepEqual(storage.keys('pods', 'a/'), all.slice(1, -1));
});

test('older versions can be listed while their events are kept', () => {
  const storage = new Storage({ history: 3, resourceVersion: 0 });
  for (const key of ['a', 'b', 'c']) storage.put('nodes', key, named(key));
  storage.remove('nodes', 'a');
  storage.put('nodes', 'b', named('b', { spec: { unschedulable: true } }));
  const at = (/** @type {number} */ version, range = {}) => {
    const found = storage.at('nodes', version, range);
    if (!found) return null;
    const entries = [...found.entries];
    assert.equal(found.count, entries.length);
    return entries.map(([key, { spec }]) => (spec ? `${key}!` : key));
  };
  assert.deepEqual(at(5), ['b!', 'c']);
  assert.deepEqual(at(4), ['b', 'c']);
  assert.deepEqual(at(3), ['a', 'b', 'c']);
  assert.deepEqual(at(2), ['a', 'b']);
  assert.deepEqual(at(3, { start: 'aa' }), ['b', 'c']);
  assert.deepEqual(at(2, { prefix: 'b' }), ['b']);
  assert.equal(at(1), null);
  assert.equal(storage.compacted('nodes'), 2);
  assert.deepEqual(
    storage.eventsAfter('nodes', 3)?.map(({ type, key }) => `${type} ${key}`),
    ['DELETED a', 'MODIFIED b'],
  );
  storage.compact();
  assert.equal(storage.eventsAfter('nodes', 4), null);
  assert.deepEqual(storage.eventsAfter('nodes', 5), []);
  assert.deepEqual(at(5), ['b!', 'c']);
});

test('listeners receive all changes in order, also writes by a listener', () => {
  const storage = new Storage({ history: 10, resourceVersion: 0 });
  /** @type {string[]} */
  const heard = [];
  storage.subscribe('pods', ({ type, object }) => {
    heard.push(`first ${type} ${object.metadata.name}`);
    if (type === 'ADDED') storage.put('pods', 'x', named('x', { status: {} }));
  });
  const stop = storage.subscribe('pods', ({ type, object, previous }) =>
    heard.push(`second ${type} ${object.metadata.name} ${previous ? 'was' : 'was not'}`),
  );
  storage.put('pods', 'x', named('x'));
  stop();
  storage.remove('pods', 'x');
  assert.deepEqual(heard, [
    'first ADDED x',
    'second ADDED x was not',
    'first MODIFIED x',
    'second MODIFIED x was',
    'first DELETED x',
  ]);
});

test('after a listener throws, the others are still called, and the writer gets the error', () => {
  const storage = new Storage({ history: 10, resourceVersion: 0 });
  /** @type {string[]} */
  const heard = [];
  storage.subscribe('pods', () => {
    throw new Error('a fault');
  });
  storage.subscribe('pods', ({ key }) => heard.push(key));
  assert.throws(() => storage.put('pods', 'x', named('x')), /a fault/);
  assert.throws(() => storage.put('pods', 'y', named('y')), /a fault/);
  assert.deepEqual(heard, ['x', 'y']);
  assert.ok(storage.get('pods', 'x'));
});
