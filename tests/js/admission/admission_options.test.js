// Goal: an invalid option is rejected by its name when the handler is created.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { ConfigurationError } from '../../../js/src/kubernetes/errors.js';
import { standIn } from './reviews.js';

/** @type {[string, object, string][]} */
const WRONG = [
  ['no cluster', { cluster: undefined }, 'cluster'],
  ['a cluster that cannot be asked', { cluster: {} }, 'cluster'],
  ['no mode', { mode: undefined }, 'mode'],
  ['a mode that is none', { mode: 'Warn' }, 'mode'],
  ['a verdict that is none', { denyWhen: 'WithPreemption' }, 'denyWhen'],
  ['a policy that is none', { failurePolicy: 'ignore' }, 'failurePolicy'],
  ['no time', { timeoutMs: 0 }, 'timeoutMs'],
  ['a time that is text', { timeoutMs: '10s' }, 'timeoutMs'],
  ['a number that is text', { timeoutMs: '5' }, 'timeoutMs'],
  ['no bytes', { maxBodyBytes: -1 }, 'maxBodyBytes'],
  ['bytes that are text', { maxBodyBytes: '5' }, 'maxBodyBytes'],
  ['no number of bytes', { maxBodyBytes: NaN }, 'maxBodyBytes'],
  ['exemptions that are none', { exempt: 'kube-system' }, 'exempt'],
  ['an exemption that is none', { exempt: { labels: {} } }, 'exempt.labels'],
  ['namespaces that are text', { exempt: { namespaces: 'a,b' } }, 'exempt.namespaces'],
  ['a selector that is none', { exempt: { labelSelector: 'a in b' } }, 'exempt.labelSelector'],
  [
    'an operator that is none',
    { exempt: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } } },
    'exempt.labelSelector',
  ],
  ['classes that are none', { priorityClasses: 7 }, 'priorityClasses'],
  ['LimitRanges that are none', { limitRanges: {} }, 'limitRanges'],
  ['RuntimeClasses that are none', { runtimeClasses: null }, 'runtimeClasses'],
  ['onError that is no function', { onError: 'log' }, 'onError'],
  ['an option that is none', { dryRun: true }, 'dryRun'],
];

test('wrong options are refused by name', () => {
  for (const [what, options, field] of WRONG) {
    const make = () =>
      createAdmissionHandler(/** @type {any} */ ({ cluster: standIn(), mode: 'warn', ...options }));
    assert.throws(make, (error) => {
      assert.ok(error instanceof ConfigurationError, what);
      assert.equal(error.errors[0].field, field, what);
      return true;
    });
  }
});
