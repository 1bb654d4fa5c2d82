// Goal: no object, patch or list of a client costs the API server in memory more than n log n.
// Method: objects with each of their lists in doubling sizes are created, patched in every way,
// applied, and read as a Table; refusals must be fast as well.
import { test } from 'node:test';

import { createApiServer } from '../../js/apiserver/index.js';
import { anonymize } from '../../js/src/snapshot/anonymize.js';
import { assertGrowsLittle } from './growth.js';

const SIZE = 2_000;
const PODS = '/api/v1/namespaces/default/pods';

/** @param {number} count @param {(index: number) => any} make */
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const named = (/** @type {number} */ index) => ({ name: `n${index}` });
const labelled = (/** @type {number} */ count) =>
  Object.fromEntries(times(count, (index) => [`l${index}`, 'v']));
const term = (/** @type {number} */ index) => ({
  topologyKey: `zone-${index}`,
  labelSelector: { matchLabels: { app: `a${index}` } },
});
const container = (/** @type {any} */ parts) => ({ name: 'c', image: 'i', ...parts });

const sliceOf = (/** @type {any[]} */ devices) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: 'p' },
  spec: {
    driver: 'd',
    nodeName: 'n',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    devices,
  },
});

/** Parts of a pod's spec. @type {Record<string, (size: number) => any>} */
const SPECS = {
  containers: (size) => ({
    containers: times(size, (index) => ({ ...container({}), ...named(index) })),
  }),
  'containers of one name': (size) => ({ containers: times(size, () => container({})) }),
  'init containers': (size) => ({
    initContainers: times(size, (index) => ({ ...container({}), ...named(index) })),
  }),
  ports: (size) => ({
    containers: [
      container({
        ports: times(size, (index) => ({ containerPort: index + 1, hostPort: index + 1 })),
      }),
    ],
  }),
  variables: (size) => ({
    containers: [container({ env: times(size, (index) => ({ ...named(index), value: 'v' })) })],
  }),
  resources: (size) => ({
    containers: [
      container({
        resources: {
          requests: Object.fromEntries(times(size, (index) => [`example.com/r${index}`, '1'])),
          limits: Object.fromEntries(times(size, (index) => [`example.com/r${index}`, '1'])),
        },
      }),
    ],
  }),
  'volumes and mounts': (size) => ({
    volumes: times(size, (index) => ({ ...named(index), emptyDir: {} })),
    containers: [
      container({
        volumeMounts: times(size, (index) => ({ ...named(index), mountPath: `/m${index}` })),
      }),
    ],
  }),
  tolerations: (size) => ({
    tolerations: times(size, (index) => ({ key: `k${index}`, operator: 'Exists' })),
  }),
  'terms of affinity': (size) => ({
    affinity: {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: times(size, term) },
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: times(size, term) },
    },
  }),
  'spread constraints': (size) => ({
    topologySpreadConstraints: times(size, (index) => ({
      ...term(index),
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
    })),
  }),
  'spread constraints of one key': (size) => ({
    topologySpreadConstraints: times(size, () => ({
      ...term(1),
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
    })),
  }),
  gates: (size) => ({ schedulingGates: times(size, named) }),
  claims: (size) => ({
    resourceClaims: times(size, (index) => ({ ...named(index), resourceClaimName: 'x' })),
  }),
  selectors: (size) => ({ nodeSelector: labelled(size) }),
};

const podOf = (/** @type {any} */ spec, metadata = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers: [container({})], ...spec },
});

