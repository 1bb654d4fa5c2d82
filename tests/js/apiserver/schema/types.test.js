import assert from 'node:assert/strict';
import { test } from 'node:test';

import { KUBERNETES_TYPES } from '../../../../js/apiserver/schema/kubernetes_types.js';
import { structOf } from '../../../../js/apiserver/schema/types.js';
import { zeroOf } from '../../../../js/apiserver/schema/zero.js';

/** @param {string} apiVersion @param {string} kind @param {string[]} path */
function fieldAt(apiVersion, kind, ...path) {
  let struct = structOf(apiVersion, kind);
  let field;
  for (const name of path) {
    field = struct?.fields.get(name);
    let shape = field?.shape;
    while (shape?.kind === 'list' || shape?.kind === 'map') shape = shape.element;
    struct = shape?.kind === 'struct' ? shape.struct : null;
  }
  assert.ok(field, `${kind}.${path.join('.')}`);
  return field;
}

test('every type of the table can be read, and leads to types of the table', () => {
  const seen = new Set();
  const walk = (/** @type {any} */ struct) => {
    if (seen.has(struct.name)) return;
    seen.add(struct.name);
    for (const { name, shape } of struct.fields.values()) {
      assert.ok(!(name in Object.prototype), `${struct.name}.${name}`);
      let inner = shape;
      while (inner.element) inner = inner.element;
      if (inner.struct) walk(inner.struct);
    }
  };
  const kinds = [...KUBERNETES_TYPES.matchAll(/^kind (\S+) (\S+)/gm)];
  for (const [, apiVersion, kind] of kinds) walk(structOf(apiVersion, kind));
  assert.equal(seen.size, [...KUBERNETES_TYPES.matchAll(/^type /gm)].length);
  assert.ok(kinds.length > 40);
});

test('lists are keyed, sets or one value, as the types say', () => {
  const cases = [
    { path: ['spec', 'containers'], keys: ['name'], isSet: false, mergeKey: 'name' },
    {
      path: ['spec', 'containers', 'ports'],
      keys: ['containerPort', 'protocol'],
      isSet: false,
      mergeKey: 'containerPort',
    },
    { path: ['spec', 'containers', 'args'], keys: [], isSet: false, mergeKey: '' },
    { path: ['spec', 'tolerations'], keys: [], isSet: false, mergeKey: '' },
    {
      path: ['spec', 'topologySpreadConstraints'],
      keys: ['topologyKey', 'whenUnsatisfiable'],
      isSet: false,
      mergeKey: 'topologyKey',
    },
    { path: ['spec', 'hostAliases'], keys: ['ip'], isSet: false, mergeKey: 'ip' },
    { path: ['metadata', 'finalizers'], keys: [], isSet: true, mergeKey: '' },
    { path: ['metadata', 'ownerReferences'], keys: ['uid'], isSet: false, mergeKey: 'uid' },
  ];
  for (const { path, keys, isSet, mergeKey } of cases) {
    const { shape, patchMergeKey } = fieldAt('v1', 'Pod', ...path);
    assert.equal(shape.kind, 'list');
    if (shape.kind !== 'list') continue;
    const got = { keys: shape.keys, isSet: shape.isSet, mergeKey: patchMergeKey };
    assert.deepEqual(got, { keys, isSet, mergeKey }, path.join('.'));
  }
});

test('maps and structs are one value where the types say so, or a field says otherwise', () => {
  const cases = [
    { of: ['v1', 'Pod', 'spec', 'nodeSelector'], isAtomic: true },
    { of: ['v1', 'Pod', 'metadata', 'labels'], isAtomic: false },
    { of: ['apps/v1', 'Deployment', 'spec', 'selector'], isAtomic: true },
    { of: ['v1', 'PersistentVolume', 'spec', 'claimRef'], isAtomic: false },
    { of: ['v1', 'Event', 'involvedObject'], isAtomic: true },
  ];
  for (const { of, isAtomic } of cases) {
    const [apiVersion, kind, ...path] = of;
    const { shape } = fieldAt(apiVersion, kind, ...path);
    assert.equal(/** @type {any} */ (shape).isAtomic, isAtomic, of.join(' '));
  }
});

test('an empty object has the fields that are written even if they are zero', () => {
  const pod = structOf('v1', 'Pod');
  const event = structOf('events.k8s.io/v1', 'Event');
  assert.ok(pod && event);
  assert.deepEqual(zeroOf({ kind: 'struct', struct: pod, isAtomic: false }), {
    metadata: {},
    spec: { containers: null },
    status: {},
  });
  const zero = zeroOf({ kind: 'struct', struct: event, isAtomic: false });
  assert.deepEqual(
    { source: zero.deprecatedSource, first: zero.deprecatedFirstTimestamp, time: zero.eventTime },
    { source: {}, first: null, time: null },
  );
});

test('other kinds have no type', () => {
  assert.equal(structOf('example.com/v1', 'Pod'), null);
});
