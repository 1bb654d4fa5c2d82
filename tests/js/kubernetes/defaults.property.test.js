// Goal: JavaScript completes pods like the embedded API server, as far as the scheduler reads them.
// Method: thousands of pods that the server admits, with nulls, empty texts and empty lists; the
// server's types decode both results into one form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createApiServer } from '../../../js/apiserver/index.js';
import { decode } from '../../../js/apiserver/schema/decode.js';
import { shapeOf } from '../../../js/apiserver/schema/types.js';
import { withDefaults } from '../../../js/src/index.js';
import { holds, record } from '../support/properties.js';

const quantity = fc.constantFrom('1', '500m', '1.250', '2', 1);
const memory = fc.constantFrom('1Gi', '512Mi', '1000000', null);
const list = fc.option(fc.record({ cpu: quantity, memory }, { requiredKeys: [] }));
const port = fc.record(
  {
    containerPort: fc.integer({ min: 1, max: 9 }),
    protocol: fc.constantFrom('TCP', 'UDP', '', null),
    hostPort: fc.constantFrom(0, null),
  },
  { requiredKeys: ['containerPort'] },
);
const container = fc.record(
  {
    resources: fc.option(fc.record({ limits: list, requests: list }, { requiredKeys: [] })),
    ports: fc.option(fc.array(port, { maxLength: 1 })),
  },
  { requiredKeys: [] },
);
const key = fc.constantFrom('app', 'rev', 'constructor');
const labelSelector = fc.option(
  fc.record(
    { matchLabels: fc.option(record(fc.constant('app'), fc.constantFrom('x', ''))) },
    { requiredKeys: [] },
  ),
);
const constraint = fc.record({
  maxSkew: fc.constant(1),
  topologyKey: fc.constant('zone'),
  whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector,
  matchLabelKeys: fc.option(fc.uniqueArray(key, { maxLength: 2 })),
});
const term = fc.record({
  topologyKey: fc.constant('zone'),
  labelSelector,
  matchLabelKeys: fc.option(fc.uniqueArray(key, { maxLength: 1 })),
  mismatchLabelKeys: fc.option(fc.uniqueArray(fc.constant('tenant'), { maxLength: 1 })),
});
const pod = fc.record({
  labels: fc.option(record(fc.oneof(key, fc.constant('tenant')), fc.constantFrom('x', 'y', ''))),
  schedulerName: fc.constantFrom('', null, undefined, 'other', 'constructor'),
  priorityClassName: fc.constantFrom('', null, undefined, 'system-node-critical'),
  hostNetwork: fc.constantFrom(true, false, null, undefined),
  containers: fc.array(container, { minLength: 1, maxLength: 2 }),
  initContainers: fc.option(fc.array(container, { maxLength: 1 })),
  resources: fc.option(fc.record({ limits: list, requests: list }, { requiredKeys: [] })),
  topologySpreadConstraints: fc.option(fc.array(constraint, { maxLength: 1 })),
  required: fc.option(fc.array(term, { maxLength: 1 })),
});

const FIELDS = ['schedulerName', 'priority', 'preemptionPolicy', 'affinity', 'resources'];

/**
 * Returns the fields of a pod's spec that the scheduler reads, in the server's form.
 * @param {any} pod
 */
function read(pod) {
  const { spec } = decode(shapeOf('v1', 'Pod'), pod).value;
  const containersOf = (/** @type {any[]} */ containers = []) =>
    containers.map(({ resources, ports }) => ({ resources, ports }));
  return {
    ...Object.fromEntries(FIELDS.map((field) => [field, spec[field]])),
    topologySpreadConstraints: spec.topologySpreadConstraints,
    containers: containersOf(spec.containers),
    initContainers: containersOf(spec.initContainers),
  };
}

test('pods are completed as the API server does it', () => {
  const server = createApiServer();
  let admitted = 0;
  holds(3000, pod, ({ labels, containers, initContainers, required, ...spec }) => {
    const named =
      (/** @type {string} */ prefix) => (/** @type {any} */ one, /** @type {number} */ i) => ({
        name: `${prefix}${i}`,
        image: 'app:v1',
        ...one,
      });
    const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
    const written = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default', labels } },
      spec: {
        ...spec,
        containers: containers.map(named('c')),
        initContainers: initContainers?.map(named('i')),
        affinity: { podAffinity },
      },
    };
    let stored;
    try {
      stored = server.store.create('pods', written);
    } catch (cause) {
      assert.equal(/** @type {any} */ (cause).code, 'Invalid', String(cause));
      return;
    }
    server.store.delete('pods', 'default', 'p');
    admitted += 1;
    assert.deepEqual(read(withDefaults(written)), read(stored));
  });
  assert.ok(admitted > 500, `only ${admitted} were admitted`);
  server.dispose();
});
