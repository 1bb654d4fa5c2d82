// Goal: JavaScript and the engine agree on the labels that a selector matches. Method: thousands of
// selectors and labels, with nulls, texts that no label can have, and names that every object
// inherits. The engine decides whether a pod on the only node excludes another one by an
// anti-affinity with the selector.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  labelSelectorOf,
  labelSelectorText,
  parseLabelSelector,
} from '../../../js/src/kubernetes/label_selector.js';
import { makeNode, storedPod } from '../support/objects.js';
import { holds, oddName, record } from '../support/properties.js';
import { startWasm } from '../support/real_engine.js';

const { engine } = await startWasm();
const scheduler = engine.createScheduler();
scheduler.apply(makeNode('n'));

const key = fc.oneof(fc.constantFrom('a', 'b', 'example.com/a'), oddName);
const anyKey = fc.oneof(
  { weight: 15, arbitrary: key },
  fc.constantFrom('', '-a', 'a b', '/x', 'x/', 'a/b/c', 'UPPER.x/y', null),
);
const value = fc.constantFrom('', 'x', 'y', 'in', '1', 'constructor', 'x'.repeat(63));
const anyValue = fc.oneof(
  { weight: 15, arbitrary: value },
  fc.constantFrom(null, 'x'.repeat(64), '-', 'ü', 'a b'),
);
const operator = fc.oneof(
  { weight: 15, arbitrary: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist') },
  fc.constantFrom('Gt', 'Lt', 'in', '', 'constructor', null),
);
const valuesOf = (/** @type {string | null} */ operator) => {
  const isOfMany = operator === 'In' || operator === 'NotIn';
  const usual = fc.array(anyValue, { minLength: isOfMany ? 1 : 0, maxLength: isOfMany ? 2 : 0 });
  return fc.oneof(
    { weight: 9, arbitrary: usual },
    fc.constantFrom(null, undefined, []),
    fc.array(anyValue, { maxLength: 2 }),
  );
};
const expression = fc.oneof(
  {
    weight: 20,
    arbitrary: operator.chain((operator) =>
      fc.record({ key: anyKey, operator: fc.constant(operator), values: valuesOf(operator) }),
    ),
  },
  fc.constantFrom(null, {}),
);
const labels = fc.option(record(key, fc.oneof({ weight: 9, arbitrary: value }, fc.constant(null))));
const selector = fc.option(
  fc.record(
    {
      matchLabels: fc.option(record(anyKey.map(String), anyValue, { maxLength: 2 })),
      matchExpressions: fc.option(fc.array(expression, { maxLength: 2 })),
    },
    { requiredKeys: [] },
  ),
  { freq: 20 },
);

/** @param {any} labelSelector @param {any} labels of a pod on the node */
function askedOfEngine(labelSelector, labels) {
  const there = storedPod('there', { metadata: { labels }, spec: { nodeName: 'n' } });
  scheduler.apply(JSON.stringify(there));
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const spec = { schedulerName: 'default-scheduler', affinity: { podAntiAffinity } };
  return scheduler.evaluate(storedPod('asked', { spec }), { preemption: false });
}

test('selectors of specs match alike, and have the same faults', () => {
  holds(6000, fc.record({ selector, labels }), ({ selector, labels }) => {
    const read = labelSelectorOf(selector);
    const { node, message = '' } = askedOfEngine(selector, labels);
    if (read.fault === null) assert.equal(read.matches(labels), node === null);
    else assert.ok(message.includes(read.fault), `${read.fault} is not in ${message}`);
    assert.equal(read.fault !== null, message.includes('parsing pod'));
  });
});

test('labelSelectorText returns a selector that matches the same labels', () => {
  holds(4000, fc.record({ selector, labels }), ({ selector, labels }) => {
    const read = labelSelectorOf(selector);
    if (!selector || read.fault !== null) return;
    const text = labelSelectorText(selector);
    assert.equal(parseLabelSelector(text).matches(labels), read.matches(labels), text);
  });
});
