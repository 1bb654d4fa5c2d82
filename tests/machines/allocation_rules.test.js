/**
 * Goal: the rules that the other tests check allocations with find each kind of fault. Method: the
 * allocation of a claim is correct, and is then spoilt in one respect.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { brokenRules, Inventory } from './allocation_rules.js';
import { makeCluster, requestOf } from './cluster.js';

/** @import { Request } from './workloads/types.js' */

const inventory = new Inventory(makeCluster({ nodesOf: () => 1 }));

const EXAMPLE = { driver: 'gpu.example.com', pool: 'example-0' };
const UNHEALTHY = { driver: 'gpu.example.com', pool: 'example-unhealthy-0' };
const MIG = { driver: 'gpu.nvidia.com', pool: 'a100-mig-0' };
const NICS = { driver: 'net.example.com', pool: 'example-network-0' };
const ROOT = 'resource.kubernetes.io/pcieRoot';

/** @type {Request} */
const GPU = { name: 'gpu', class: 'gpu.example.com' };

/**
 * @param {string} name
 * @param {Request[]} requests
 * @param {any[]} results
 * @param {object[]} [constraints]
 */
function claim(name, requests, results, constraints) {
  const devices = { requests: requests.map(requestOf), ...(constraints && { constraints }) };
  return {
    metadata: { name },
    spec: { devices },
    status: { allocation: { devices: { results } } },
  };
}

/** @param {string} capacity */
function nic(capacity) {
  const consumedCapacity = { ingressBandwidth: capacity };
  return { request: 'nic', ...NICS, device: 'nic-0', consumedCapacity };
}

/** @param {string} profile */
function mig(profile) {
  const [name, start] = profile.split('@');
  return { request: 'mig', ...MIG, device: `gpu-0-mig-${name.replace('.', '')}-${start}` };
}

const ONE = { request: 'gpu', ...EXAMPLE, device: 'gpu-0' };
const OTHER = { request: 'gpu', ...EXAMPLE, device: 'gpu-1' };

/** @param {string} name @param {string} profile */
function ofMig(name, profile) {
  return claim(name, [{ name: 'mig', class: 'mig.nvidia.com' }], [mig(profile)]);
}

/** @param {string} name @param {string} capacity */
function ofNic(name, capacity) {
  return claim(name, [{ name: 'nic', class: 'net.example.com' }], [nic(capacity)]);
}

/** @param {string} device of a P4d */
function onP4d(device) {
  return { driver: 'gpu.nvidia.com', pool: 'p4d-0', device };
}

/** @param {string[]} gpus */
function pair(gpus) {
  const requests = [
    { name: 'a', class: 'gpu.nvidia.com' },
    { name: 'b', class: 'gpu.nvidia.com' },
  ];
  const results = gpus.map((device, at) => ({ request: 'ab'[at], ...onP4d(device) }));
  return claim('pair', requests, results, [{ matchAttribute: ROOT }]);
}

/** @type {[string, ReturnType<typeof claim>[], RegExp | null][]} */
const CASES = [
  ['one device', [claim('a', [GPU], [ONE])], null],
  ['too many devices', [claim('a', [GPU], [ONE, OTHER])], /gpu: 2 devices of 1/],
  ['no devices', [claim('a', [GPU], [])], /gpu: 0 alternatives are allocated/],
  [
    'a device that a selector refuses',
    [claim('a', [{ ...GPU, selectors: ['device.allowMultipleAllocations'] }], [ONE])],
    /gpu-0 is not selected by device\.allowMultipleAllocations/,
  ],
  [
    'a device of another class',
    [claim('a', [{ ...GPU, class: 'net.example.com' }], [ONE])],
    /gpu-0 is not selected by device\.driver == 'net\.example\.com'/,
  ],
  [
    'a taint',
    [claim('a', [GPU], [{ request: 'gpu', ...UNHEALTHY, device: 'gpu-0' }])],
    /has the taint gpu\.example\.com\/unhealthy/,
  ],
  [
    'one device for two claims',
    [claim('a', [GPU], [ONE]), claim('b', [GPU], [ONE])],
    /gpu-0 is allocated for a and b/,
  ],
  [
    'administrators beside a user',
    [
      claim('a', [GPU], [ONE]),
      claim('b', [{ ...GPU, adminAccess: true }], [{ ...ONE, adminAccess: true }]),
    ],
    null,
  ],
  ['partitions beside each other', [ofMig('a', '3g.20gb@0'), ofMig('b', '3g.20gb@4')], null],
  [
    'partitions that overlap',
    [ofMig('a', '3g.20gb@0'), ofMig('b', '1g.5gb@2')],
    /gpu-0-counters\/memory-slice-2: 2000000000 of 1000000000/,
  ],
  ['two shares', [ofNic('a', '10G'), ofNic('b', '15G')], null],
  ['too many shares', [ofNic('a', '10G'), ofNic('b', '16G')], /nic-0\/ingressBandwidth: 26/],
  ['two devices of one root', [pair(['gpu-0', 'gpu-1'])], null],
  [
    'two devices of two roots',
    [pair(['gpu-1', 'gpu-2'])],
    /pair: resource.*pci0000:10.*pci0000:20/,
  ],
];

for (const [what, claims, expected] of CASES) {
  test(`${what}: ${expected ? 'broken' : 'kept'}`, () => {
    const broken = brokenRules(inventory, claims);
    if (!expected) assert.deepEqual(broken, []);
    else assert.ok(broken.length === 1 && expected.test(broken[0]), broken.join('\n'));
  });
}

test('a device that no slice has is a fault of the caller', () => {
  const unknown = { ...ONE, device: 'gpu-99' };
  assert.throws(() => brokenRules(inventory, [claim('a', [GPU], [unknown])]), /is not published/);
});
