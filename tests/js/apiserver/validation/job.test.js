/** Tests invalid policies of Jobs: all faults. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { inDefault } from '../workloads.js';
import { container, faultsOf } from './refusals.js';

/** @param {object} spec @param {object} [podSpec] */
function faults(spec, podSpec) {
  const { store } = new AskedServer();
  const template = { spec: { containers: [container({})], restartPolicy: 'Never', ...podSpec } };
  const job = { metadata: { name: 'j', ...inDefault }, spec: { template, ...spec } };
  return faultsOf(() => store.create('jobs', job));
}

/** @param {object} rule */
const failing = (rule) => ({ podFailurePolicy: { rules: [rule] } });

const ACTIONS = '"Count", "FailIndex", "FailJob", "Ignore"';
const ON_CODE = { onExitCodes: { operator: 'In', values: [1] } };
const RULE = 'spec.podFailurePolicy.rules[0]';

test('policies and operators of a Job have known values', () => {
  const cases = /** @type {[object, string[]][]} */ ([
    [
      { completionMode: 'Foo' },
      ['spec.completionMode: Unsupported value: "Foo": supported values: "NonIndexed", "Indexed"'],
    ],
    [{ completionMode: 'Indexed', completions: 2 }, []],
    [
      { podReplacementPolicy: 'Foo' },
      [
        'spec.podReplacementPolicy: Unsupported value: "Foo": supported values: "Failed", ' +
          '"TerminatingOrFailed"',
      ],
    ],
    [
      { podReplacementPolicy: 'TerminatingOrFailed', ...failing({ action: 'Count', ...ON_CODE }) },
      [
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: ' +
          '"Failed"',
      ],
    ],
    [
      failing({ action: 'Foo', ...ON_CODE }),
      [`${RULE}.action: Unsupported value: "Foo": supported values: ${ACTIONS}`],
    ],
    [
      failing(ON_CODE),
      [`${RULE}.action: Required value: valid values: [${ACTIONS.replaceAll(',', '')}]`],
    ],
    [
      failing({ action: 'Ignore', onExitCodes: { operator: 'Foo', values: [1] } }),
      [`${RULE}.onExitCodes.operator: Unsupported value: "Foo": supported values: "In", "NotIn"`],
    ],
    [
      failing({ action: 'Ignore', onPodConditions: [{ type: 'a', status: 'Foo' }] }),
      [
        `${RULE}.onPodConditions[0].status: Unsupported value: "Foo": supported values: "False", ` +
          '"True", "Unknown"',
      ],
    ],
    [failing({ action: 'Ignore', onPodConditions: [{ type: 'a', status: 'True' }] }), []],
  ]);
  for (const [spec, expected] of cases)
    assert.deepEqual(faults(spec), expected, JSON.stringify(spec));
});

test('the pods of a Job are not restarted always', () => {
  const at = 'spec.template.spec.restartPolicy';
  const supported = '"OnFailure", "Never"';
  const needed = `${at}: Required value: valid values: ${supported}`;
  for (const restartPolicy of ['Always', ''])
    assert.deepEqual(faults({}, { restartPolicy }), [needed]);
  assert.equal(
    faults({}, { restartPolicy: 'Foo' }).at(-1),
    `${at}: Unsupported value: "Foo": supported values: ${supported}`,
  );
});
