/** Tests invalid PriorityClasses and RuntimeClasses: all faults. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { faultsOf } from './refusals.js';

/** @param {string} resource @param {object} fields @param {string} [name] */
function faults(resource, fields, name = 'x') {
  const { store } = new AskedServer();
  return faultsOf(() => store.create(resource, { metadata: { name }, ...fields }));
}

test('a PriorityClass has a known policy, and a value that is not the system’s', () => {
  const at = 'preemptionPolicy';
  const highest = 'maximum allowed value of a user defined priority is 1000000000';
  const cases = /** @type {[object, string[]][]} */ ([
    [
      { value: 1, preemptionPolicy: 'Foo' },
      [`${at}: Unsupported value: "Foo": supported values: "PreemptLowerPriority", "Never"`],
    ],
    [{ value: 1, preemptionPolicy: '' }, [`${at}: Required value`]],
    [{ value: 1, preemptionPolicy: 'Never' }, []],
    [{ value: 1, preemptionPolicy: 'PreemptLowerPriority' }, []],
    [{ value: 1_000_000_001 }, [`value: Forbidden: ${highest}`]],
  ]);
  for (const [fields, expected] of cases)
    assert.deepEqual(faults('priorityclasses', fields), expected, JSON.stringify(fields));
  const [name, ...others] = faults(
    'priorityclasses',
    { value: 2_000_000_000, preemptionPolicy: 'Foo' },
    'system-x',
  );
  assert.match(name, /^metadata\.name: Forbidden: .* not a known system priority class$/);
  assert.deepEqual(
    others.map((fault) => fault.split(':')[0]),
    [at],
  );
});

test('a RuntimeClass has a handler, an overhead and tolerations that pods could have', () => {
  const toleration = { key: 'a', operator: 'Exists' };
  const cases = /** @type {[object, string | RegExp][]} */ ([
    [{ handler: 'H_' }, /^handler: Invalid value: "H_": a lowercase RFC 1123 label must consist/],
    [{ handler: '' }, /^handler: Invalid value: "": a lowercase RFC 1123 label must consist/],
    [
      { overhead: { podFixed: { cpu: '-1' } } },
      'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    [
      { overhead: { podFixed: { foo: '1' } } },
      /^overhead\.limits\[foo\]: Invalid value: "foo": must be a standard resource /,
    ],
    [
      { scheduling: { nodeSelector: { 'a b': 'c' } } },
      /^scheduling\.nodeSelector: Invalid value: "a b": name part must consist of /,
    ],
    [
      { scheduling: { tolerations: [{ key: 'a', operator: 'Foo' }] } },
      'scheduling.tolerations[0].operator: Unsupported value: "Foo": supported values: "Equal", ' +
        '"Exists", "Lt", "Gt"',
    ],
    [
      { scheduling: { tolerations: [{ ...toleration, effect: 'Foo' }] } },
      'scheduling.tolerations[0].effect: Unsupported value: "Foo": supported values: ' +
        '"NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
    [
      { scheduling: { tolerations: [toleration, toleration] } },
      'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"",' +
        '"Effect":"","TolerationSeconds":null}',
    ],
  ]);
  for (const [fields, expected] of cases) {
    const [first] = faults('runtimeclasses', { handler: 'h', ...fields });
    if (typeof expected === 'string') assert.equal(first, expected);
    else assert.match(first, expected);
  }
  const valid = {
    handler: 'h',
    overhead: { podFixed: { cpu: '250m', memory: '1Gi' } },
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [toleration] },
  };
  assert.deepEqual(faults('runtimeclasses', valid), []);
});

test('the handler of a RuntimeClass cannot be changed', () => {
  const { store } = new AskedServer();
  const made = store.create('runtimeclasses', { metadata: { name: 'x' }, handler: 'h' });
  assert.deepEqual(
    faultsOf(() => store.update('runtimeclasses', { ...made, handler: 'other' })),
    ['handler: Invalid value: "other": field is immutable'],
  );
});
