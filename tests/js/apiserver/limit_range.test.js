// Goal: LimitRanges complete pods and refuse those outside their bounds, with Kubernetes'
// messages. Method: tables of ranges, pods and claims.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, pod } from './asked_server.js';
import { inDefault, refusalOf } from './workloads.js';

/** @param {object[]} limits @param {string} [name] */
const range = (limits, name = 'bounds') => ({ metadata: { name, ...inDefault }, spec: { limits } });

/** @param {object[]} ranges each the items of one LimitRange */
function storeWith(...ranges) {
  const { store } = new AskedServer();
  for (const [index, limits] of ranges.entries())
    store.create('limitranges', range(limits, `bounds-${index}`));
  return store;
}

/** @param {object} resources @param {object} [spec] */
const podWith = (resources, spec = {}) =>
  pod('web', { containers: [{ name: 'c', image: 'nginx', resources }], ...spec }, inDefault);

/** @param {object} requests */
const claim = (requests) => ({
  metadata: { name: 'data', ...inDefault },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests } },
});

test('a LimitRange for containers completes its defaults', () => {
  const store = storeWith([
    { type: 'Container', max: { cpu: '2' }, min: { cpu: '0.1', memory: '1Mi' } },
    { type: 'example.org/other', max: { cpu: '2' } },
  ]);
  const [item, other] = store.get('limitranges', 'default', 'bounds-0')?.spec.limits ?? [];
  assert.deepEqual(item.default, { cpu: '2' });
  assert.deepEqual(item.defaultRequest, { cpu: '2', memory: '1Mi' });
  assert.equal(other.default, undefined);
});

test('containers get default requests and limits, and the pod says which', () => {
  const store = storeWith([
    {
      type: 'Container',
      default: { cpu: '500m', memory: '256Mi' },
      defaultRequest: { cpu: '100m', memory: '128Mi' },
    },
  ]);
  const containers = [
    { name: 'none', image: 'nginx' },
    { name: 'some', image: 'nginx', resources: { limits: { cpu: '1' } } },
    {
      name: 'all',
      image: 'nginx',
      resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } },
    },
  ];
  const initContainers = [{ name: 'first', image: 'nginx' }];
  const { metadata, spec, status } = store.create(
    'pods',
    podWith({}, { containers, initContainers }),
  );
  const defaults = {
    limits: { cpu: '500m', memory: '256Mi' },
    requests: { cpu: '100m', memory: '128Mi' },
  };
  const resources = (/** @type {any} */ container) => container.resources;
  assert.deepEqual(spec.containers.map(resources), [
    defaults,
    { limits: { cpu: '1', memory: '256Mi' }, requests: { cpu: '1', memory: '128Mi' } },
    containers[2].resources,
  ]);
  assert.deepEqual(spec.initContainers.map(resources), [defaults]);
  assert.equal(status.qosClass, 'Burstable');
  assert.equal(
    metadata.annotations['kubernetes.io/limit-ranger'],
    'LimitRanger plugin set: cpu, memory request for container none; ' +
      'cpu, memory limit for container none; memory request for container some; ' +
      'memory limit for container some; cpu, memory request for init container first; ' +
      'cpu, memory limit for init container first',
  );
});

test('pods of a namespace without a LimitRange stay unchanged', () => {
  const store = storeWith([{ type: 'Container', default: { cpu: '1' } }]);
  store.create('namespaces', { metadata: { name: 'other' } });
  const created = store.create('pods', pod('web', {}, { namespace: 'other' }));
  assert.equal(created.metadata.annotations, undefined);
  assert.deepEqual(created.spec.containers[0].resources, {});
});

/** Returns equal requests and limits. @param {string} cpu @param {string} memory */
const both = (cpu, memory) => ({ requests: { cpu, memory }, limits: { cpu, memory } });

