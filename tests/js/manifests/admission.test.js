// Goal: pods of manifests and of templates are admitted by one rule, that of the embedded API
// server. Method: the same pods through `expand` and through the server, and tables of refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../js/src/kubernetes/api_error.js';
import { expand, podsOf } from '../../../js/src/manifests.js';
import { AskedServer } from '../apiserver/asked_server.js';
import { makePod } from '../support/objects.js';

const limitRange = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'sizes', namespace: 'shop' },
  spec: {
    limits: [
      {
        type: 'Container',
        default: { cpu: '2' },
        defaultRequest: { cpu: '1' },
        max: { memory: '1Gi' },
      },
      { type: 'Pod', max: { cpu: '4' } },
    ],
  },
};
const runtimeClass = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'kata' },
  handler: 'kata',
  overhead: { podFixed: { cpu: '250m' } },
  scheduling: { nodeSelector: { runtime: 'kata' }, tolerations: [{ operator: 'Exists' }] },
};
const lists = { limitRanges: [limitRange], runtimeClasses: [runtimeClass] };

/** @param {object} spec @param {object} [resources] */
const podWith = (spec, resources = {}) =>
  makePod('web', {
    metadata: { namespace: 'shop' },
    spec: { containers: [{ name: 'c', image: 'app:v1', resources }], ...spec },
  });

/** @param {string} kind @param {any} pod */
const workloadOf = (kind, pod) => ({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
  kind,
  metadata: { name: 'web', namespace: 'shop' },
  spec: { template: { metadata: { labels: { app: 'web' } }, spec: pod.spec } },
});

/** Returns the parts of a spec that admission changes. @param {any} pod */
const admittedParts = ({ metadata, spec }) => ({
  limited: metadata.annotations?.['kubernetes.io/limit-ranger'],
  resources: spec.containers.map((/** @type {any} */ container) => container.resources),
  overhead: spec.overhead,
  nodeSelector: spec.nodeSelector,
  tolerations: spec.tolerations,
  priority: spec.priority,
});

test('a pod is admitted as the embedded API server admits it', () => {
  const { store } = new AskedServer();
  store.create('namespaces', { metadata: { name: 'shop' } });
  store.create('limitranges', limitRange);
  store.create('runtimeclasses', runtimeClass);
  const specs = [
    {},
    { runtimeClassName: 'kata' },
    { nodeSelector: { disk: 'ssd' }, runtimeClassName: 'kata' },
    { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }] },
    { tolerations: [{ operator: 'Exists' }] },
  ];
  const sizes = [{}, { limits: { cpu: '500m' } }, { requests: { memory: '64Mi' } }];
  specs.forEach((spec, first) =>
    sizes.forEach((resources, second) => {
      const pod = podWith(spec, { ...resources, limits: { memory: '1Gi', ...resources.limits } });
      const name = `web-${first}-${second}`;
      const named = { ...pod, metadata: { ...pod.metadata, name } };
      const stored = admittedParts(store.create('pods', named));
      assert.deepEqual(admittedParts(expand(named, lists)[0]), stored, name);
    }),
  );
});

test('the pods of every workload are admitted as a bare one is', () => {
  const pod = podWith({ runtimeClassName: 'kata' }, { limits: { memory: '1Gi' } });
  const expected = admittedParts(expand(pod, lists)[0]);
  const nodes = [{ kind: 'Node', metadata: { name: 'a', labels: { runtime: 'kata' } } }];
  for (const kind of ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']) {
    const made = podsOf(workloadOf(kind, pod), { ...lists, nodes });
    assert.equal(made.length, 1, kind);
    assert.deepEqual(
      { ...admittedParts(made[0]), tolerations: [{ operator: 'Exists' }] },
      expected,
      kind,
    );
  }
});

test('a refusal by admission is an ApiError in the words of the API server', () => {
  const limits = { memory: '1Gi' };
  const cases = /** @type {[string, any, RegExp][]} */ ([
    [
      'above the most of a container',
      podWith({}, { limits: { memory: '2048Mi' } }),
      /is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi$/,
    ],
    [
      'a sum above the most of a pod, in numbers',
      podWith({}, { limits: { ...limits, cpu: 5 }, requests: { cpu: 0.5 } }),
      /is forbidden: maximum cpu usage per Pod is 4, but limit is 5$/,
    ],
    [
      'an unknown class',
      podWith({ runtimeClassName: 'gvisor' }, { limits }),
      /is forbidden: pod rejected: RuntimeClass "gvisor" not found$/,
    ],
    [
      'another node selector',
      podWith({ runtimeClassName: 'kata', nodeSelector: { runtime: 'runc' } }, { limits }),
      /is forbidden: conflict: runtimeClass\.scheduling\.nodeSelector\[runtime\] = kata; /,
    ],
  ]);
  for (const [name, pod, message] of cases) {
    for (const object of [pod, workloadOf('Deployment', pod)]) {
      assert.throws(
        () => expand(object, lists),
        (error) =>
          error instanceof ApiError && error.code === 'Forbidden' && message.test(error.message),
        name,
      );
    }
  }
});

test('a plugin without its list does not run; stored pods stay unchanged', () => {
  const [open] = expand(podWith({ runtimeClassName: 'kata', overhead: { cpu: '1' } }));
  assert.deepEqual(open.spec.overhead, { cpu: '1' });
  const [elsewhere] = expand(podWith({}), {
    limitRanges: [{ ...limitRange, metadata: { name: 'sizes', namespace: 'other' } }],
  });
  assert.deepEqual(elsewhere.spec.containers[0].resources, {});
  const stored = { ...podWith({}), metadata: { name: 'web', namespace: 'shop', uid: 'u' } };
  assert.equal(expand(stored, lists)[0], stored);
});

test('a pod that cannot be read is left to the engine', () => {
  for (const spec of [
    { containers: 'none' },
    { containers: [null] },
    { tolerations: 'all' },
    { nodeSelector: [] },
    { initContainers: {} },
    { overhead: { cpu: 'much' } },
    { containers: [{ name: 'c', resources: { requests: { cpu: 'much' } } }] },
  ]) {
    const pod = podWith(spec);
    const [{ spec: given }] = expand(pod, lists);
    assert.equal(given.tolerations, pod.spec.tolerations, JSON.stringify(spec));
  }
  const odd = { spec: { limits: [null, { type: 'Container', default: 'much' }] } };
  const limitRanges = [
    { ...limitRange, ...odd },
    { ...limitRange, spec: undefined },
  ];
  assert.deepEqual(expand(podWith({}), { limitRanges })[0].spec.containers[0].resources, {});
});
