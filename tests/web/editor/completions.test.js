import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createApiServer } from '../../../js/apiserver/api_server.js';
import { completionsAt } from '../../../web/src/editor/completions.js';
import { node } from '../world/objects.js';

const { store, dispose } = createApiServer({ controllers: [] });
dispose();
const zoned = node('worker-1');
store.load({
  ...zoned,
  metadata: { name: 'worker-1', labels: { 'example.com/rack': 'r1' } },
  spec: { taints: [{ key: 'example.com/dedicated', effect: 'NoSchedule' }] },
  status: { allocatable: { ...zoned.status.allocatable, 'nvidia.com/gpu': '4' } },
});

const SETTINGS = {
  configuration: { profiles: [{ schedulerName: 'first' }, { schedulerName: 'second' }] },
};

/**
 * The completions at `|`, best first.
 * @param {string} marked
 * @param {import('../../../web/src/editor/types.js').TextKind} [kind]
 */
function offered(marked, kind = 'objects') {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = completionsAt(kind, text, offset, { store, settings: SETTINGS });
  return [...(found?.options ?? [])].sort((a, b) => b.boost - a.boost);
}

/** @param {string} marked @param {import('../../../web/src/editor/types.js').TextKind} [kind] */
const labels = (marked, kind) => offered(marked, kind).map(({ label }) => label);

/**
 * The text after a completion.
 * @param {string} marked
 * @param {string} label
 */
function taken(marked, label) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = completionsAt('objects', text, offset, { store, settings: SETTINGS });
  const option = found?.options.find((one) => one.label === label);
  assert.ok(found && option, `${label} is not offered`);
  return text.slice(0, found.from) + option.apply + text.slice(offset);
}

const POD = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n';

test('fields complete at the cursor: required ones first, existing ones left out', () => {
  const inSpec = labels(`${POD}spec:\n  nodeName: x\n  |\n`);
  assert.equal(inSpec[0], 'containers');
  assert.ok(inSpec.includes('tolerations') && !inSpec.includes('nodeName'));
  assert.ok(!inSpec.includes('metadata'));
  const inContainer = offered(`${POD}spec:\n  containers:\n    - |`);
  assert.deepEqual([inContainer[0].label, inContainer[0].detail], ['name', 'string, required']);
  assert.deepEqual(labels(`${POD}|`).slice(0, 2), ['spec', 'status']);
});

test('a completion is indented so that the user can write on', () => {
  assert.equal(taken(`${POD}spec:\n  tol|`, 'tolerations'), `${POD}spec:\n  tolerations:\n    - `);
  assert.equal(
    taken(`${POD}spec:\n  tolerations:\n    - effe|`, 'effect'),
    `${POD}spec:\n  tolerations:\n    - effect: `,
  );
  assert.equal(
    taken(`${POD}spec:\n  tolerations:\n    |`, 'operator'),
    `${POD}spec:\n  tolerations:\n    - operator: `,
  );
  assert.equal(taken(`${POD}spec:\n  aff|: {}`, 'affinity'), `${POD}spec:\n  affinity: {}`);
  assert.equal(
    taken(`${POD}spec:\n  containers:\n    - res|`, 'resources'),
    `${POD}spec:\n  containers:\n    - resources:\n        `,
  );
});

