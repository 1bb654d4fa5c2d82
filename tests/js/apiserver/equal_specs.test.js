// Goal: pods of one template share one frozen spec, and are validated as if each had its own.
// Method: pods in a store, and specs whose validations are counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createApiServer } from '../../../js/apiserver/index.js';
import { EqualSpecs } from '../../../js/apiserver/equal_specs.js';

const container = { name: 'main', image: 'registry.example.com/app:1' };

/** @param {string} name @param {object} [spec] @returns {any} */
const pod = (name, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ ...container }], ...spec },
});

/** @param {any} pod @returns {string} what the store says about it */
function outcomeOf(pod) {
  const { store } = createApiServer();
  try {
    store.create('pods', pod);
    return 'created';
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

test('pods of one template store one frozen spec until they are bound', () => {
  const { store } = createApiServer();
  const [a, b, other] = [pod('a'), pod('b'), pod('c', { hostname: 'c' })].map((one) =>
    store.create('pods', one),
  );
  assert.equal(a.spec, b.spec);
  assert.ok(Object.isFrozen(a.spec) && Object.isFrozen(a.spec.containers[0]));
  assert.notEqual(other.spec, a.spec);
  assert.equal(other.spec.hostname, 'c');
});

test('each pod of an invalid template is refused with its own name', () => {
  for (const name of ['a', 'b', 'a']) {
    const said = outcomeOf(pod(name, { restartPolicy: 'Sometimes' }));
    assert.match(said, new RegExp(`^Pod "${name}" is invalid: spec.restartPolicy: Unsupported`));
  }
});

test('the claim of an ephemeral volume has the name of its pod', () => {
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const volumes = [
    { name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } },
    { name: 'w', persistentVolumeClaim: { claimName: 'a-v' } },
  ];
  assert.equal(outcomeOf(pod('b', { volumes })), 'created');
  assert.match(outcomeOf(pod('a', { volumes })), /"a-v": must not reference a PVC/);
  assert.equal(outcomeOf(pod('b', { volumes })), 'created');
});

test('a known spec is validated once', () => {
  const specs = new EqualSpecs();
  let count = 0;
  const validated = (/** @type {object} */ spec) => {
    const shared = specs.shared(spec);
    assert.deepEqual(
      specs.errorsOf(shared, () => (count++, [])),
      [],
    );
    return count;
  };
  assert.deepEqual([{ a: 1 }, { a: 1 }, { a: 2 }, { a: 1 }].map(validated), [1, 1, 2, 2]);
  assert.deepEqual(
    specs.errorsOf({ a: 1 }, () => (count++, [])),
    [],
    'not the shared object',
  );
  assert.equal(count, 3);
});

test('the memory for known specs is bounded', () => {
  const specs = new EqualSpecs();
  const first = specs.shared({ number: 0 });
  for (let number = 1; number < 100; number += 1) specs.shared({ number });
  assert.equal(specs.shared({ number: 0 }), first, '100 are known');
  specs.shared({ number: 100 });
  assert.notEqual(specs.shared({ number: 0 }), first, 'the oldest is forgotten');
  const long = () => ({ text: 'x'.repeat(16 << 10) });
  assert.notEqual(specs.shared(long()), specs.shared(long()), 'long ones are not kept');
});