/** Other objects, and parts of metadata. @type {Record<string, [string, (size: number) => any]>} */
const OBJECTS = {
  labels: [PODS, (size) => podOf({}, { labels: labelled(size) })],
  finalizers: [PODS, (size) => podOf({}, { finalizers: times(size, (i) => `example.com/f${i}`) })],
  owners: [
    PODS,
    (size) =>
      podOf(
        {},
        {
          ownerReferences: times(size, (index) => ({
            apiVersion: 'v1',
            kind: 'Pod',
            uid: `u${index}`,
            ...named(index),
          })),
        },
      ),
  ],
  taints: [
    '/api/v1/nodes',
    (size) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'p' },
      spec: { taints: times(size, (index) => ({ key: `k${index}`, effect: 'NoSchedule' })) },
    }),
  ],
  'ports of a Service': [
    '/api/v1/namespaces/default/services',
    (size) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'p' },
      spec: { ports: times(size, (index) => ({ ...named(index), port: index + 1 })) },
    }),
  ],
  'requests of a ResourceClaim': [
    '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
    (size) => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'p' },
      spec: {
        devices: {
          requests: times(size, (index) => ({
            ...named(index),
            exactly: { deviceClassName: 'c', tolerations: [{ key: `k${index}` }] },
          })),
          constraints: times(size, () => ({ requests: ['n0'], matchAttribute: 'a/b' })),
        },
      },
    }),
  ],
  'devices of a ResourceSlice': [
    '/apis/resource.k8s.io/v1/resourceslices',
    (size) => sliceOf(times(size, (index) => ({ ...named(index), attributes: { a: { int: 1 } } }))),
  ],
  'properties of a device': [
    '/apis/resource.k8s.io/v1/resourceslices',
    (size) =>
      sliceOf([
        {
          name: 'd',
          attributes: Object.fromEntries(times(size, (index) => [`a${index}`, { int: 1 }])),
          capacity: Object.fromEntries(times(size, (index) => [`c${index}`, { value: '1' }])),
          bindingConditions: times(size, (index) => `c${index}`),
          bindingFailureConditions: times(size, (index) => `f${index}`),
        },
      ]),
  ],
  'limits of a LimitRange': [
    '/api/v1/namespaces/default/limitranges',
    (size) => ({
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'p' },
      spec: {
        limits: times(size, (index) => ({ type: `example.com/t${index}`, max: { cpu: '1' } })),
      },
    }),
  ],
};

for (const [name, make] of Object.entries(SPECS))
  OBJECTS[name] = [PODS, (size) => podOf(make(size))];

/** @type {Record<string, { type: string, force?: string, patch: (object: any) => any }>} */
const PATCHES = {
  'strategic merge patch': { type: 'application/strategic-merge-patch+json', patch: withoutName },
  'merge patch': { type: 'application/merge-patch+json', patch: withoutName },
  apply: {
    type: 'application/apply-patch+yaml',
    force: '&force=true',
    patch: (object) => object,
  },
};

/** @param {any} object */
function withoutName({ metadata: { name: _, ...metadata }, ...rest }) {
  return { ...rest, metadata };
}

/** A server that accepts objects of any content, with the requests of the tests. */
function makeServer() {
  const server = createApiServer({ controllers: [] });
  const ask = async (
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {any} */ body,
    type = 'application/json',
    accept = 'application/json',
  ) => {
    const response = await server.fetch(
      new Request(`http://server${path}`, {
        method,
        headers: { 'Content-Type': type, Accept: accept },
        ...(body !== undefined && { body }),
      }),
    );
    return response.text();
  };
  return { ask, server };
}

for (const [name, [path, make]] of Object.entries(OBJECTS)) {
  test(`many ${name}, created, replaced and read as a Table`, () =>
    assertGrowsLittle((size) => {
      const { ask } = makeServer();
      const text = JSON.stringify(make(size));
      return async () => {
        await ask('DELETE', `${path}/p?gracePeriodSeconds=0`, undefined);
        await ask('POST', path, text);
        await ask('PUT', `${path}/p`, text);
        await ask(
          'GET',
          path,
          undefined,
          undefined,
          'application/json;as=Table;v=v1;g=meta.k8s.io',
        );
      };
    }, SIZE));
  for (const [way, { type, patch, force = '' }] of Object.entries(PATCHES)) {
    test(`many ${name}, by ${way}`, () =>
      assertGrowsLittle((size) => {
        const { ask } = makeServer();
        const small = JSON.stringify(make(1));
        const text = JSON.stringify(patch(make(size)));
        return async () => {
          await ask('POST', path, small);
          for (let twice = 0; twice < 2; twice += 1)
            await ask('PATCH', `${path}/p?fieldManager=m${force}`, text, type);
        };
      }, SIZE));
  }
}

test('many operations of a JSON patch', () =>
  assertGrowsLittle((size) => {
    const { ask } = makeServer();
    const operations = times(size, (index) => ({
      op: 'add',
      path: `/metadata/annotations/a${index}`,
      value: 'v',
    }));
    const patch = JSON.stringify([
      { op: 'add', path: '/metadata/annotations', value: {} },
      ...operations,
    ]);
    return async () => {
      await ask('POST', PODS, JSON.stringify(podOf({})));
      await ask('PATCH', `${PODS}/p`, patch, 'application/json-patch+json');
    };
  }, SIZE));

test('many objects with many names, under made-up names', () =>
  assertGrowsLittle((size) => {
    const pods = times(size, (index) => podOf({ nodeName: `n${index}` }, named(index)));
    return () => anonymize(pods);
  }, SIZE));
