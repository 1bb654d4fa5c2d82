/** Tests invalid scheduling constraints of pods and nodes: all faults, in their order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, node } from '../asked_server.js';
import { faultsOf, podFaults } from './refusals.js';

const KEY_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for " +
  "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or " +
  "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

test('a duplicate taint is reported with all of its fields', () => {
  const { store } = new AskedServer();
  const taint = { key: 'a', effect: 'NoSchedule' };
  const create = (/** @type {object[]} */ ...taints) =>
    faultsOf(() => store.create('nodes', node('n', { taints })));
  assert.deepEqual(create(taint, { ...taint, value: '' }), [
    'metadata.taints[1]: Duplicate value: ' +
      '{"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: ' +
      'taints must be unique by key and effect pair',
  ]);
  const timeAdded = '2026-11-21T03:28:30Z';
  assert.deepEqual(create(taint, { ...taint, value: 'b', timeAdded }), [
    'metadata.taints[1]: Duplicate value: ' +
      `{"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":"${timeAdded}"}: ` +
      'taints must be unique by key and effect pair',
  ]);
  assert.deepEqual(create({ key: 'a', value: 'b c' }), [
    `metadata.taints[0].value: Invalid value: "b c": ${VALUE_RULE}`,
    'metadata.taints[0].effect: Required value',
  ]);
  assert.deepEqual(create(taint, { ...taint, effect: 'NoExecute' }), []);
});

test('operators of tolerations are listed in order', () => {
  const at = 'spec.tolerations[0].operator';
  for (const operator of ['Like', 'Lt', 'Gt']) {
    assert.deepEqual(podFaults({ tolerations: [{ key: 'a', operator, value: '1' }] }), [
      `${at}: Unsupported value: "${operator}": supported values: "Equal", "Exists", "Lt", "Gt"`,
    ]);
  }
});

const HARD = 'requiredDuringSchedulingIgnoredDuringExecution';
const SOFT = 'preferredDuringSchedulingIgnoredDuringExecution';

test('an empty topologyKey is required, and no label', () => {
  const at = `spec.affinity.podAffinity.${HARD}[0].topologyKey`;
  assert.deepEqual(podFaults({ affinity: { podAffinity: { [HARD]: [{ topologyKey: '' }] } } }), [
    `${at}: Required value: can not be empty`,
    `${at}: Invalid value: "": name part must be non-empty`,
    `${at}: Invalid value: "": ${KEY_RULE}`,
  ]);
});

test('the faults of an affinity term come selector first, then namespaces, keys, topology', () => {
  const term = {
    topologyKey: 'a b',
    labelSelector: { matchExpressions: [{ key: 'k', operator: 'In', values: ['x y'] }] },
    namespaces: ['A'],
    matchLabelKeys: ['x', '-'],
    mismatchLabelKeys: ['x'],
  };
  const at = `spec.affinity.podAntiAffinity.${SOFT}[0]`;
  const affinity = { podAntiAffinity: { [SOFT]: [{ weight: 0, podAffinityTerm: term }] } };
  const [weight, value, namespace, key, twice, topology, ...others] = podFaults({ affinity });
  assert.equal(weight, `${at}.weight: Invalid value: 0: must be in the range 1-100`);
  const within = `${at}.podAffinityTerm`;
  const selector = `${within}.labelSelector.matchExpressions[0]`;
  assert.equal(value, `${selector}.values[0]: Invalid value: "x y": ${VALUE_RULE}`);
  assert.match(namespace, /podAffinityTerm\.namespace: Invalid value: "A": a lowercase RFC 1123/);
  assert.equal(key, `${within}.matchLabelKeys[1]: Invalid value: "-": ${KEY_RULE}`);
  assert.equal(
    twice,
    `${within}.matchLabelKeys[0]: Invalid value: "x": exists in both matchLabelKeys and ` +
      'mismatchLabelKeys',
  );
  assert.equal(topology, `${within}.topologyKey: Invalid value: "a b": ${KEY_RULE}`);
  assert.deepEqual(others, []);
});