test('values complete: enumerations, booleans, and names from the cluster', () => {
  const inToleration = (/** @type {string} */ rest) => `${POD}spec:\n  tolerations:\n    - ${rest}`;
  assert.deepEqual(labels(inToleration('effect: No|')), [
    ...['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  ]);
  assert.deepEqual(labels(inToleration('key: |')), ['example.com/dedicated']);
  assert.deepEqual(labels(`${POD}spec:\n  hostNetwork: |`), ['true', 'false']);
  assert.deepEqual(labels(`${POD}spec:\n  nodeName: |`), ['worker-1']);
  assert.deepEqual(labels(`${POD}spec:\n  schedulerName: |`), ['first', 'second']);
  assert.equal(labels(`${POD}spec:\n  nodeSelector:\n    |`)[0], 'example.com/rack');
  const requests = `${POD}spec:\n  containers:\n    - resources:\n        requests:\n          `;
  assert.ok(labels(`${requests}|`).includes('nvidia.com/gpu'));
  assert.equal(taken(`${requests}cp|`, 'cpu'), `${requests}cpu: `);
});

test('completions of apiVersion and kind fit each other', () => {
  assert.deepEqual(labels('kind: |\napiVersion: policy/v1'), ['PodDisruptionBudget']);
  assert.deepEqual(labels('apiVersion: |\nkind: Deployment'), ['apps/v1']);
  assert.ok(labels('kind: |').includes('PriorityClass'));
  assert.deepEqual(labels('|'), ['apiVersion', 'kind', 'metadata']);
});

test('completions work in flow style, later documents, Lists, and broken text', () => {
  assert.equal(
    taken(`${POD}spec: { tolerations: [{ key: a, op| }] }`, 'operator'),
    `${POD}spec: { tolerations: [{ key: a, operator:  }] }`,
  );
  assert.deepEqual(labels(`${POD}spec: { tolerations: [{ operator: | }] }`), ['Equal', 'Exists']);
  assert.ok(labels(`a: [\n---\n${POD}spec:\n  tol|`).includes('tolerations'));
  const list =
    'apiVersion: v1\nkind: List\nitems:\n  - kind: Node\n    apiVersion: v1\n    spec:\n';
  assert.ok(labels(`${list}      |`).includes('unschedulable'));
  const broken = `${POD}spec:\n  restartPolicy Never\n  tolerations:\n    - effect: |`;
  assert.ok(labels(broken).includes('NoSchedule'));
  assert.deepEqual(labels(`${POD}spec: # tol|`), []);
});

test('KubeSchedulerConfiguration completes fields, plugins of a point, and arguments', () => {
  const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
  const of = (/** @type {string} */ text) => labels(`${head}${text}`, 'configuration');
  assert.ok(of('|').includes('podMaxBackoffSeconds'));
  assert.ok(of('profiles:\n  - plugins:\n      |').includes('multiPoint'));
  const score = of('profiles:\n  - plugins:\n      score:\n        enabled:\n          - name: |');
  assert.ok(score.includes('ImageLocality') && !score.includes('NodeName'));
  assert.ok(of('profiles: [{ plugins: { filter: { disabled: [{ name: | }] } } }]').includes('*'));
  const args = 'profiles:\n  - pluginConfig:\n      - name: NodeResourcesFit\n        args:\n';
  assert.ok(of(`${args}          |`).includes('scoringStrategy'));
  assert.ok(of(`${args}          scoringStrategy:\n            type: |`).includes('MostAllocated'));
});

test('scenarios complete their own fields, and those of their objects', () => {
  const head = 'apiVersion: stowage/v1\nkind: Scenario\ntitle: T\n';
  const of = (/** @type {string} */ text) => labels(`${head}${text}`, 'scenario');
  assert.ok(of('|').includes('steps') && !of('|').includes('title'));
  assert.ok(of('steps:\n  - |').includes('scheduleOne'));
  const pod = '{ kind: Pod, apiVersion: v1, spec: { | } }';
  assert.ok(of(`objects:\n  - repeat: 2\n    object: ${pod}`).includes('tolerations'));
  assert.ok(of(`steps: [{ apply: ${pod} }]`).includes('tolerations'));
  assert.ok(of('configuration:\n  |').includes('profiles'));
});

test('fields of device claims, slices and taint rules complete, with names of devices', () => {
  const { store: devices, dispose: end } = createApiServer({ controllers: [] });
  end();
  devices.load({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'gpu.example.com' },
    spec: { extendedResourceName: 'example.com/gpu' },
  });
  devices.load({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 's' },
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'worker-1',
      pool: { name: 'pool-1', generation: 1, resourceSliceCount: 1 },
      devices: [
        {
          name: 'gpu-0',
          attributes: { model: { string: 'a' }, 'example.com/numa': { int: 0 } },
          capacity: { memory: { value: '1Gi' } },
          taints: [{ key: 'example.com/hot', effect: 'NoSchedule' }],
        },
      ],
    },
  });
  /** @param {string} marked */
  const all = (marked) => {
    const offset = marked.indexOf('|');
    const cluster = { store: devices, settings: {} };
    const found = completionsAt('objects', marked.replace('|', ''), offset, cluster);
    return (found?.options ?? []).map(({ label }) => label);
  };
  const claim = (/** @type {string} */ rest) =>
    `apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nspec: { devices: { ${rest} } }`;
  const exactly = (/** @type {string} */ rest) =>
    claim(`requests: [{ name: a, exactly: { ${rest} } }]`);
  assert.deepEqual(all(exactly('deviceClassName: | ')), ['gpu.example.com']);
  assert.deepEqual(all(exactly('allocationMode: | ')), ['ExactCount', 'All']);
  assert.deepEqual(all(exactly('tolerations: [{ key: | }]')), ['example.com/hot']);
  assert.deepEqual(all(exactly('tolerations: [{ effect: | }]')), [
    ...['NoSchedule', 'NoExecute', 'None'],
  ]);
  assert.deepEqual(all(exactly('capacity: { requests: { | } }')), ['memory']);
  assert.deepEqual(all(claim('constraints: [{ matchAttribute: | }]')), [
    ...['gpu.example.com/model', 'example.com/numa'],
  ]);
  const rule = (/** @type {string} */ rest) =>
    `apiVersion: resource.k8s.io/v1beta2\nkind: DeviceTaintRule\nspec: { ${rest} }`;
  const selector = ['driver', 'pool', 'device'].map((field) =>
    all(rule(`deviceSelector: { ${field}: | }`)),
  );
  assert.deepEqual(selector, [['gpu.example.com'], ['pool-1'], ['gpu-0']]);
  assert.deepEqual(all('apiVersion: |\nkind: DeviceTaintRule'), ['resource.k8s.io/v1beta2']);
  const requests = `${POD}spec:\n  containers:\n    - resources:\n        requests:\n          |`;
  assert.ok(all(requests).includes('example.com/gpu'));
});

test('what describes a field of devices is about a field that exists', () => {
  const claim = offered(
    'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nspec:\n  devices:\n    |',
  );
  assert.deepEqual(
    claim.map(({ label, info }) => [label, Boolean(info)]),
    [
      ['requests', true],
      ['constraints', true],
      ['config', true],
    ],
  );
});
