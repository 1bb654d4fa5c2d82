/** Tests how workloads and PodDisruptionBudgets may be replaced and disrupted: all faults. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { inDefault, workload } from '../workloads.js';
import { faultsOf } from './refusals.js';

const PERCENT_RULE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or " +
  "'93%', regex used for validation is '[0-9]+%')";

/** A value, and the fault of a field that is a number or a percentage; '' if there is none. */
const AMOUNTS = /** @type {[string | number, string][]} */ ([
  ['1x', `Invalid value: "1x": ${PERCENT_RULE}`],
  ['3', `Invalid value: "3": ${PERCENT_RULE}`],
  ['', `Invalid value: "": ${PERCENT_RULE}`],
  ['5 %', `Invalid value: "5 %": ${PERCENT_RULE}`],
  ['-5%', `Invalid value: "-5%": ${PERCENT_RULE}`],
  [-1, 'Invalid value: -1: must be greater than or equal to 0'],
  ['101%', 'Invalid value: "101%": must not be greater than 100%'],
  ['100%', ''],
  [7, ''],
]);

const ON = { featureGates: { MaxUnavailableStatefulSet: true } };

/** @param {string} resource @param {object} object */
function faults(resource, object) {
  const { store } = new AskedServer(ON);
  return faultsOf(() => store.create(resource, object));
}

/** @param {object} spec */
const budget = (spec) => ({ metadata: { name: 'web', ...inDefault }, spec });

/** @param {object} rollingUpdate */
const rolling = (rollingUpdate) => ({ type: 'RollingUpdate', rollingUpdate });

/** @param {object} strategy */
const updated = (strategy) => workload({ updateStrategy: strategy });

/** A resource, an object with a value in a field, the field, and the field's own faults. */
const FIELDS =
  /** @type {[string, (value: string | number) => object, string, Record<string, string>][]} */ ([
    [
      'deployments',
      (maxSurge) => workload({ strategy: rolling({ maxSurge }) }),
      'spec.strategy.rollingUpdate.maxSurge',
      { '101%': '' },
    ],
    [
      'deployments',
      (maxUnavailable) => workload({ strategy: rolling({ maxUnavailable }) }),
      'spec.strategy.rollingUpdate.maxUnavailable',
      {},
    ],
    [
      'daemonsets',
      (maxSurge) => updated(rolling({ maxSurge, maxUnavailable: 0 })),
      'spec.updateStrategy.rollingUpdate.maxSurge',
      {},
    ],
    [
      'daemonsets',
      (maxUnavailable) => updated(rolling({ maxUnavailable })),
      'spec.updateStrategy.rollingUpdate.maxUnavailable',
      {},
    ],
    [
      'statefulsets',
      (maxUnavailable) => updated(rolling({ maxUnavailable })),
      'spec.updateStrategy.rollingUpdate.maxUnavailable',
      {},
    ],
    ['poddisruptionbudgets', (minAvailable) => budget({ minAvailable }), 'spec.minAvailable', {}],
    [
      'poddisruptionbudgets',
      (maxUnavailable) => budget({ maxUnavailable }),
      'spec.maxUnavailable',
      {},
    ],
  ]);

test('a field that is a number or a percentage takes nothing else', () => {
  for (const [resource, make, field, own] of FIELDS) {
    for (const [value, words] of AMOUNTS) {
      // Further faults say that a value which counts as 0 replaces no pod.
      const [first] = faults(resource, make(value));
      const expected = own[value] ?? words;
      assert.equal(first, expected ? `${field}: ${expected}` : undefined, `${resource} ${value}`);
    }
  }
});

const NONE = 'may not be 0 when `maxSurge` is 0';

test('an update has to replace a pod at a time at least', () => {
  const at = 'spec.strategy.rollingUpdate.maxUnavailable';
  for (const [maxSurge, maxUnavailable] of [
    [0, 0],
    ['0%', 0],
    [0, '00%'],
  ]) {
    assert.deepEqual(
      faults('deployments', workload({ strategy: rolling({ maxSurge, maxUnavailable }) })),
      [`${at}: Invalid value: ${JSON.stringify(maxUnavailable)}: ${NONE}`],
    );
  }
  // A text that is no percentage counts as the number in it, or else as 0.
  assert.deepEqual(
    faults('deployments', workload({ strategy: rolling({ maxSurge: '1x', maxUnavailable: '0' }) })),
    [
      `${at}: Invalid value: "0": ${PERCENT_RULE}`,
      `spec.strategy.rollingUpdate.maxSurge: Invalid value: "1x": ${PERCENT_RULE}`,
      `${at}: Invalid value: "0": ${NONE}`,
    ],
  );
  const path = 'spec.updateStrategy.rollingUpdate';
  const cases = /** @type {[string, object, string][]} */ ([
    [
      'daemonsets',
      { maxSurge: 0, maxUnavailable: 0 },
      `${path}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`,
    ],
    [
      'daemonsets',
      { maxSurge: '10%', maxUnavailable: 1 },
      `${path}.maxSurge: Invalid value: "10%": may not be set when maxUnavailable is non-zero`,
    ],
    [
      'daemonsets',
      { maxSurge: 1 },
      `${path}.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero`,
    ],
    [
      'statefulsets',
      { maxUnavailable: 0 },
      `${path}.maxUnavailable: Invalid value: 0: cannot be 0`,
    ],
    [
      'statefulsets',
      { partition: -1 },
      `${path}.partition: Invalid value: -1: must be greater than or equal to 0`,
    ],
  ]);
  for (const [resource, rollingUpdate, fault] of cases)
    assert.deepEqual(faults(resource, updated(rolling(rollingUpdate))), [fault]);
});

