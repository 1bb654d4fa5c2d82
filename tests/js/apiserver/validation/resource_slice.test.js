/** Tests the refusals of resource slices: all faults, in their order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { slice } from '../devices.js';
import { faultsOf } from './refusals.js';

const ON = { featureGates: { DRAListTypeAttributes: true } };

/** @param {object} spec */
const faults = (spec) =>
  faultsOf(() => new AskedServer(ON).store.create('resourceslices', slice(spec)));

/** @param {object} device */
const deviceFaults = (device) => faults({ devices: [{ name: 'gpu-0', ...device }] });

/** The field and the kind of each fault. @param {string[]} list */
const heads = (list) => list.map((fault) => fault.split(': ', 2).join(': '));

const PLACES = '`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`';
const term = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] };

test('the driver, the pool and the place of a slice', () => {
  for (const [spec, want] of /** @type {[object, string[]][]} */ ([
    [{}, []],
    [{ pool: { name: 'a/b.c', generation: 0, resourceSliceCount: 2 } }, []],
    [
      { driver: '', pool: { name: '', generation: -1 } },
      [
        'spec.driver: Required value',
        'spec.pool.name: Required value',
        'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
        'spec.pool.generation: Invalid value: -1: must be greater than or equal to zero',
      ],
    ],
    [{ driver: `${'a'.repeat(60)}.com` }, ['spec.driver: Too long: may not be more than 63 bytes']],
    [{ driver: 'GPU.example.com' }, []],
    [{ nodeName: undefined }, [`spec: Required value: exactly one of ${PLACES} is required`]],
    [
      { nodeName: '' },
      [
        'spec.nodeName: Invalid value: "": must be either unset or set to a non-empty string',
        `spec: Required value: exactly one of ${PLACES} is required`,
      ],
    ],
    [
      { allNodes: true },
      [
        `spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": exactly one of ${PLACES} is ` +
          'required, but multiple fields are set',
      ],
    ],
    [
      { allNodes: false },
      ['spec.allNodes: Invalid value: false: must be either unset or set to true'],
    ],
    [{ nodeName: undefined, nodeSelector: { nodeSelectorTerms: [term] } }, []],
    [
      { nodeName: undefined, nodeSelector: { nodeSelectorTerms: [term, {}] } },
      [
        'spec.nodeSelector.nodeSelectorTerms: Invalid value: ' +
          `${JSON.stringify([term, {}])}: must have exactly one node selector term`,
      ],
    ],
    [
      { sharedCounters: [{ name: 'a', counters: { memory: { value: '1' } } }] },
      ['spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
    ],
  ]))
    assert.deepEqual(faults(spec), want);
});

test('counters are in named sets', () => {
  const counters = { memory: { value: '1Gi' } };
  const sharedCounters = [{ name: 'a', counters }, { name: 'a', counters }, { name: '' }];
  assert.deepEqual(faults({ devices: undefined, sharedCounters }), [
    'spec.sharedCounters[2].name: Required value',
    'spec.sharedCounters[2].counters: Required value',
    'spec.sharedCounters[1]: Duplicate value: "a"',
  ]);
  const many = Array.from({ length: 9 }, (_, index) => ({ name: `s${index}`, counters }));
  assert.deepEqual(faults({ devices: undefined, sharedCounters: many }), [
    'spec.sharedCounters: Too many: 9: must have at most 8 items',
  ]);
  const names = Array.from({ length: 33 }, (_, index) => [`c${index}`, { value: '1' }]);
  const large = [{ name: 'a', counters: Object.fromEntries(names) }];
  assert.deepEqual(faults({ devices: undefined, sharedCounters: large }), [
    'spec.sharedCounters[0].counters: Too many: 33: must have at most 32 items',
  ]);
  const consumesCounters = [{ counterSet: 'a', counters: { 'a b': { value: '1' } } }, {}];
  assert.deepEqual(heads(deviceFaults({ consumesCounters })), [
    'spec.devices[0].consumesCounters[0].counters: Invalid value',
    'spec.devices[0].consumesCounters[1].counterSet: Required value',
    'spec.devices[0].consumesCounters[1].counters: Required value',
  ]);
});

test('the number of devices depends on their features', () => {
  const devices = (/** @type {number} */ count, /** @type {object} */ first = {}) =>
    Array.from({ length: count }, (_, index) => ({
      name: `gpu-${index}`,
      ...(index === 0 && first),
    }));
  assert.deepEqual(faults({ devices: devices(128) }), []);
  assert.deepEqual(faults({ devices: devices(129) }), [
    'spec.devices: Too many: 129: must have at most 128 items',
  ]);
  for (const first of [
    { taints: [{ key: 'a', effect: 'NoSchedule' }] },
    { attributes: { a: { strings: ['b'] } } },
    { consumesCounters: [{ counterSet: 'a', counters: { m: { value: '1' } } }] },
  ]) {
    assert.deepEqual(faults({ devices: devices(64, first) }), []);
    assert.deepEqual(faults({ devices: devices(65, first) }), [
      'spec.devices: Too many: 65: must have at most 64 items',
    ]);
  }
  assert.deepEqual(faults({ devices: [{ name: 'a' }, { name: 'a' }] }), [
    'spec.devices[1]: Duplicate value: "a"',
  ]);
});

test('attributes have one value, and names of identifiers', () => {
  const at = 'spec.devices[0].attributes';
  const one = 'exactly one value must be specified';
  for (const [attributes, want] of /** @type {[object, string[]][]} */ ([
    [{ a: { int: 0 }, 'example.com/b': { bool: false }, c: { version: '1.2.3-rc.1+x' } }, []],
    [{ a: {} }, [`${at}[a]: Invalid value: "": ${one}`]],
    [{ a: { int: 1, string: 'x' } }, [`${at}[a]: Invalid value: {"int":1,"string":"x"}: ${one}`]],
    [
      { a: { string: 'x'.repeat(65) } },
      [`${at}[a].string: Too long: may not be more than 64 bytes`],
    ],
    [
      { a: { version: 'v1' }, b: { versions: ['1.0.0', '1.0'] } },
      [
        `${at}[a].version: Invalid value: "v1": must be a string compatible with semver.org ` +
          'spec 2.0.0',
        `${at}[b].versions[1]: Invalid value: "1.0": must be a string compatible with ` +
          'semver.org spec 2.0.0',
      ],
    ],
    [
      { 'a/b/c': { int: 1 } },
      [`${at}: Invalid value: "a/b/c": must not contain more than one slash`],
    ],
    [{ 'a/': { int: 1 } }, [`${at}: Invalid value: "": the name must not be empty`]],
    [{ ['a'.repeat(33)]: { int: 1 } }, [`${at}: Too long: may not be more than 32 bytes`]],
  ]))
    assert.deepEqual(deviceFaults({ attributes }), want);
  const many = (/** @type {number} */ count, /** @type {object} */ value) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, value]));
  assert.deepEqual(
    deviceFaults({ attributes: many(20, { int: 1 }), capacity: many(13, { value: '1' }) }),
    [
      'spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must ' +
        'not exceed 32',
    ],
  );
  assert.deepEqual(deviceFaults({ attributes: many(7, { ints: [1, 2, 3, 4, 5, 6, 7] }) }), [
    'spec.devices[0]: Invalid value: 49: the total number of attribute values must not exceed 48',
  ]);
});

