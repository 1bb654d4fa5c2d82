/** Tests invalid ResourceQuotas: all faults. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer } from '../asked_server.js';
import { inDefault } from '../workloads.js';
import { faultsOf } from './refusals.js';

/** @param {object} spec */
const quota = (spec) => ({ metadata: { name: 'q', ...inDefault }, spec });

/** @param {object} spec */
function faults(spec) {
  const { store } = new AskedServer();
  return faultsOf(() => store.create('resourcequotas', quota(spec)));
}

const AT = 'spec.scopeSelector.matchExpressions';
const ONLY_EXISTS =
  "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, " +
  'ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ' +
  'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

test('the expressions of a scope selector have known scopes and operators', () => {
  const cases = /** @type {[object, string[]][]} */ ([
    [
      { scopeName: 'PriorityClass', operator: 'Foo' },
      [`${AT}.operator: Invalid value: "Foo": not a valid selector operator`],
    ],
    [
      { scopeName: 'PriorityClass', operator: 'Gt', values: ['1'] },
      [`${AT}.operator: Invalid value: "Gt": not a valid selector operator`],
    ],
    [
      { scopeName: 'PriorityClass' },
      [`${AT}.operator: Invalid value: "": not a valid selector operator`],
    ],
    [
      { scopeName: 'PriorityClass', operator: 'In' },
      [
        `${AT}.values: Required value: must be at least one value when \`operator\` is 'In' or ` +
          "'NotIn' for scope selector",
      ],
    ],
    [
      { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
      [
        `${AT}.values: Invalid value: ["a"]: must be no value when \`operator\` is 'Exist' or ` +
          "'DoesNotExist' for scope selector",
      ],
    ],
    [
      { scopeName: 'Foo', operator: 'Exists' },
      [`${AT}.scopeName: Invalid value: "Foo": unsupported scope`],
    ],
    [
      { scopeName: 'BestEffort', operator: 'DoesNotExist' },
      [`${AT}.operator: Invalid value: "DoesNotExist": ${ONLY_EXISTS}`],
    ],
    [
      { scopeName: 'Terminating', operator: 'Foo' },
      [
        `${AT}.operator: Invalid value: "Foo": ${ONLY_EXISTS}`,
        `${AT}.operator: Invalid value: "Foo": not a valid selector operator`,
      ],
    ],
    [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['a'] }, []],
    [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }, []],
    [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }, []],
    [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['a'] }, []],
  ]);
  for (const [expression, expected] of cases) {
    const found = faults({ scopeSelector: { matchExpressions: [expression] } });
    assert.deepEqual(found, expected, JSON.stringify(expression));
  }
});

test('scopes are known, do not contradict each other, and have the resources', () => {
  const cases = /** @type {[object, string[]][]} */ ([
    [{ scopes: ['Foo'] }, ['spec.scopes: Invalid value: ["Foo"]: unsupported scope']],
    [
      { scopes: ['BestEffort', 'NotBestEffort'] },
      ['spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes'],
    ],
    [
      { scopes: ['BestEffort'], hard: { pods: '1', cpu: '1' } },
      ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
    ],
    [
      { scopes: ['Terminating'], hard: { secrets: '1' } },
      ['spec.scopes: Invalid value: ["Terminating"]: unsupported scope applied to resource'],
    ],
    [
      {
        scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'Exists' }] },
        hard: { cpu: '1' },
      },
      [
        `${AT}: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort",` +
          '"Operator":"Exists","Values":null}]}: unsupported scope applied to resource',
      ],
    ],
    [
      {
        scopeSelector: {
          matchExpressions: ['Terminating', 'NotTerminating'].map((scopeName) => ({
            scopeName,
            operator: 'Exists',
          })),
        },
      },
      [`${AT}: Invalid value: null: conflicting scopes`],
    ],
    [{ scopes: ['NotBestEffort'], hard: { pods: '1', 'limits.cpu': '1', 'a.b/c': '1' } }, []],
  ]);
  for (const [spec, expected] of cases)
    assert.deepEqual(faults(spec), expected, JSON.stringify(spec));
});

test('bounds are amounts of resources that quotas count', () => {
  const cases = /** @type {[string, string, string][]} */ ([
    ['pods', '-1', 'Invalid value: "-1": must be greater than or equal to 0'],
    ['pods', '1500m', 'Invalid value: "1500m": must be an integer'],
    ['foo', '1', 'Invalid value: "foo": must be a standard resource type or fully qualified'],
    ['storage', '1', 'Invalid value: "storage": must be a standard resource for quota'],
  ]);
  for (const [name, amount, words] of cases)
    assert.equal(faults({ hard: { [name]: amount } })[0], `spec.hard[${name}]: ${words}`);
  const hard = {
    cpu: '500m',
    'requests.storage': '1Gi',
    'requests.nvidia.com/gpu': '1',
    'count/deployments.apps': '2',
    'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
    'hugepages-2Mi': '2Mi',
    'services.nodeports': '0',
  };
  assert.deepEqual(faults({ hard }), []);
});

test('the scopes of a quota cannot be changed', () => {
  const { store } = new AskedServer();
  const made = store.create('resourcequotas', quota({ scopes: ['BestEffort'] }));
  const change = (/** @type {object} */ spec) =>
    faultsOf(() => store.update('resourcequotas', { ...made, spec }, { dryRun: true }));
  assert.deepEqual(change({ scopes: ['NotBestEffort'] }), [
    'spec.scopes: Invalid value: ["NotBestEffort"]: field is immutable',
  ]);
  assert.deepEqual(change({ scopes: ['BestEffort'], hard: { pods: '2' } }), []);
});