const sidecar = { name: 's', image: 'i', restartPolicy: 'Always', resources: both('1', '1Gi') };
const OUT_OF_BOUNDS = /** @type {[object, any, string][]} */ ([
  [
    { type: 'Pod', min: { cpu: '1' } },
    podWith({}),
    'minimum cpu usage per Pod is 1.  No request is specified',
  ],
  [
    { type: 'Container', min: { cpu: '1' } },
    podWith(both('500m', '1Gi')),
    'minimum cpu usage per Container is 1, but request is 500m',
  ],
  [
    { type: 'Pod', min: { cpu: '1' } },
    podWith({}, { resources: both('500m', '1Gi') }),
    'minimum cpu usage per Pod is 1, but request is 500m',
  ],
  [
    { type: 'Pod', max: { memory: '1Gi' } },
    podWith({ requests: { memory: '1Gi' } }),
    'maximum memory usage per Pod is 1Gi.  No limit is specified',
  ],
  [
    { type: 'Container', max: { memory: '1Gi' }, min: { cpu: '2' } },
    podWith(both('1', '2Gi')),
    '[minimum cpu usage per Container is 2, but request is 1, ' +
      'maximum memory usage per Container is 1Gi, but limit is 2Gi]',
  ],
  [
    { type: 'Pod', max: { memory: '2Gi' } },
    podWith(both('1', '1536Mi'), { initContainers: [sidecar] }),
    'maximum memory usage per Pod is 2Gi, but limit is 2560Mi',
  ],
  [
    { type: 'Pod', max: { cpu: '1' } },
    podWith(both('600m', '1Gi'), { initContainers: [sidecar] }),
    'maximum cpu usage per Pod is 1, but limit is 1600m',
  ],
  [{ type: 'Pod', max: { cpu: '2' }, min: { memory: '1Gi' } }, podWith(both('1', '1Gi')), 'taken'],
  [
    { type: 'Pod', maxLimitRequestRatio: { cpu: '2' } },
    podWith({ requests: { cpu: '100m' }, limits: { cpu: '250m' } }),
    'cpu max limit to request ratio per Pod is 2, but provided ratio is 2.500000',
  ],
  [
    { type: 'Pod', maxLimitRequestRatio: { cpu: '2500m' } },
    podWith({ requests: { cpu: '100m' }, limits: { cpu: '250m' } }),
    'taken',
  ],
  [
    { type: 'Pod', maxLimitRequestRatio: { cpu: '2' } },
    podWith({ limits: { memory: '1Gi' } }),
    'cpu max limit to request ratio per Pod is 2, but no request is specified or request is 0',
  ],
  [
    { type: 'Pod', maxLimitRequestRatio: { cpu: '1500m' } },
    podWith({ requests: { cpu: '1' } }),
    'cpu max limit to request ratio per Pod is 1500m, but no limit is specified or limit is 0',
  ],
  [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }, podWith({}), 'taken'],
]);

test('pods outside the bounds are refused, with a message for each bound', () => {
  for (const [item, asked, cause] of OUT_OF_BOUNDS) {
    const store = storeWith([item]);
    assert.equal(
      refusalOf(() => store.create('pods', asked)),
      cause,
      cause,
    );
    // Validation errors are reported first.
    const invalid = { ...asked, metadata: { ...asked.metadata, labels: { a: '-' } } };
    assert.match(
      refusalOf(() => store.create('pods', invalid)),
      /^metadata\.labels: /,
    );
  }
});

test('a refusal has the code, the reason and the name of a forbidden pod', () => {
  const store = storeWith([{ type: 'Pod', min: { cpu: '1' } }]);
  assert.throws(() => store.create('pods', podWith({})), {
    status: 403,
    code: 'Forbidden',
    message: 'pods "web" is forbidden: minimum cpu usage per Pod is 1.  No request is specified',
  });
});

