// Goal: each rule that refuses devices has its words and its column, and a request that no node can
// serve is named. Method: culprits written by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { culpritSentence, devicesLeft, unservedRequests } from '../../../js/src/index.js';

/** @import { Culprit, DeviceRefusal, DeviceRequest, Evaluation } from '../../../js/src/index.js' */

/**
 * @param {Partial<DeviceRefusal>[]} refused
 * @param {Partial<DeviceRequest>} [more]
 * @returns {DeviceRequest}
 */
function request(refused, more = {}) {
  const own = { claim: 'a/c', request: 'r', deviceClass: 'gpu', asked: 1, devices: 8, left: 0 };
  const whole = refused.map((one) => ({ device: 'd/p/x', devices: 1, ...one }));
  return /** @type {DeviceRequest} */ ({ ...own, missing: 1, refused: whole, ...more });
}

/** @param {string} node @param {DeviceRequest[]} deviceRequests @returns {Culprit} */
function culprit(node, ...deviceRequests) {
  return { node, plugin: 'DynamicResources', reasons: ['no'], deviceRequests };
}

/** @type {[Partial<DeviceRefusal>, string, string][]} a refusal, its sentence and its column */
const RULES = [
  [
    { rule: 'bindingConditions', devices: 2 },
    '2 have binding conditions, whose gates are off',
    'Conditions',
  ],
  [{ rule: 'classSelector', expression: 'true' }, '1 is not of the class', 'Class'],
  [{ rule: 'selector', expression: 'a\n  == b' }, '1 does not match a == b', 'Selector'],
  [
    { rule: 'selector', devices: 3, expression: 'é'.repeat(200) },
    `3 do not match ${'é'.repeat(100)}…`,
    'Selector',
  ],
  [{ rule: 'node', devices: 2 }, '2 are for other nodes', 'Node'],
  [{ rule: 'fault', message: 'no such key' }, 'a selector fails for d/p/x (no such key)', 'Error'],
  [
    { rule: 'fault', devices: 2, message: 'no such key' },
    'a selector fails for 2, first for d/p/x (no such key)',
    'Error',
  ],
  [{ rule: 'capacity' }, '1 has too little capacity', 'Capacity'],
  [
    { rule: 'capacity', devices: 2, capacity: 'cores', asked: '3', left: '1', pods: ['a/b'] },
    '2 have too little capacity (cores: 3 asked, 1 left, used by a/b)',
    'Capacity',
  ],
  [{ rule: 'capacity', capacity: 'd/c', asked: '3' }, '1 has no capacity d/c', 'Capacity'],
  [
    { rule: 'capacity', capacity: 'cores', asked: '3', isAllowed: false },
    '1 does not allow 3 of capacity cores',
    'Capacity',
  ],
  [{ rule: 'inUse', devices: 2, pods: ['a/b', 'a/c'] }, '2 are in use by a/b, a/c', 'In use'],
  [{ rule: 'inUse', pods: [] }, '1 is in use', 'In use'],
  [{ rule: 'counters' }, '1 needs counters that are taken', 'Counters'],
  [
    {
      rule: 'counters',
      counterSet: 's',
      counter: 'memory',
      asked: '20Gi',
      left: '10Gi',
      pods: ['a/b', 'a/c'],
    },
    '1 needs counters that are taken (memory of set s: 20Gi asked, 10Gi left, used by a/b, a/c)',
    'Counters',
  ],
  [
    { rule: 'taint', taint: { key: 'k', value: 'v', effect: 'NoSchedule' } },
    '1 has the taint k=v:NoSchedule',
    'Taint',
  ],
  [{ rule: 'constraint', matchAttribute: 'd/m' }, '1 has no attribute d/m', 'Constraint'],
  [
    { rule: 'constraint', distinctAttribute: 'd/m', devices: 2, isTogether: true },
    '2 are equal to others in d/m',
    'Together',
  ],
  [
    { rule: 'constraint', matchAttribute: 'd/m', isTogether: true },
    '1 differs from the others in d/m',
    'Together',
  ],
  [
    { rule: 'inUse', isTogether: true, devices: 2 },
    '2 are chosen for other requests of the pod',
    'Together',
  ],
  [
    { rule: 'counters', isTogether: true, counterSet: 's', counter: 'm', asked: '2', left: '1' },
    "1 needs counters that the pod's other devices take (m of set s: 2 asked, 1 left)",
    'Together',
  ],
  [
    { rule: 'counters', isTogether: true },
    "1 needs counters that the pod's other devices take",
    'Together',
  ],
];

