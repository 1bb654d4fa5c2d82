import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScheduler } from '../../../js/src/index.js';
import { toCurrentVersion } from '../../../js/src/kubernetes/old_device_versions.js';
import { parse, positionOf } from '../../../js/src/manifests.js';

const V1 = 'resource.k8s.io/v1';
const request = { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 };
const selectors = [{ cel: { expression: 'true' } }];

test('objects of v1beta1 become those of v1', () => {
  const cases = [
    [
      'a request has its fields in `exactly`',
      { kind: 'ResourceClaim', spec: { devices: { requests: [{ name: 'r', ...request }] } } },
      { devices: { requests: [{ name: 'r', exactly: request }] } },
    ],
    [
      'alternatives stay, constraints too',
      {
        kind: 'ResourceClaim',
        spec: {
          devices: {
            requests: [{ name: 'r', firstAvailable: [{ name: 'a', ...request }] }],
            constraints: [{ matchAttribute: 'x.example.com/numa' }],
          },
        },
      },
      {
        devices: {
          requests: [{ name: 'r', firstAvailable: [{ name: 'a', ...request }] }],
          constraints: [{ matchAttribute: 'x.example.com/numa' }],
        },
      },
    ],
    [
      'a template has a claim inside',
      {
        kind: 'ResourceClaimTemplate',
        spec: { spec: { devices: { requests: [{ name: 'r', deviceClassName: 'gpu' }] } } },
      },
      { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } } },
    ],
    [
      'a device has the fields of `basic`',
      {
        kind: 'ResourceSlice',
        spec: {
          driver: 'd',
          devices: [{ name: 'g0', basic: { attributes: { a: { int: 1 } } } }, { name: 'g1' }],
        },
      },
      { driver: 'd', devices: [{ name: 'g0', attributes: { a: { int: 1 } } }, { name: 'g1' }] },
    ],
    ['a class is alike', { kind: 'DeviceClass', spec: { selectors } }, { selectors }],
    ['an object without a spec', { kind: 'ResourceSlice' }, undefined],
    ['a slice without devices', { kind: 'ResourceSlice', spec: { driver: 'd' } }, { driver: 'd' }],
    [
      'what is no list stays for the engine to reject',
      { kind: 'ResourceClaim', spec: { devices: 'many' } },
      { devices: 'many' },
    ],
  ];
  for (const [name, object, spec] of cases) {
    const metadata = { name: 'x' };
    const given = { apiVersion: 'resource.k8s.io/v1beta1', metadata, ...object };
    const before = structuredClone(given);
    const made = toCurrentVersion(given);
    assert.deepEqual(
      made,
      { apiVersion: V1, kind: object.kind, metadata, ...(spec && { spec }) },
      name,
    );
    assert.deepEqual(given, before, name);
  }
});

test('v1beta2 has the fields of v1; other kinds and versions stay as they are', () => {
  const spec = { devices: { requests: [{ name: 'r', exactly: request }] } };
  const claim = { kind: 'ResourceClaim', metadata: { name: 'c' }, spec };
  const beta = { apiVersion: 'resource.k8s.io/v1beta2', ...claim };
  assert.deepEqual(toCurrentVersion(beta), { apiVersion: V1, ...claim });
  for (const [apiVersion, kind] of [
    [V1, 'ResourceClaim'],
    ['resource.k8s.io/v1alpha3', 'ResourceClaim'],
    ['resource.k8s.io/v1beta2', 'DeviceTaintRule'],
    ['example.com/v1beta1', 'ResourceClaim'],
    ['resource.k8s.io/v1beta1', 'constructor'],
  ]) {
    const object = { ...claim, apiVersion, kind };
    assert.equal(toCurrentVersion(object), object, `${apiVersion} ${kind}`);
  }
});

test('a pod gets the device of a slice of v1beta1, and errors keep their lines', async () => {
  const text = `
apiVersion: v1
kind: Node
metadata: {name: node-1}
status: {allocatable: {cpu: "1", memory: 1Gi, pods: "9"}}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceSlice
metadata: {name: s}
spec:
  {driver: d.example.com, nodeName: node-1,
   pool: {name: node-1, generation: 1, resourceSliceCount: 1},
   devices: [{name: g, basic: {}}]}
---
apiVersion: resource.k8s.io/v1beta2
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: device.driver == "d.example.com"}}]}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: r, deviceClassName: gpu}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c}], resourceClaims: [{name: g, resourceClaimName: c}]}
`;
  /** @type {string[]} */
  const converted = [];
  const objects = parse(text, { onConverted: ({ kind }) => converted.push(kind) });
  assert.deepEqual(converted, ['ResourceSlice', 'DeviceClass', 'ResourceClaim']);
  assert.equal(positionOf(objects[3], 'spec.devices')?.line, 23);
  const scheduler = await createScheduler();
  scheduler.apply(objects);
  const decisions = await scheduler.schedule();
  assert.equal(decisions.at(-1)?.node, 'node-1');
  const results = Object.values(decisions.at(-1)?.claims ?? {}).map(
    ({ devices }) => devices.results,
  );
  assert.deepEqual(
    results[0].map(({ device }) => device),
    ['g'],
  );
  scheduler.dispose();
});
