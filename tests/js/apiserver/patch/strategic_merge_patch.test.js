import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deepFreeze } from '../../../../js/apiserver/frozen.js';
import { applyStrategicMergePatch } from '../../../../js/apiserver/patch/strategic_merge_patch.js';
import { shapeOf } from '../../../../js/apiserver/schema/types.js';

/** @param {any} of @param {any} patch @param {string} [kind] @param {string} [apiVersion] */
function patched(of, patch, kind = 'Pod', apiVersion = 'v1') {
  const before = JSON.stringify(of);
  const shape = shapeOf(apiVersion, kind);
  const result = applyStrategicMergePatch(deepFreeze(of), deepFreeze(patch), shape);
  assert.equal(JSON.stringify(of), before, 'the object is not changed');
  return result;
}

/** @param {{ name: string, of: any, patch: any, want: any, kind?: string }[]} cases */
function holds(cases) {
  for (const { name, of, patch, want, kind } of cases) {
    assert.deepEqual(patched(of, patch, kind), want, name);
  }
}

const spec = (/** @type {object} */ fields) => ({ spec: fields });
const image = (/** @type {string} */ name, /** @type {string} */ tag) => ({ name, image: tag });

test('lists of containers, variables, mounts and so on are merged by their keys', () => {
  holds([
    {
      name: 'an element is merged, in its place',
      of: spec({ containers: [image('a', '1'), image('b', '1')] }),
      patch: spec({ containers: [image('b', '2')] }),
      want: spec({ containers: [image('a', '1'), image('b', '2')] }),
    },
    {
      name: 'a new one comes where the patch has it',
      of: spec({ containers: [image('a', '1'), image('b', '1')] }),
      patch: spec({ containers: [image('c', '1'), image('a', '2')] }),
      want: spec({ containers: [image('c', '1'), image('a', '2'), image('b', '1')] }),
    },
    {
      name: 'inner lists too',
      of: spec({
        containers: [
          {
            name: 'a',
            env: [{ name: 'X', value: '1' }],
            ports: [{ containerPort: 80, name: 'web' }],
            volumeMounts: [{ mountPath: '/a', name: 'v' }],
            args: ['one', 'two'],
          },
        ],
      }),
      patch: spec({
        containers: [
          {
            name: 'a',
            env: [{ name: 'Y', value: '2' }],
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            volumeMounts: [{ mountPath: '/b', name: 'w' }],
            args: ['three'],
          },
        ],
      }),
      want: spec({
        containers: [
          {
            name: 'a',
            env: [
              { name: 'Y', value: '2' },
              { name: 'X', value: '1' },
            ],
            ports: [{ containerPort: 80, name: 'web', protocol: 'TCP' }],
            volumeMounts: [
              { mountPath: '/b', name: 'w' },
              { mountPath: '/a', name: 'v' },
            ],
            args: ['three'],
          },
        ],
      }),
    },
    {
      name: 'tolerations are one value',
      of: spec({ tolerations: [{ key: 'a' }, { key: 'b' }] }),
      patch: spec({ tolerations: [{ key: 'c' }] }),
      want: spec({ tolerations: [{ key: 'c' }] }),
    },
    {
      name: 'finalizers are a set',
      of: { metadata: { finalizers: ['a', 'b'] } },
      patch: { metadata: { finalizers: ['c', 'a'] } },
      want: { metadata: { finalizers: ['c', 'a', 'b'] } },
    },
  ]);
});

test('null removes a field, and means nothing where there is none', () => {
  holds([
    {
      name: 'a field',
      of: { metadata: { labels: { a: '1', b: '2' } } },
      patch: { metadata: { labels: { a: null, c: null } } },
      want: { metadata: { labels: { b: '2' } } },
    },
    {
      name: 'inside of what is new',
      of: {},
      patch: spec({ nodeName: 'n', affinity: { nodeAffinity: null } }),
      want: spec({ nodeName: 'n', affinity: {} }),
    },
    {
      name: 'a list',
      of: spec({ schedulingGates: [{ name: 'g' }], nodeName: 'n' }),
      patch: spec({ schedulingGates: null }),
      want: spec({ nodeName: 'n' }),
    },
  ]);
});