test('bounds are checked when a pod is created or resized, not when it is labelled', () => {
  const { store } = new AskedServer();
  const created = store.create('pods', podWith(both('2', '1Gi')));
  store.create('limitranges', range([{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' } }]));
  const [container] = created.spec.containers;
  const resized = (/** @type {string} */ cpu) => ({
    ...created,
    spec: { ...created.spec, containers: [{ ...container, resources: both(cpu, '1Gi') }] },
  });
  const resize = (/** @type {string} */ cpu) =>
    refusalOf(() => store.update('pods', resized(cpu), { subresource: 'resize', dryRun: true }));
  assert.equal(resize('1'), 'taken');
  assert.equal(resize('3'), 'maximum cpu usage per Container is 2, but limit is 3');
  store.delete('limitranges', 'default', 'bounds');
  store.create('limitranges', range([{ type: 'Pod', max: { cpu: '1' } }]));
  const metadata = { ...created.metadata, labels: { app: 'web' } };
  assert.equal(store.update('pods', { ...created, metadata }).metadata.labels.app, 'web');
});

test('claims are held within the bounds of storage', () => {
  const bounds = { min: { storage: '1Gi' }, max: { storage: '5Gi' } };
  const store = storeWith([{ type: 'PersistentVolumeClaim', ...bounds }]);
  const create = (/** @type {object} */ requests) =>
    refusalOf(() => store.create('persistentvolumeclaims', claim(requests), { dryRun: true }));
  const usage = 'storage usage per PersistentVolumeClaim is';
  assert.equal(create({ storage: '512Mi' }), `minimum ${usage} 1Gi, but request is 512Mi`);
  assert.equal(create({ storage: '6Gi' }), `maximum ${usage} 5Gi, but request is 6Gi`);
  assert.equal(create({ storage: '5Gi' }), 'taken');
});

const CONTRADICTIONS = /** @type {[object[], string][]} */ ([
  [
    [
      { type: 'Pod', max: { cpu: '1' } },
      { type: 'Container', max: { cpu: '1' } },
    ],
    'taken',
  ],
  [[{ type: 'Pod' }, { type: 'Pod' }], 'spec.limits[1].type: Duplicate value: "Pod"'],
  [
    [{ type: 'Thing' }],
    'spec.limits[0].type: Invalid value: "Thing": ' +
      'must be a standard limit type or fully qualified',
  ],
  [
    [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }],
    "[spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod', " +
      "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod']",
  ],
  [
    [{ type: 'PersistentVolumeClaim' }],
    'spec.limits[0].limits: Required value: ' +
      'either minimum or maximum storage value is required, but neither was provided',
  ],
  [
    [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }],
    'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
  ],
  [
    [
      {
        type: 'Container',
        min: { cpu: '2' },
        default: { cpu: '1' },
        defaultRequest: { cpu: '2' },
      },
    ],
    '[spec.limits[0].defaultRequest[cpu]: Invalid value: "2": ' +
      'default request value 2 is greater than default limit value 1, ' +
      'spec.limits[0].default[cpu]: Invalid value: "2": ' +
      'min value 2 is greater than default value 1]',
  ],
  [
    [
      {
        type: 'Container',
        min: { cpu: '2' },
        default: { cpu: '3' },
        defaultRequest: { cpu: '1' },
      },
    ],
    'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": ' +
      'min value 2 is greater than default request value 1',
  ],
  [
    [
      {
        type: 'Container',
        max: { cpu: '2' },
        default: { cpu: '3' },
        defaultRequest: { cpu: '1' },
      },
    ],
    'spec.limits[0].default[cpu]: Invalid value: "2": ' +
      'default value 3 is greater than max value 2',
  ],
  [
    [{ type: 'Pod', maxLimitRequestRatio: { cpu: '800m' } }],
    'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "800m": ratio 800m is less than 1',
  ],
  [
    [{ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }],
    'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ' +
      'ratio 3 is greater than max/min = 2.000000',
  ],
  [
    [
      {
        type: 'Container',
        default: { 'example.org/gpu': '2' },
        defaultRequest: { 'example.org/gpu': '1' },
      },
    ],
    'spec.limits[0].defaultRequest[example.org/gpu]: Invalid value: "1": ' +
      'default value 2 must equal to defaultRequest value 1 in example.org/gpu',
  ],
  [
    [{ type: 'Pod', max: { things: '1' } }],
    '[spec.limits[0].max[things]: Invalid value: "things": ' +
      'must be a standard resource type or fully qualified, ' +
      'spec.limits[0].max[things]: Invalid value: "things": ' +
      'must be a standard resource for containers]',
  ],
]);

test("LimitRanges that contradict themselves are invalid, in Kubernetes' words", () => {
  for (const [limits, cause] of CONTRADICTIONS) {
    const { store } = new AskedServer();
    assert.equal(
      refusalOf(() => store.create('limitranges', range(limits))),
      cause,
      cause,
    );
  }
});
