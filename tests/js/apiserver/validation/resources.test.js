/** Tests invalid requests and limits of containers and of the pod. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { container, podFaults } from './refusals.js';

/** @param {object} resources */
const of = (resources) => podFaults({ containers: [container({ resources })] });

/** @param {object} resources of the pod @param {...object} containers their resources */
const whole = (resources, ...containers) =>
  podFaults({
    resources,
    containers: containers.map((one, index) => container({ name: `c${index}`, resources: one })),
  });

const AT = 'spec.containers[0].resources';
const PAGES = 'hugepages-2Mi';

test('huge pages come whole, beside cpu or memory, and as many as their limit', () => {
  const fits = { [PAGES]: '4Mi' };
  const cases = /** @type {[object, string[]][]} */ ([
    [{ limits: { ...fits, cpu: '1' } }, []],
    [{ limits: { ...fits, memory: '1Gi' }, requests: fits }, []],
    [{ limits: fits }, [`${AT}: Forbidden: HugePages require cpu or memory`]],
    [
      { limits: { ...fits, 'ephemeral-storage': '1Gi' } },
      [`${AT}: Forbidden: HugePages require cpu or memory`],
    ],
    [
      { limits: { ...fits, cpu: '1' }, requests: { [PAGES]: '2Mi' } },
      [`${AT}.requests: Invalid value: "2Mi": must be equal to ${PAGES} limit of 4Mi`],
    ],
    [
      { limits: { cpu: '1' }, requests: { [PAGES]: '2Mi' } },
      [`${AT}.limits: Required value: Limit must be set for non overcommitable resources`],
    ],
    [
      { limits: { [PAGES]: '3Mi', cpu: '1' } },
      ['limits', 'requests'].map(
        (list) =>
          `${AT}.${list}[${PAGES}]: Invalid value: "3Mi": 3Mi is not positive integer multiple ` +
          `of ${PAGES}`,
      ),
    ],
    [
      { limits: { 'hugepages-x': '3Mi', cpu: '1' } },
      ['limits', 'requests'].map(
        (list) =>
          `${AT}.${list}[hugepages-x]: Invalid value: "3Mi": 3Mi is not positive integer ` +
          'multiple of hugepages-x',
      ),
    ],
  ]);
  for (const [resources, faults] of cases) assert.deepEqual(of(resources), faults);
});

test('resources have names that containers know', () => {
  const limits = (/** @type {string} */ name, quantity = '1') => {
    const faults = of({ limits: { [name]: quantity } });
    return faults.filter((fault) => fault.startsWith(`${AT}.limits`));
  };
  const at = (/** @type {string} */ name) => `${AT}.limits[${name}]: Invalid value: "${name}"`;
  assert.deepEqual(limits('cpus'), [
    `${at('cpus')}: must be a standard resource type or fully qualified`,
    `${at('cpus')}: must be a standard resource for containers`,
  ]);
  assert.deepEqual(limits('pods'), [`${at('pods')}: must be a standard resource for containers`]);
  assert.deepEqual(limits('requests.example.org/gpu'), [
    `${at('requests.example.org/gpu')}: doesn't follow extended resource name standard`,
  ]);
  assert.deepEqual(limits('example.org/gpu', '1500m'), [
    `${AT}.limits[example.org/gpu]: Invalid value: "1500m": must be an integer`,
  ]);
  for (const name of ['example.org/gpu', 'ephemeral-storage', 'kubernetes.io/batch-cpu']) {
    assert.deepEqual(limits(name), []);
  }
});

test('the requests of the pod cover the sum of its containers’ requests', () => {
  const request = (/** @type {object} */ requests) => ({ requests });
  const least = 'must be greater than or equal to aggregate container requests of';
  assert.deepEqual(
    whole(
      request({ cpu: '1', memory: '100Mi' }),
      request({ cpu: '600m', memory: '64Mi' }),
      request({ cpu: '900m', memory: '64Mi' }),
    ),
    [
      `spec.resources.requests[cpu]: Invalid value: "1": ${least} 1500m`,
      `spec.resources.requests[memory]: Invalid value: "100Mi": ${least} 128Mi`,
    ],
  );
  assert.deepEqual(whole(request({ memory: '1M' }), request({ memory: '2M' })), [
    `spec.resources.requests[memory]: Invalid value: "1M": ${least} 2M`,
  ]);
  assert.deepEqual(whole(request({ memory: '2Gi' }), request({ memory: '2Gi', cpu: '4' })), []);
  const sidecar = { ...container({ name: 's' }), restartPolicy: 'Always' };
  const init = { ...sidecar, resources: request({ cpu: '1' }) };
  assert.deepEqual(
    podFaults({
      resources: request({ cpu: '1' }),
      initContainers: [init],
      containers: [container({ resources: request({ cpu: '1' }) })],
    }),
    [`spec.resources.requests[cpu]: Invalid value: "1": ${least} 2`],
  );
});

test('the limits of the pod bound each container, and the sum of huge pages', () => {
  const limit = (/** @type {object} */ limits) => ({ limits });
  assert.deepEqual(whole(limit({ cpu: '1' }), { limits: { cpu: '2' }, requests: { cpu: '1' } }), [
    'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal ' +
      'to pod limits of 1',
  ]);
  assert.deepEqual(whole(limit({ cpu: '2' }), limit({ cpu: '1' }), limit({ cpu: '1' })), []);
  const pages = { cpu: '1', [PAGES]: '2Mi' };
  const faults = whole(limit({ cpu: '2', [PAGES]: '2Mi' }), limit(pages), limit(pages));
  assert.deepEqual(
    faults,
    ['requests', 'limits'].map(
      (list) =>
        `spec.resources.${list}[${PAGES}]: Invalid value: "2Mi": must be greater than or equal ` +
        `to aggregate container ${list} of 4Mi`,
    ),
  );
});

test('pod-level resources are cpu, memory and huge pages', () => {
  const supported = 'supported values: "cpu", "hugepages-", "memory"';
  assert.deepEqual(whole({ requests: { 'ephemeral-storage': '1Gi' } }, {}), [
    'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": ' +
      supported,
  ]);
  assert.deepEqual(whole({ requests: { cpu: '1' }, claims: [{ name: 'g' }] }, {}), [
    'spec.resources.claims: Forbidden: claims cannot be set for Resources at pod-level',
  ]);
});

test('containers use claims that the pod has, each once', () => {
  const claims = (/** @type {object[]} */ ...list) =>
    podFaults({
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'x' }],
      containers: [container({ resources: { claims: list } })],
    });
  assert.deepEqual(claims({ name: 'gpu', request: 'a' }, { name: 'gpu', request: 'b' }), []);
  assert.deepEqual(claims({ name: 'nic' }), [
    `${AT}.claims[0]: Not found: "nic": must be one of the names in pod.spec.resourceClaims: gpu`,
  ]);
  assert.deepEqual(claims({ name: 'gpu' }, { name: 'gpu', request: 'a' }), [
    `${AT}.claims[1]: Duplicate value: "gpu"`,
  ]);
  assert.deepEqual(claims({ name: 'gpu', request: 'a' }, { name: 'gpu', request: 'a' }), [
    `${AT}.claims[1]: Duplicate value: "gpu/a"`,
  ]);
  assert.deepEqual(claims({ name: 'gpu', request: 'a' }, { name: 'gpu' }), [
    `${AT}.claims[1]: Duplicate value: "gpu"`,
  ]);
});