test('$patch replaces and deletes', () => {
  holds([
    {
      name: 'delete an element',
      of: spec({ containers: [image('a', '1'), image('b', '1')] }),
      patch: spec({ containers: [{ name: 'a', $patch: 'delete' }] }),
      want: spec({ containers: [image('b', '1')] }),
    },
    {
      name: 'replace a list',
      of: spec({ containers: [image('a', '1'), image('b', '1')] }),
      patch: spec({ containers: [image('c', '1'), { $patch: 'replace' }] }),
      want: spec({ containers: [image('c', '1')] }),
    },
    {
      name: 'replace a map',
      of: { metadata: { labels: { a: '1' } } },
      patch: { metadata: { labels: { $patch: 'replace', b: '2' } } },
      want: { metadata: { labels: { b: '2' } } },
    },
    {
      name: 'empty a map',
      of: spec({ affinity: { nodeAffinity: {} }, nodeName: 'n' }),
      patch: spec({ affinity: { $patch: 'delete' } }),
      want: spec({ affinity: {}, nodeName: 'n' }),
    },
    {
      name: 'a directive that meets nothing leaves nothing',
      of: spec({ nodeName: 'n' }),
      patch: spec({
        affinity: { $patch: 'delete' },
        containers: [image('a', '1'), { name: 'b', $patch: 'delete' }],
      }),
      want: spec({ nodeName: 'n', containers: [image('a', '1')] }),
    },
    {
      name: 'a new element loses its own directives',
      of: spec({ containers: [image('a', '1')] }),
      patch: spec({
        containers: [{ name: 'b', env: [{ name: 'X', $patch: 'delete' }], resources: null }],
      }),
      want: spec({ containers: [{ name: 'b', env: [] }, image('a', '1')] }),
    },
  ]);
});

test('$deleteFromPrimitiveList takes scalars out', () => {
  holds([
    {
      name: 'those that are there',
      of: { metadata: { finalizers: ['a', 'b', 'c'] } },
      patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['b', 'x'] } },
      want: { metadata: { finalizers: ['a', 'c'] } },
    },
    {
      name: 'no list, no change',
      of: { metadata: { name: 'p' } },
      patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['b'] } },
      want: { metadata: { name: 'p' } },
    },
    {
      name: 'with an order and an addition',
      of: { metadata: { finalizers: ['a', 'b', 'c'] } },
      patch: {
        metadata: {
          '$deleteFromPrimitiveList/finalizers': ['b'],
          '$setElementOrder/finalizers': ['d', 'c', 'a'],
          finalizers: ['d'],
        },
      },
      want: { metadata: { finalizers: ['d', 'c', 'a'] } },
    },
  ]);
});

test('$setElementOrder orders the patch’s elements around those that only the server has', () => {
  const named = (/** @type {string[]} */ ...names) => names.map((name) => ({ name }));
  const order = (/** @type {string[]} */ ...names) => ({
    '$setElementOrder/containers': named(...names),
  });
  holds([
    {
      name: 'no change but the order',
      of: spec({ containers: named('a', 'b', 'c') }),
      patch: spec(order('c', 'a')),
      want: spec({ containers: named('b', 'c', 'a') }),
    },
    {
      name: 'an addition between',
      of: spec({ containers: named('a', 'c') }),
      patch: spec({ ...order('a', 'b', 'c'), containers: named('b') }),
      want: spec({ containers: named('a', 'b', 'c') }),
    },
    {
      name: 'what the server has on its own stays in front of what came after it',
      of: spec({ containers: named('sidecar', 'a', 'b') }),
      patch: spec({ ...order('a', 'n', 'b'), containers: named('n') }),
      want: spec({ containers: named('sidecar', 'a', 'n', 'b') }),
    },
    {
      name: 'a new list',
      of: spec({ nodeName: 'n' }),
      patch: spec({ ...order('a', 'b'), containers: [...named('b', 'a')].reverse() }),
      want: spec({ nodeName: 'n', containers: named('a', 'b') }),
    },
    {
      name: 'a deleted element',
      of: spec({ containers: named('a', 'b') }),
      patch: spec({ ...order('b'), containers: [{ name: 'a', $patch: 'delete' }] }),
      want: spec({ containers: named('b') }),
    },
    {
      name: 'what is added in a deleted one’s place comes after the server’s own',
      of: spec({ containers: named('a', 'b', 'server') }),
      patch: spec({
        ...order('b', 'n'),
        containers: [{ name: 'n' }, { name: 'a', $patch: 'delete' }],
      }),
      want: spec({ containers: named('b', 'server', 'n') }),
    },
    {
      name: 'nothing to order',
      of: spec({ nodeName: 'n' }),
      patch: spec(order('a')),
      want: spec({ nodeName: 'n' }),
    },
  ]);
});