test('a strategy has a type of its kind', () => {
  const [recreate, byHand] = ['"Recreate", "RollingUpdate"', '"RollingUpdate", "OnDelete"'];
  const odd = '{"Type":"Foo","RollingUpdate":null}';
  const cases = /** @type {[string, object, string][]} */ ([
    [
      'deployments',
      workload({ strategy: { type: 'Foo' } }),
      `spec.strategy: Unsupported value: ${odd}: supported values: ${recreate}`,
    ],
    [
      'deployments',
      workload({ strategy: { type: 'OnDelete', rollingUpdate: { maxSurge: 1 } } }),
      'spec.strategy: Unsupported value: {"Type":"OnDelete","RollingUpdate":{"MaxUnavailable":0,' +
        `"MaxSurge":1}}: supported values: ${recreate}`,
    ],
    [
      'daemonsets',
      updated({ type: 'Foo' }),
      `spec.updateStrategy: Unsupported value: ${odd}: supported values: ${byHand}`,
    ],
    [
      'statefulsets',
      updated({ type: 'Foo' }),
      `spec.updateStrategy: Invalid value: ${odd}: must be 'RollingUpdate' or 'OnDelete'`,
    ],
    [
      'statefulsets',
      updated({ type: 'OnDelete', rollingUpdate: { partition: 1 } }),
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: ' +
        "only allowed for updateStrategy 'RollingUpdate'",
    ],
  ]);
  for (const [resource, object, fault] of cases)
    assert.deepEqual(faults(resource, object), [fault]);
  for (const [resource, type] of [
    ['daemonsets', 'OnDelete'],
    ['statefulsets', 'OnDelete'],
  ])
    assert.deepEqual(faults(resource, updated({ type })), []);
});

test('other fields of a StatefulSet have known values', () => {
  const retention = 'spec.persistentVolumeClaimRetentionPolicy';
  const supported = 'supported values: "Retain", "Delete"';
  const cases = /** @type {[object, string][]} */ ([
    [
      { podManagementPolicy: 'Foo' },
      `spec.podManagementPolicy: Invalid value: "Foo": must be 'OrderedReady' or 'Parallel'`,
    ],
    [
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Foo' } },
      `${retention}.whenDeleted: Unsupported value: "Foo": ${supported}`,
    ],
    [
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Foo' } },
      `${retention}.whenScaled: Unsupported value: "Foo": ${supported}`,
    ],
    [
      { ordinals: { start: -1 } },
      'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
    ],
  ]);
  for (const [spec, fault] of cases)
    assert.deepEqual(faults('statefulsets', workload(spec)), [fault]);
});

test('a budget has one bound, and evicts unhealthy pods by a known policy', () => {
  const selector = { matchExpressions: [{ key: 'a', operator: 'Foo' }] };
  assert.deepEqual(
    faults(
      'poddisruptionbudgets',
      budget({ minAvailable: 1, selector, unhealthyPodEvictionPolicy: 'Foo' }),
    ),
    [
      'spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector ' +
        'operator',
      'spec.unhealthyPodEvictionPolicy: Unsupported value: "Foo": supported values: ' +
        '"AlwaysAllow", "IfHealthyBudget"',
    ],
  );
  for (const unhealthyPodEvictionPolicy of ['AlwaysAllow', 'IfHealthyBudget'])
    assert.deepEqual(
      faults('poddisruptionbudgets', budget({ minAvailable: 1, unhealthyPodEvictionPolicy })),
      [],
    );
});

test('workloads whose pods are replaced have no deadline, and progress takes time', () => {
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'i:1' }], activeDeadlineSeconds: 5 },
  };
  for (const [resource, kind] of [
    ['deployments', 'ReplicaSet'],
    ['replicasets', 'ReplicaSet'],
    ['statefulsets', 'StatefulSet'],
    ['daemonsets', 'DaemonSet'],
  ])
    assert.deepEqual(faults(resource, workload({ template })), [
      'spec.template.spec.activeDeadlineSeconds: Forbidden: ' +
        `activeDeadlineSeconds in ${kind} is not Supported`,
    ]);
  const paced = (/** @type {number} */ minReadySeconds) =>
    faults('deployments', workload({ progressDeadlineSeconds: 5, minReadySeconds }));
  assert.deepEqual(paced(4), []);
  assert.deepEqual(paced(5), [
    'spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds',
  ]);
});