test('policies of shared capacities', () => {
  const at = 'spec.devices[0].capacity[memory].requestPolicy';
  /** @param {object} requestPolicy */
  const policyFaults = (requestPolicy, allowMultipleAllocations = true) =>
    deviceFaults({
      allowMultipleAllocations,
      capacity: { memory: { value: '10Gi', requestPolicy } },
    });
  for (const [policy, want] of /** @type {[object, string[]][]} */ ([
    [{ default: '1Gi' }, []],
    [{ default: '1Gi', validValues: ['1Gi', '2Gi'] }, []],
    [
      { validValues: ['1Gi'] },
      [`${at}.default: Required value: required when validValues is defined`],
    ],
    [
      { default: '1Gi', validValues: ['2Gi', '1Gi', '1024Mi', '20Gi'] },
      [
        `${at}.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order`,
        `${at}.validValues[3]: Invalid value: "20Gi": option is larger than capacity value: 10Gi`,
        `${at}.validValues[2]: Duplicate value: "1Gi"`,
      ],
    ],
    [
      { default: '3Gi', validValues: ['1Gi'] },
      [
        `${at}.validValues: Invalid value: "3Gi": default value is not valid according to the ` +
          'requestPolicy',
      ],
    ],
    [
      { default: '1Gi', validValues: ['1Gi'], validRange: { min: '1Gi' } },
      [
        `${at}: Forbidden: exactly one policy can be specified, cannot specify "validValues" and ` +
          '"validRange" at the same time',
      ],
    ],
    [{ default: '2Gi', validRange: { min: '1Gi', max: '4Gi', step: '1Gi' } }, []],
    [
      { default: '1Gi', validRange: {} },
      [`${at}.validRange.min: Required value: required when validRange is defined`],
    ],
    [
      { default: '1Gi', validRange: { min: '2Gi', max: '20Gi', step: '3Gi' } },
      [
        `${at}.validRange.default: Invalid value: "1Gi": default is less than min: 2Gi`,
        `${at}.validRange.max: Invalid value: "20Gi": max is larger than capacity value: 10Gi`,
        `${at}.validRange.step: Invalid value: "1Gi": value is not a multiple of a given step ` +
          '(3Gi) from (2Gi)',
      ],
    ],
    [
      { default: '8Gi', validRange: { min: '8Gi', step: '4Gi' } },
      [
        `${at}.validRange.step: Invalid value: "4Gi": one step 12Gi is larger than capacity ` +
          'value: 10Gi',
      ],
    ],
    [
      { default: '1Gi', validRange: { min: '1Gi', step: '0' } },
      [`${at}.validRange.step: Invalid value: "0": must be greater than zero`],
    ],
  ]))
    assert.deepEqual(policyFaults(policy), want);
  assert.deepEqual(policyFaults({ default: '1Gi' }, false), [
    `${at}: Forbidden: allowMultipleAllocations must be true`,
  ]);
});

