import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faultsOf, newObjects } from '../../../../web/src/page/changes/new_objects.js';
import { emptyCluster } from '../../../../web/src/page/cluster/cluster_state.js';
import { refusalsOf } from '../../../../web/src/worker/refusals.js';

/** @import { NewKind } from '../../../../web/src/page/changes/new_objects.js' */

const VALUES = {
  name: 'new',
  namespace: '',
  count: '2',
  cpu: '1',
  memory: '1Gi',
  zone: '',
  priority: '0',
  resource: '',
  amount: '',
};

/** @param {string[]} nodes @param {string[]} [pods] @param {string[]} [workloads] */
function clusterOf(nodes, pods = [], workloads = []) {
  const rows = (/** @type {string[]} */ keys) =>
    new Map(keys.map((key) => [key, /** @type {any} */ ({})]));
  return { ...emptyCluster(), nodes: rows(nodes), pods: rows(pods), workloads: rows(workloads) };
}

test('new names continue the numbers of existing names', () => {
  const namesOf = (/** @type {NewKind} */ kind) =>
    newObjects(
      kind,
      VALUES,
      clusterOf(['new-7', 'new-x', 'newer-9'], ['default/new-1', 'o/new-5']),
    ).map(({ metadata }) => metadata.name);
  assert.deepEqual(namesOf('Nodes'), ['new-8', 'new-9']);
  assert.deepEqual(namesOf('Pods'), ['new-2', 'new-3']);
  assert.deepEqual(namesOf('Deployment'), ['new']);
});

test('new objects have the values of the form, and an API server accepts them', () => {
  const values = { ...VALUES, zone: 'z1', resource: 'nvidia.com/gpu', amount: '4', priority: '-5' };
  const [node] = newObjects('Nodes', values, clusterOf([]));
  assert.equal(node.metadata.labels?.['topology.kubernetes.io/zone'], 'z1');
  const amounts = { cpu: '1', memory: '1Gi', pods: '110', 'nvidia.com/gpu': '4' };
  assert.deepEqual(node.status.allocatable, amounts);
  const [priorityClass, pod] = newObjects('Pods', values, clusterOf([]));
  assert.equal(priorityClass.value, -5);
  assert.equal(pod.spec.priorityClassName, priorityClass.metadata.name);
  const requests = { cpu: '1', memory: '1Gi' };
  assert.deepEqual(pod.spec.containers[0].resources, { requests });
  const [deployment] = newObjects('Deployment', values, clusterOf([]));
  assert.equal(deployment.spec.replicas, 2);
  assert.deepEqual(refusalsOf([node, priorityClass, pod, deployment]), []);
});

test('errors stand beside their fields, in Kubernetes’ words', () => {
  const cluster = clusterOf([], [], ['Deployment/default/web']);
  const quantity = /^quantities must match the regular expression/;
  /** @type {[NewKind, Partial<typeof VALUES>, string, RegExp][]} */
  const cases = [
    ['Nodes', { cpu: 'x' }, 'cpu', quantity],
    ['Nodes', { memory: '' }, 'memory', /^Required value$/],
    ['Nodes', { cpu: '-1' }, 'cpu', /^must be greater than or equal to 0$/],
    ['Nodes', { count: '5001' }, 'count', /^must be an integer from 1 to 5000$/],
    ['Nodes', { resource: 'a.b/c' }, 'amount', /^Required value$/],
    ['Nodes', { amount: '3' }, 'resource', /^Required value$/],
    ['Pods', { memory: '1mm' }, 'memory', /^unable to parse quantity's suffix$/],
    ['Pods', { priority: '2000000000' }, 'priority', /^must be an integer from -2147483648/],
    ['Pods', { name: '' }, 'name', /^Required value$/],
    ['Deployment', { name: 'web' }, 'name', /^web already exists$/],
  ];
  for (const [kind, values, field, words] of cases) {
    const faults = faultsOf(kind, { ...VALUES, ...values }, cluster);
    assert.deepEqual(Object.keys(faults), [field], JSON.stringify(values));
    assert.match(Object.values(faults)[0] ?? '', words);
  }
  assert.deepEqual(faultsOf('Pods', { ...VALUES, cpu: '', memory: '' }, cluster), {});
  assert.deepEqual(faultsOf('Deployment', { ...VALUES, count: '0' }, cluster), {});
});
