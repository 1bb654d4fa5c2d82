import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createScheduler } from '../../../../js/src/index.js';
import { emptyCluster, withChanges } from '../../../../web/src/page/cluster/cluster_state.js';
import { differencesOf, whyElsewhere } from '../../../../web/src/page/compare/differences.js';
import { keyFiguresOf } from '../../../../web/src/page/compare/key_figures.js';
import { ARTIFACTS } from '../../../support/targets.js';
import { node, pod } from '../../world/objects.js';
import { clusterOf, nodeRow, podRow } from '../rows.js';

/** @param {Record<string, string>} places nodes by pod */
function cluster(places) {
  const row = {
    nominatedNode: '',
    priority: 0,
    workload: '',
    reason: '',
    message: '',
    isTerminating: false,
  };
  return withChanges(emptyCluster(), {
    isWhole: true,
    nodes: ['n1', 'n2', 'n3'].map((name) => ({
      name,
      zone: '',
      isUnschedulable: false,
      taints: [],
      allocatable: { cpu: 4, pods: 110, 'example.com/gpu': 1, 'ephemeral-storage': 1e9 },
    })),
    pods: Object.entries(places).map(([key, on]) => ({
      ...row,
      key,
      node: on,
      phase: key.startsWith('ended') ? 'Succeeded' : 'Running',
      requests: { cpu: 2 },
    })),
    workloads: [],
    goneWorkloads: [],
    goneNodes: [],
    gonePods: [],
    slices: [],
    goneSlices: [],
    claims: [],
    goneClaims: [],
  });
}

test('pods differ that are on other nodes, pending in one world, or missing in one', () => {
  const a = cluster({ same: 'n1', moved: 'n1', waits: '', both: '', onlyA: 'n2' });
  const b = cluster({ same: 'n1', moved: 'n2', waits: 'n1', both: '', onlyB: '' });
  assert.deepEqual(differencesOf(a, b, 3), {
    rows: [
      { pod: 'moved', a: 'n1', b: 'n2' },
      { pod: 'onlyA', a: 'n2', b: null },
      { pod: 'onlyB', a: null, b: '' },
    ],
    differ: 4,
    total: 6,
  });
  assert.equal(differencesOf(a, a, 3).differ, 0);
});

test('key figures show how full the used nodes are', () => {
  const places = { one: 'n1', two: 'n1', three: 'n2', 'ended-1': 'n3', four: '' };
  assert.deepEqual(keyFiguresOf(cluster(places)), {
    placed: 4,
    pending: 1,
    used: 2,
    empty: 1,
    shares: [
      { resource: 'cpu', ofAll: 0.5, ofUsed: 0.75 },
      { resource: 'example.com/gpu', ofAll: 0, ofUsed: 0 },
    ],
  });
  assert.deepEqual(keyFiguresOf(emptyCluster()).shares, []);
});

test('a pod of a DaemonSet alone does not make a node used', () => {
  const allocatable = { cpu: 2 };
  const requests = { cpu: 1 };
  const own = (/** @type {string} */ key, /** @type {string} */ on, workload = '') =>
    podRow(key, { node: on, phase: 'Running', workload, requests });
  const { used, empty, placed, shares } = keyFiguresOf(
    clusterOf({
      nodes: ['n1', 'n2'].map((name) => nodeRow(name, { allocatable })),
      pods: [own('d-1', 'n1', 'DaemonSet/d'), own('d-2', 'n2', 'DaemonSet/d'), own('one', 'n1')],
    }),
  );
  assert.deepEqual([used, empty, placed], [1, 1, 3]);
  assert.deepEqual(shares, [{ resource: 'cpu', ofAll: 0.75, ofUsed: 1 }]);
});

test('the reason why a pod is elsewhere is in the words of stowage diff', async () => {
  const evaluated = async (/** @type {string} */ type, /** @type {string} */ cpu) => {
    const args = { scoringStrategy: { type } };
    const scheduler = await createScheduler({
      wasm: ARTIFACTS.module,
      configuration: {
        apiVersion: 'kubescheduler.config.k8s.io/v1',
        kind: 'KubeSchedulerConfiguration',
        profiles: [{ pluginConfig: [{ name: 'NodeResourcesFit', args }] }],
      },
    });
    const bound = pod('bound', '2');
    scheduler.apply([
      node('n1', '8'),
      node('n2', '8'),
      { ...bound, spec: { ...bound.spec, nodeName: 'n1' } },
    ]);
    const evaluation = scheduler.evaluate(pod('web', cpu), { detail: 'table' });
    scheduler.dispose();
    return evaluation;
  };
  const a = await evaluated('LeastAllocated', '1');
  const b = await evaluated('MostAllocated', '1');
  assert.deepEqual([a.node, b.node], ['n2', 'n1']);
  assert.match(
    whyElsewhere('default/web', a, b),
    /^NodeResourcesFit on n1 \d+ → \d+; n1 leads n2 by \d+$/,
  );
  assert.equal(whyElsewhere('default/web', a, a), '');
  const nowhere = await evaluated('LeastAllocated', '9');
  assert.match(whyElsewhere('default/web', nowhere, b), /^A: 0\/2 nodes are available/);
  assert.match(whyElsewhere('default/web', a, nowhere), /^0\/2 nodes are available/);
  assert.equal(whyElsewhere('default/web', null, b), 'A: it was not decided on');
});
