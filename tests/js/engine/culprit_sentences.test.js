// Goal: every kind of culprit has its sentence, and a node with several gets them all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { culpritSentence, nearestNode } from '../../../js/src/index.js';

const term = 'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
const zone = { term, topologyKey: 'zone' };

/** @type {[string, object, string][]} */
const SENTENCES = [
  [
    'resources',
    {
      resources: [
        {
          resource: 'cpu',
          asked: '1500m',
          allocatable: '4',
          taken: '3500m',
          missing: '1',
          pods: [
            { pod: 'shop/db', taken: '3' },
            { pod: 'shop/web', taken: '500m' },
          ],
        },
        { resource: 'pods', asked: '1', allocatable: '9', taken: '9', missing: '1' },
      ],
    },
    'the pod asks for 1500m cpu, 3500m of 4 are taken, most by shop/db 3, shop/web 500m: ' +
      '1 missing, the pod asks for 1 pods, 9 of 9 are taken: 1 missing',
  ],
  [
    'a taint with a value',
    { taint: { key: 'k', value: 'v', effect: 'NoExecute' } },
    'the pod does not tolerate the taint k=v:NoExecute',
  ],
  [
    'a taint without one',
    { taint: { key: 'k', effect: 'NoSchedule' } },
    'the pod does not tolerate the taint k:NoSchedule',
  ],
  [
    'ports',
    {
      ports: [
        { port: 80, protocol: 'TCP', hostIP: '0.0.0.0', pods: ['a/b'] },
        { port: 53, protocol: 'UDP', hostIP: '10.0.0.1', pods: ['a/b', 'a/c'] },
      ],
    },
    'a/b holds host port 80/TCP, a/b, a/c hold host port 53/UDP on 10.0.0.1',
  ],
  [
    'requirements',
    {
      requirements: [
        {
          field: 'spec.nodeSelector',
          key: 'disk',
          operator: 'In',
          values: ['ssd'],
          value: 'hdd',
        },
        { field: 'f', key: 'gpu', operator: 'Exists', values: [], value: null },
      ],
    },
    'the node has disk=hdd, spec.nodeSelector asks for In [ssd], ' +
      'the node has no label gpu, f asks for Exists',
  ],
  [
    'affinity',
    {
      affinity: [
        { ...zone, domain: 'z' },
        { ...zone, domain: null },
      ],
    },
    `no pod in zone=z is one that ${term} asks for, ` +
      `the node has no label zone, which ${term} asks for`,
  ],
  [
    'anti-affinity',
    { antiAffinity: [{ ...zone, domain: 'z', pods: ['a/b'] }] },
    `a/b in zone=z is excluded by ${term}`,
  ],
  [
    "another pod's anti-affinity",
    { existingAntiAffinity: [{ ...zone, domain: 'z', pod: 'a/b' }] },
    `a/b in zone=z excludes the pod by its ${term}`,
  ],
  [
    'constraints',
    {
      constraints: [
        { topologyKey: 'zone', domain: 'x', pods: 2, minimum: 0, skew: 3, maxSkew: 1 },
        {
          topologyKey: 'zone',
          domain: 'y',
          pods: 1,
          minimum: 0,
          skew: 2,
          maxSkew: 1,
          minDomains: 3,
          domains: 2,
        },
        { topologyKey: 'rack', domain: null, maxSkew: 1 },
      ],
    },
    'zone=x has 2 matching pods and the minimum is 0: the skew would be 3, at most 1 is allowed, ' +
      'zone=y has 1 matching pods and the minimum is 0 because there are 2 of 3 domains: ' +
      'the skew would be 2, at most 1 is allowed, ' +
      'the node has no label rack, which a spread constraint needs',
  ],
  [
    'claims',
    {
      claims: [
        { claim: 'c', reason: 'r', volume: 'v' },
        { claim: 'd', reason: 's', storageClass: 'fast', selectedNode: 'n' },
      ],
    },
    'claim c (volume v): r, claim d (class fast, its volume is made for node n): s',
  ],
  [
    'volumes',
    { volumes: [{ claim: 'c', volume: 'v', key: 'zone', values: ['x', 'y'], value: 'z' }] },
    'volume v of claim c is in zone=x or y, the node is in z',
  ],
  ['a volume in use', { pods: ['a/b'] }, 'a/b uses a volume that the pod needs'],
  [
    'limits',
    { limits: [{ driver: 'd', asked: 1, attached: 16, limit: 16 }] },
    'driver d has 16 volumes attached and would attach 1 more, its limit is 16',
  ],
  [
    'claims that are elsewhere, and pools',
    {
      unavailableClaims: ['a/b'],
      devicePools: [
        { pool: 'd/p', problem: 'incomplete' },
        { pool: 'd/q', problem: 'duplicate device name' },
      ],
    },
    'claim a/b is allocated, but not on this node, resource pool d/p is incomplete, ' +
      'resource pool d/q is invalid (duplicate device name)',
  ],
  ['nothing but reasons', {}, 'first, second'],
];

for (const [name, members, want] of SENTENCES) {
  test(`the sentence of ${name}`, () => {
    const culprit = { node: 'n', plugin: 'P', reasons: ['first', 'second'], ...members };
    assert.equal(culpritSentence(/** @type {any} */ (culprit)), want);
  });
}

test('the nearest node is the first, with all its culprits', () => {
  const culprits = [
    { node: 'a', plugin: 'P', reasons: ['one'] },
    { node: 'a', plugin: 'Q', reasons: ['two'] },
    { node: 'b', plugin: 'P', reasons: ['three'] },
  ];
  assert.equal(nearestNode(/** @type {any} */ ({ culprits })), 'a: one; two');
  assert.equal(nearestNode(/** @type {any} */ ({})), undefined);
});