for (const [refusal, sentence, column] of RULES) {
  test(`${column}: ${sentence.slice(0, 60)}`, () => {
    const own = culprit('n', request([refusal]));
    const asked = 'request r of claim a/c asks for 1 device of class gpu, 0 of 8 are left';
    assert.equal(culpritSentence(own), `${asked}: ${sentence}`);
    const { columns, rows } = devicesLeft([own]);
    assert.deepEqual([columns, rows[0].left], [[column], [8 - (refusal.devices ?? 1)]]);
  });
}

test('a request of extended resources, for all devices, or on a node without devices', () => {
  const extended = request([], { claim: undefined, devices: 0 });
  const all = request([{ rule: 'inUse' }], { asked: 'All', left: 1, devices: 2 });
  assert.equal(
    culpritSentence(culprit('n', extended, all)),
    'request r for extended resources asks for 1 device of class gpu, but the node has no ' +
      'devices, request r of claim a/c asks for all devices of class gpu, 1 of 2 is left: ' +
      '1 is in use',
  );
});

test('only requests of which every alternative lacks devices are in the sentence', () => {
  const served = request([], { request: 'ok', missing: 0, left: 2 });
  const first = request([], { request: 'either/a' });
  const second = request([], { request: 'either/b', missing: 0, left: 1 });
  const own = culprit('n', served, first, second);
  assert.equal(culpritSentence(own), 'no');
  const lacking = culprit('n', served, first, { ...second, missing: 1 });
  assert.match(culpritSentence(lacking), /^request either\/a .*, request either\/b /);
});

test('the table has a row for each node and request, and the rule that refuses most', () => {
  const one = request([
    { rule: 'classSelector', devices: 5, expression: 'device.driver == "d"' },
    { rule: 'inUse', devices: 2 },
    { rule: 'constraint', isTogether: true, matchAttribute: 'd/m' },
  ]);
  const two = request([{ rule: 'inUse', devices: 8 }], { request: 's' });
  const served = request([{ rule: 'inUse', devices: 3 }], { missing: 0 });
  const { columns, rows } = devicesLeft([
    culprit('a', one, two),
    { node: 'b', plugin: 'NodeName', reasons: [] },
    culprit('c', served),
  ]);
  assert.deepEqual(columns, ['Class', 'In use', 'Together']);
  assert.deepEqual(
    rows.map(({ node, request: { request: name }, left, mostBy }) => [node, name, left, mostBy]),
    [
      ['a', 'r', [3, 1, 0], 'class: device.driver == "d"'],
      ['a', 's', [8, 0, 0], 'in use'],
      ['c', 'r', [8, 5, 5], ''],
    ],
  );
});

test('a request is named if no node can serve it', () => {
  const busy = (/** @type {string} */ pod) => request([{ rule: 'inUse', pods: [pod] }]);
  const most = request([{ rule: 'classSelector', devices: 6 }], { left: 1, asked: 2 });
  /** @param {Culprit[]} culprits @param {Partial<Evaluation>} [more] */
  const unserved = (culprits, more) =>
    unservedRequests(
      /** @type {Evaluation} */ ({ culprits, numAllNodes: culprits.length, ...more }),
    );
  const named =
    'can serve request r of claim a/c (1 device of class gpu): of 16 devices on 2 nodes';
  assert.deepEqual(unserved([culprit('a', busy('a/x')), culprit('b', busy('a/y'))]), [
    `No node ${named}, 2 are in use by a/x, a/y.`,
  ]);
  const two = [culprit('a', busy('a/x')), culprit('b', most)];
  assert.match(unserved(two)[0], /, 6 are not of the class, 1 is in use .*, at most 1 is left on /);
  assert.match(unserved(two, { culpritsOmitted: 3 })[0], /^None of the nearest 2 nodes can serve /);
  assert.deepEqual(unserved(two, { numAllNodes: 3 }), [], 'the third node may serve it');
  assert.equal(unserved(two, { numAllNodes: 3, preFilterResult: ['a', 'b'] }).length, 1);
  assert.deepEqual(unserved([two[0], culprit('b', { ...most, missing: 0 })]), []);
  assert.deepEqual(unserved([]), []);
  const filter = (/** @type {number} */ count) => [
    {
      plugin: 'DynamicResources',
      code: 'UnschedulableAndUnresolvable',
      reasons: ['cannot allocate all claims'],
      nodes: Array.from({ length: count }, (_, index) => `n${index}`),
    },
  ];
  const many = { culpritsOmitted: 98, numAllNodes: 100 };
  assert.match(
    unserved(two, { ...many, filter: filter(100) })[0],
    /^No node can serve .* on the nearest 2 nodes, 6 /,
    'of a single request, the omitted nodes lack the same',
  );
  assert.match(unserved(two, { ...many, filter: filter(99) })[0], /^None of the nearest 2 nodes /);
  const none = request([], { devices: 0 });
  assert.match(unserved([culprit('a', none)])[0], /: there are no devices\.$/);
});
