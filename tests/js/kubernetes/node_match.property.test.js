// Goal: JavaScript and the engine agree on the nodes that match a pod, by its selector, its
// affinity and its tolerations. Method: thousands of pods and nodes, with invalid rules, nulls,
// numbers beyond int64 and names that every object inherits; the engine evaluates each pod.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOn, selectsNode, tolerates } from '../../../js/src/kubernetes/node_match.js';
import { holds, ODD_NAMES, record } from '../support/properties.js';
import { startWasm } from '../support/real_engine.js';

const { engine } = await startWasm();

const key = fc.constantFrom('a', 'zone', 'example.com/disk', ...ODD_NAMES);
const anyKey = fc.oneof(
  { weight: 12, arbitrary: key },
  fc.constantFrom('', 'metadata.name', '-a', 'a b', '/x', 'x/', 'a/b/c', 'UPPER.x/y', null),
);
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.constantFrom('+1', '-0', '007', '9223372036854775807', '9223372036854775808', '-', '1.5'),
);
const value = fc.oneof(number, fc.constantFrom('', 'x', 'n', 'constructor', 'x'.repeat(63), null));
const anyValue = fc.oneof(
  { weight: 9, arbitrary: value },
  fc.constantFrom('x'.repeat(64), '-', 'ü'),
);
const operator = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt') },
  fc.constantFrom('', 'in', 'Equal', 'constructor', null),
);
const rule = fc.record(
  { key: anyKey, operator, values: fc.option(fc.array(anyValue, { maxLength: 2 })) },
  { requiredKeys: ['key', 'operator'] },
);
const fieldRule = fc.record(
  {
    key: fc.constantFrom('metadata.name', 'metadata.name', 'metadata.uid', 'constructor', ''),
    operator: fc.constantFrom('In', 'In', 'NotIn', 'Exists', 'Gt', ''),
    values: fc.option(fc.array(fc.constantFrom('n', 'm', '', null), { maxLength: 2 })),
  },
  { requiredKeys: ['key', 'operator'] },
);
const list = (/** @type {fc.Arbitrary<any>} */ item) =>
  fc.option(
    fc.array(fc.oneof({ weight: 15, arbitrary: item }, fc.constant(null)), { maxLength: 2 }),
  );
const term = fc.record(
  { matchExpressions: list(rule), matchFields: list(fieldRule) },
  { requiredKeys: [] },
);
const nodeAffinity = fc.record({
  requiredDuringSchedulingIgnoredDuringExecution: fc.option(
    fc.record({ nodeSelectorTerms: list(term) }),
    { freq: 9 },
  ),
});
const effect = fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule');
const taint = fc.record(
  { key, value: fc.option(value), effect },
  { requiredKeys: ['key', 'effect'] },
);
const toleration = fc.record(
  {
    key: fc.option(fc.oneof(key, fc.constant(''))),
    operator: fc.constantFrom('Equal', 'Exists', 'Lt', 'Gt', '', null, 'constructor'),
    value: fc.option(value),
    effect: fc.option(fc.oneof(effect, fc.constant(''))),
  },
  { requiredKeys: [] },
);

/**
 * @param {ReturnType<typeof engine.createScheduler>} scheduler
 * @param {any} node
 * @param {any} spec
 */
function suits(scheduler, node, spec) {
  scheduler.apply(JSON.stringify(node));
  const metadata = { namespace: 'default', name: 'p', uid: 'p' };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec };
  const question = { preemption: false };
  return scheduler.evaluate(pod, question).node !== null;
}

const nodeWith = (/** @type {any} */ labels, /** @type {any} */ taints) => ({
  ...{
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n', uid: 'n', labels },
    spec: { taints },
  },
  status: { allocatable: { pods: '9' } },
});
const specWith = (/** @type {any} */ parts) => ({
  ...{ schedulerName: 'default-scheduler', containers: [{ name: 'c' }], ...parts },
});
const labels = fc.option(record(key, value));

test('node selector and node affinity', () => {
  const scheduler = engine.createScheduler();
  const parts = {
    labels,
    nodeSelector: fc.option(record(key, value, { maxLength: 1 })),
    nodeAffinity,
  };
  holds(6000, fc.record(parts), ({ labels, nodeSelector, nodeAffinity }) => {
    const node = nodeWith(labels, null);
    const spec = specWith({ nodeSelector, affinity: { nodeAffinity } });
    assert.equal(selectsNode(spec, node), suits(scheduler, node, spec));
  });
});

for (const isOn of [false, true])
  test(`tolerations, with Lt and Gt ${isOn ? 'on' : 'off'}`, () => {
    const featureGates = { TaintTolerationComparisonOperators: isOn };
    const scheduler = engine.createScheduler({ featureGates });
    holds(5000, fc.record({ taint, tolerations: list(toleration) }), ({ taint, tolerations }) => {
      const node = nodeWith({}, [taint]);
      const spec = specWith({ tolerations });
      const tolerated = (tolerations ?? []).some((one) =>
        tolerates(one, taint, { comparesValues: isOn }),
      );
      const isFine = tolerated || taint.effect === 'PreferNoSchedule';
      assert.equal(isFine, suits(scheduler, node, spec));
      if (!isOn) assert.equal(runsOn(spec, node), isFine);
    });
  });
