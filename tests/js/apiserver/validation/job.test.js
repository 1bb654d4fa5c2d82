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

test('a condition of a failure policy has to be true, unless it says otherwise', () => {
  const { store } = new AskedServer();
  const { podFailurePolicy } = failing({
    action: 'Ignore',
    onPodConditions: [{ type: 'a' }, { type: 'b', status: '' }, { type: 'c', status: 'False' }],
  });
  const template = { spec: { containers: [container({})], restartPolicy: 'Never' } };
  const spec = { template, podFailurePolicy };
  const statuses = (/** @type {any} */ stored) =>
    stored.podFailurePolicy.rules[0].onPodConditions.map((/** @type {any} */ one) => one.status);
  const job = store.create('jobs', { metadata: { name: 'j', ...inDefault }, spec });
  assert.deepEqual(statuses(job.spec), ['True', 'True', 'False']);
  assert.equal(job.spec.manualSelector, false);
  const cronJob = store.create('cronjobs', {
    metadata: { name: 'c', ...inDefault },
    spec: { schedule: '@daily', jobTemplate: { spec } },
  });
  assert.deepEqual(statuses(cronJob.spec.jobTemplate.spec), ['True', 'True', 'False']);
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

/** @param {object} spec @param {Record<string, string>} [labels] @param {string} name */
function stored(spec, labels, name = 'j') {
  const { store } = new AskedServer();
  const podSpec = { containers: [container({})], restartPolicy: 'Never' };
  const template = { ...(labels && { metadata: { labels } }), spec: podSpec };
  const job = { metadata: { name, ...inDefault }, spec: { template, ...spec } };
  return { store, create: () => store.create('jobs', job) };
}

/** @param {Parameters<typeof stored>} args */
const selectorFaults = (...args) => faultsOf(stored(...args).create);

/** The labels of the pods are others. */
const MISMATCH =
  /^spec\.template\.metadata\.labels: .*: `selector` does not match template `labels`$/;

test('a selector that the server should generate is not given', () => {
  const [label, selector] = selectorFaults(
    { selector: { matchLabels: { 'controller-uid': '0123' } } },
    { 'controller-uid': '0123', 'job-name': 'j' },
  );
  assert.match(label, /^spec\.template\.metadata\.labels\[controller-uid\]: Invalid value: /);
  assert.equal(
    selector,
    'spec.selector: Invalid value: {"matchLabels":{"batch.kubernetes.io/controller-uid":' +
      `"${/must be '(.*)'/.exec(label)?.[1]}","controller-uid":"0123"}}: ` +
      '`selector` not auto-generated',
  );
  const other = selectorFaults({ selector: { matchLabels: { app: 'x' } } }, { app: 'x' });
  assert.equal(other.length, 1);
  assert.match(other[0], /^spec\.selector: .*: `selector` not auto-generated$/);
});

test('a manual selector is given, and selects the pods', () => {
  const manualSelector = true;
  const [missing, none] = selectorFaults({ manualSelector }, { app: 'x' });
  assert.equal(missing, 'spec.selector: Required value');
  assert.match(none, MISMATCH);
  const selector = { matchLabels: { app: 'y' } };
  const others = selectorFaults({ manualSelector, selector }, { app: 'x' });
  assert.equal(others.length, 1);
  assert.match(others[0], MISMATCH);
  assert.deepEqual(selectorFaults({ manualSelector, selector }, { app: 'y' }), []);
});

test('a generated selector, and the labels of its pods, may be given again', () => {
  const { store, create } = stored({ suspend: true }, { app: 'x' });
  const job = create();
  assert.deepEqual(Object.keys(job.spec.template.metadata.labels).sort(), [
    'app',
    'batch.kubernetes.io/controller-uid',
    'batch.kubernetes.io/job-name',
    'controller-uid',
    'job-name',
  ]);
  assert.equal(store.update('jobs', job), job);
  const { template } = job.spec;
  const bare = { ...job, spec: { ...job.spec, template: { ...template, metadata: {} } } };
  const [mismatch, ...missing] = faultsOf(() => store.update('jobs', bare));
  assert.match(mismatch, MISMATCH);
  assert.match(missing.join(), /labels\[job-name\]: Required value: must be 'j'/);
});

test('the labels of a Job’s pods have its name, so it has at most 63 characters', () => {
  const faultsOfName = selectorFaults({}, undefined, 'j'.repeat(64));
  assert.match(faultsOfName[0], /^spec\.template\.labels: .*must be no more than 63 bytes$/);
  assert.deepEqual(selectorFaults({}, undefined, 'j'.repeat(63)), []);
});

test('the controller and the success of a Job are decided once', () => {
  const { store, create } = stored({ completionMode: 'Indexed', completions: 2 });
  const job = create();
  const change = (/** @type {object} */ spec) =>
    faultsOf(() => store.update('jobs', { ...job, spec: { ...job.spec, ...spec } }));
  assert.deepEqual(change({ managedBy: 'example.com/other' }), [
    'spec.managedBy: Invalid value: "example.com/other": field is immutable',
  ]);
  assert.match(
    change({ successPolicy: { rules: [{ succeededCount: 1 }] } })[0],
    /^spec\.successPolicy: .*: field is immutable$/,
  );
});

test('the Jobs of a CronJob have generated selectors', () => {
  const { store } = new AskedServer();
  const template = { spec: { containers: [container({})], restartPolicy: 'Never' } };
  const selector = { matchLabels: { app: 'x' } };
  const jobTemplate = { spec: { template, selector, manualSelector: true } };
  const spec = { schedule: '* * * * *', jobTemplate };
  const cronJob = { metadata: { name: 'c', ...inDefault }, spec };
  const at = 'spec.jobTemplate.spec';
  assert.deepEqual(
    faultsOf(() => store.create('cronjobs', cronJob)),
    [
      `${at}.selector: Invalid value: {"matchLabels":{"app":"x"}}: ` +
        '`selector` will be auto-generated',
      `${at}.manualSelector: Unsupported value: true: supported values: "nil", "false"`,
    ],
  );
});

test('modes, counts and managers of a Job fit together', () => {
  const indexed = { completionMode: 'Indexed', completions: 3 };
  const most = 'must be less than or equal to';
  const many = { ...indexed, completions: 100_001, backoffLimitPerIndex: 1 };
  const mode = 'requires indexed completion mode';
  const ofMany = 'when completions are above 100000 and used with backoff limit per index';
  const path = 'must be a domain-prefixed path (such as "acme.io/foo")';
  const cases = /** @type {[object, string[]][]} */ ([
    [
      { completionMode: 'Indexed', parallelism: 2 },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    // Without both counts there is one completion.
    [{ completionMode: 'Indexed' }, []],
    [{ ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 3 }, []],
    [{ backoffLimitPerIndex: 1 }, [`spec.backoffLimitPerIndex: Invalid value: 1: ${mode}`]],
    [
      { successPolicy: { rules: [{ succeededIndexes: '0' }] } },
      [`spec.successPolicy: Invalid value: {"rules":[{"succeededIndexes":"0"}]}: ${mode}`],
    ],
    [
      { ...indexed, maxFailedIndexes: 1 },
      ['spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
    ],
    [
      { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 4 },
      [`spec.maxFailedIndexes: Invalid value: 4: ${most} completions`],
    ],
    [
      { ...indexed, parallelism: 100_001 },
      [`spec.parallelism: Invalid value: 100001: ${most} 100000 when completion mode is Indexed`],
    ],
    [
      { ...many, parallelism: 10_001 },
      [
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
        `spec.parallelism: Invalid value: 10001: ${most} 10000 ${ofMany}`,
      ],
    ],
    [
      { ...many, parallelism: 1, maxFailedIndexes: 10_001 },
      [`spec.maxFailedIndexes: Invalid value: 10001: ${most} 10000 ${ofMany}`],
    ],
    [{ managedBy: 'kueue.x-k8s.io/multikueue' }, []],
    [{ managedBy: 'x' }, [`spec.managedBy: Invalid value: "x": ${path}`]],
    [
      { activeDeadlineSeconds: -1 },
      ['spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ]);
  for (const [spec, expected] of cases)
    assert.deepEqual(faults(spec), expected, JSON.stringify(spec));
});

test('failure policies name exit codes that a failed pod can have', () => {
  const codes = (/** @type {number[]} */ values, operator = 'In') =>
    failing({ action: 'FailJob', onExitCodes: { operator, values } });
  const field = `${RULE}.onExitCodes.values`;
  const cases = /** @type {[object, string[]][]} */ ([
    [codes([1, 2]), []],
    [codes([0, 1], 'NotIn'), []],
    [codes([0]), [`${field}[0]: Invalid value: 0: must not be 0 for the In operator`]],
    [codes([]), [`${field}: Invalid value: []: at least one value is required`]],
    [codes([2, 1]), [`${field}: Invalid value: [2,1]: must be ordered`]],
    [codes([1, 1]), [`${field}[1]: Duplicate value: 1`]],
    [
      failing({ action: 'FailIndex', ...ON_CODE }),
      [`${RULE}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`],
    ],
  ]);
  for (const [spec, expected] of cases)
    assert.deepEqual(faults(spec), expected, JSON.stringify(spec));
  assert.deepEqual(
    faults(failing({ action: 'FailJob', ...ON_CODE }), { restartPolicy: 'OnFailure' }),
    [
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported ' +
        'when podFailurePolicy is specified',
    ],
  );
});
