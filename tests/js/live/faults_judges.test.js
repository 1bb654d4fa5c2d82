// Goal: the checks of the fault tests find what they are for. Method: they get one fault at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiServer } from '../../../js/apiserver/index.js';
import { makePod } from '../support/objects.js';
import { BindingLedger } from './binding_ledger.js';
import { KnownObjects } from './known_objects.js';

const PODS = { version: 'v1', resource: 'pods' };
const namespace = 'default';
const LEASE = { namespace: 'kube-system', name: 'kube-scheduler' };

/** @param {...any} events */
function linesOf(...events) {
  return new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

test('unknown, outdated and deleted objects are reported', () => {
  const { store, dispose } = createApiServer();
  const create = (/** @type {string} */ name) =>
    store.create('pods', makePod(name, { metadata: { namespace } }));
  const first = create('a');
  const known = new KnownObjects();
  const tell = (/** @type {any[]} */ ...events) =>
    known.apply(linesOf(...events), { format: 'lines', source: 'pods' });
  const faults = () => known.differences(store, [PODS]);

  assert.match(faults()[0], /^pods default\/a at \d+: was never delivered$/);
  tell({ type: 'ADDED', object: first });
  assert.deepEqual(faults(), []);
  const second = store.update('pods', {
    ...first,
    metadata: { ...first.metadata, labels: { a: 'b' } },
  });
  assert.match(faults()[0], /was never delivered$/);
  tell({ type: 'MODIFIED', object: second }, { type: 'MODIFIED', object: first });
  assert.match(faults()[0], /is known at \d+$/);
  tell({ type: 'MODIFIED', object: { ...second, spec: {} } });
  assert.match(faults()[0], /is known in another state$/);
  tell({ type: 'DELETED', object: second });
  assert.match(faults()[0], /is not known$/);
  tell({ type: 'ADDED', object: second });
  store.delete('pods', namespace, 'a');
  assert.deepEqual(faults(), ['pods default/a: is gone without a DELETED event']);
  tell({ type: 'SYNC_BEGIN', resource: 'pods' }, { type: 'SYNC_END', resource: 'pods' });
  assert.deepEqual(faults(), []);
  assert.equal(known.synthesised, 1);
  dispose();
});

test('lines that cannot come, and those that are none', () => {
  const known = new KnownObjects();
  const options = { format: 'lines', source: 'pods' };
  const cases = [
    { type: 'SYNC_END', resource: 'pods' },
    { type: 'SYNC_BEGIN', resource: 'nodes' },
    { items: [] },
    { type: 'OTHER' },
  ];
  for (const line of cases) assert.throws(() => known.apply(linesOf(line), options));
  assert.equal(known.apply(new TextEncoder().encode('{"type":"ADDED","obj\n'), options), false);
});

test('a pod that is bound twice, and one who binds without the lease', async () => {
  const { fetch, store, dispose } = createApiServer();
  const ledger = new BindingLedger({ now: () => 0 });
  ledger.follow(store);
  const pod = store.create('pods', makePod('a', { metadata: { namespace } }));
  store.create('leases', { metadata: LEASE, spec: { holderIdentity: 'x' } });
  const bind = (/** @type {string} */ identity) =>
    ledger.of(
      identity,
      fetch,
    )(
      new Request('http://apiserver.test/api/v1/namespaces/default/pods/a/binding', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ target: { name: 'n' } }),
      }),
    );
  assert.equal((await bind('x')).status, 201);
  assert.deepEqual([ledger.usurped, ledger.boundTwice], [[], []]);
  assert.equal((await bind('y')).status, 409);
  assert.match(ledger.usurped[0], /pods\/a\/binding of y, and x leads$/);
  // No server does that, but one that has lost its store.
  store.load({ ...pod, kind: 'Pod', apiVersion: 'v1' });
  assert.equal((await bind('y')).status, 201);
  assert.deepEqual(ledger.boundTwice, ['default/a to n', 'default/a to n']);
  assert.deepEqual(
    ledger.bindings.map(({ by, holder }) => [by, holder]),
    [
      ['x', 'x'],
      ['y', 'x'],
    ],
  );
  dispose();
});