test('the faults of a spread constraint are reported in order', () => {
  const at = 'spec.topologySpreadConstraints[0]';
  const constraint = {
    maxSkew: 0,
    topologyKey: '',
    whenUnsatisfiable: 'Never',
    minDomains: 0,
    nodeAffinityPolicy: 'Maybe',
    nodeTaintsPolicy: 'Maybe',
    matchLabelKeys: ['a'],
  };
  assert.deepEqual(podFaults({ topologySpreadConstraints: [constraint] }), [
    `${at}.maxSkew: Invalid value: 0: must be greater than zero`,
    `${at}.topologyKey: Required value: can not be empty`,
    `${at}.whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", ` +
      '"ScheduleAnyway"',
    `${at}.minDomains: Invalid value: 0: must be greater than zero`,
    `${at}.minDomains: Invalid value: 0: can only use minDomains if ` +
      'whenUnsatisfiable=DoNotSchedule, not Never',
    `${at}.nodeAffinityPolicy: Unsupported value: "Maybe": supported values: "Honor", "Ignore"`,
    `${at}.nodeTaintsPolicy: Unsupported value: "Maybe": supported values: "Honor", "Ignore"`,
    `${at}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
  ]);
  const repeated = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
  assert.deepEqual(podFaults({ topologySpreadConstraints: [repeated, repeated] }), [
    `${at}.{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"`,
  ]);
});

test('a key that the selector has itself is not taken from the pod too', () => {
  const { store } = new AskedServer();
  const labelSelector = { matchLabels: { app: 'web' } };
  const matchLabelKeys = ['app'];
  const faults = faultsOf(() =>
    store.create('pods', {
      metadata: { name: 'a', namespace: 'default', labels: { app: 'web' } },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        affinity: {
          podAffinity: { [HARD]: [{ topologyKey: 'z', labelSelector, matchLabelKeys }] },
        },
      },
    }),
  );
  assert.deepEqual(faults, [
    `spec.affinity.podAffinity.${HARD}[0][0]: Invalid value: "app": exists in both ` +
      'matchLabelKeys and labelSelector',
  ]);
});

test('node affinity: operators and values first, then the key, then each value', () => {
  const at = `spec.affinity.nodeAffinity.${HARD}.nodeSelectorTerms[0]`;
  const faults = (/** @type {object} */ term) =>
    podFaults({ affinity: { nodeAffinity: { [HARD]: { nodeSelectorTerms: [term] } } } });
  const expression = { key: '-', operator: 'In', values: ['x y'] };
  assert.deepEqual(faults({ matchExpressions: [expression] }), [
    `${at}.matchExpressions[0].key: Invalid value: "-": ${KEY_RULE}`,
    `${at}.matchExpressions[0].values[0]: Invalid value: "x y": ${VALUE_RULE}`,
  ]);
  assert.deepEqual(faults({ matchFields: [{ key: 'spec.x', operator: 'Gt', values: ['1'] }] }), [
    `${at}.matchFields[0].operator: Invalid value: "Gt": not a valid selector operator`,
    `${at}.matchFields[0].key: Invalid value: "spec.x": not a valid field selector key`,
  ]);
  const names = { key: 'metadata.name', operator: 'In', values: ['a', 'b'] };
  assert.deepEqual(faults({ matchFields: [names] }), [
    `${at}.matchFields[0].values: Required value: must be only one value when \`operator\` is ` +
      "'In' or 'NotIn' for node field selector",
  ]);
  const preference = { matchExpressions: [{ key: 'k', operator: 'In', values: ['x y'] }] };
  const soft = { nodeAffinity: { [SOFT]: [{ weight: 1, preference }] } };
  assert.deepEqual(podFaults({ affinity: soft }), []);
});

test('gates are names, each once', () => {
  assert.deepEqual(podFaults({ schedulingGates: [{ name: 'g' }, { name: 'g' }] }), [
    'spec.schedulingGates[1]: Duplicate value: "g"',
  ]);
});