test('devices with places, taints and binding conditions of their own', () => {
  const placed = (/** @type {object} */ device) =>
    faults({
      nodeName: undefined,
      perDeviceNodeSelection: true,
      devices: [{ name: 'gpu-0', ...device }],
    });
  const one =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when ' +
    '`perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  assert.deepEqual(placed({ nodeName: 'n1' }), []);
  assert.deepEqual(placed({}), [`spec.devices[0]: Required value: ${one}`]);
  assert.deepEqual(placed({ nodeName: 'n1', allNodes: true }), [
    `spec.devices[0]: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${one}`,
  ]);
  assert.deepEqual(deviceFaults({ nodeName: 'n1' }), [
    'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be ' +
      'set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
  ]);
  const taint = { key: 'a', effect: 'NoExecute' };
  assert.deepEqual(deviceFaults({ taints: [taint, { key: 'b', effect: 'Never' }] }), [
    'spec.devices[0].taints[1].effect: Unsupported value: "Never": supported values: ' +
      '"NoExecute", "NoSchedule", "None"',
  ]);
  assert.deepEqual(deviceFaults({ taints: Array(17).fill(taint) }), [
    'spec.devices[0].taints: Too many: 17: must have at most 16 items',
  ]);
  assert.deepEqual(
    deviceFaults({ bindingConditions: ['a', 'a'], bindingFailureConditions: ['a'] }),
    [
      'spec.devices[0].bindingConditions[1]: Duplicate value: "a"',
      'spec.devices[0].bindingFailureConditions[0]: Invalid value: "a": ' +
        'bindingFailureConditions must not overlap with bindingConditions',
    ],
  );
  assert.deepEqual(deviceFaults({ bindingConditions: ['a'] }), [
    'spec.devices[0].bindingFailureConditions: Invalid value: []: bindingFailureConditions are ' +
      'required to use bindingConditions',
  ]);
});

test('an update keeps the driver, the pool and the node, and counts changes', () => {
  const { store } = new AskedServer();
  const stored = store.create('resourceslices', slice());
  const changed = (/** @type {object} */ spec) => ({
    ...stored,
    spec: { ...stored.spec, ...spec },
  });
  const pool = { ...stored.spec.pool, name: 'other' };
  assert.deepEqual(
    faultsOf(() => store.update('resourceslices', changed({ pool, driver: 'd', nodeName: 'n2' }))),
    [
      'spec.pool.name: Invalid value: "other": field is immutable',
      'spec.driver: Invalid value: "d": field is immutable',
      'spec.nodeName: Invalid value: "n2": field is immutable',
    ],
  );
  const next = store.update('resourceslices', changed({ devices: [{ name: 'gpu-1' }] }));
  assert.deepEqual([stored.metadata.generation, next.metadata.generation], [1, 2]);
});