test('$retainKeys leaves the named fields only', () => {
  const volumes = (/** @type {object} */ fields) => spec({ volumes: [{ name: 'v', ...fields }] });
  holds([
    {
      name: 'another source of a volume',
      of: volumes({ emptyDir: {} }),
      patch: volumes({ $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }),
      want: volumes({ hostPath: { path: '/x' } }),
    },
    {
      name: 'null beside it',
      of: volumes({ emptyDir: {} }),
      patch: volumes({ $retainKeys: ['name'], emptyDir: null }),
      want: volumes({}),
    },
  ]);
  const recreate = { $retainKeys: ['type'], type: 'Recreate' };
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } };
  const got = patched(
    spec({ strategy: rolling }),
    spec({ strategy: recreate }),
    'Deployment',
    'apps/v1',
  );
  assert.deepEqual(got, spec({ strategy: { type: 'Recreate' } }));
});

test('patches of kubectl have the expected results', () => {
  holds([
    {
      name: 'cordon',
      kind: 'Node',
      of: spec({ taints: [{ key: 'a', effect: 'NoSchedule' }] }),
      patch: spec({ unschedulable: true }),
      want: spec({ taints: [{ key: 'a', effect: 'NoSchedule' }], unschedulable: true }),
    },
    {
      name: 'uncordon',
      kind: 'Node',
      of: spec({ unschedulable: true }),
      patch: spec({ unschedulable: null }),
      want: spec({}),
    },
    {
      name: 'taint: the list is one value, the client has merged it',
      kind: 'Node',
      of: spec({ taints: [{ key: 'a', effect: 'NoSchedule' }] }),
      patch: spec({
        taints: [
          { effect: 'NoExecute', key: 'b' },
          { effect: 'NoSchedule', key: 'a' },
        ],
      }),
      want: spec({
        taints: [
          { effect: 'NoExecute', key: 'b' },
          { effect: 'NoSchedule', key: 'a' },
        ],
      }),
    },
  ]);
  const deployment = spec({
    replicas: 1,
    template: { spec: { containers: [image('c', '1')], dnsPolicy: 'ClusterFirst' } },
  });
  const setImage = spec({
    template: {
      spec: { '$setElementOrder/containers': [{ name: 'c' }], containers: [image('c', '2')] },
    },
  });
  assert.deepEqual(patched(deployment, setImage, 'Deployment', 'apps/v1'), {
    spec: {
      replicas: 1,
      template: { spec: { containers: [image('c', '2')], dnsPolicy: 'ClusterFirst' } },
    },
  });
});

const REFUSED = [
  {
    patch: spec({ containers: [{ image: '2' }] }),
    status: 500,
    message: 'map: map[image:2] does not contain declared merge key: name',
  },
  {
    patch: spec({ containers: [{ name: 'a', $patch: 'other' }] }),
    status: 500,
    message: 'unknown patch type: other in map: map[$patch:other name:a]',
  },
  {
    patch: spec({ containers: [{ name: 'a', $patch: 'merge' }] }),
    status: 500,
    message: 'merging lists cannot yet be specified in the patch',
  },
  {
    patch: { $patch: 'what', spec: {} },
    status: 500,
    message: 'unknown patch type: what in map: map[$patch:what spec:map[]]',
  },
  {
    patch: spec({ containers: ['x'] }),
    status: 500,
    message: 'list element types are not identical: [[map[image:1 name:a] x]]',
  },
  {
    patch: spec({ '$setElementOrder/containers': 'a' }),
    status: 500,
    message: 'expected a []interface {}, but received a string',
  },
  {
    patch: spec({
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
      containers: [image('a', '2'), image('b', '2')],
    }),
    status: 500,
    message:
      /^The order in patch list:\n\[map\[image:2 name:a\] .* doesn't match \$setElementOrder/s,
  },
  {
    patch: spec({ $setElementOrder: [] }),
    status: 400,
    message: 'invalid patch format of setElementOrder list',
  },
  {
    patch: { metadata: { $deleteFromPrimitiveList: ['a'] } },
    status: 400,
    message: 'invalid patch format of primitive list',
  },
  {
    patch: spec({ $retainKeys: 'a' }),
    status: 400,
    message: 'invalid patch format of retainKeys',
  },
  {
    patch: spec({ $retainKeys: ['containers'], nodeName: 'm' }),
    status: 400,
    message: 'invalid patch format of retainKeys',
  },
  {
    patch: spec({ '$setElementOrder/nodes': [] }),
    status: 500,
    message: 'unable to find api field in struct PodSpec for the json field "nodes"',
  },
  {
    patch: [],
    status: 400,
    message: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
  },
];

test('values that cannot be merged are refused in the server’s words', () => {
  const pod = {
    metadata: { finalizers: ['a'] },
    spec: { containers: [image('a', '1')], nodeName: 'n' },
  };
  for (const { patch, status, message } of REFUSED) {
    assert.throws(() => patched(pod, patch), { status, message }, JSON.stringify(patch));
  }
});
