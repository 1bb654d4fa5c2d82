// Goal: a verdict is one sentence with FailedScheduling's text. Method: evaluations of a stand-in
// for the cluster.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { recordedPod, refused, responseTo, reviewOf, standIn } from './reviews.js';

const FIT_ERROR = '0/3 nodes are available: 3 Insufficient cpu.';

/** @param {any} evaluation @param {any} [object] */
function audit(evaluation, object = recordedPod({ metadata: { name: 'web-0' } })) {
  const handler = createAdmissionHandler({ cluster: standIn(evaluation), mode: 'warn' });
  return responseTo(handler, reviewOf(object)).then(({ auditAnnotations }) => auditAnnotations);
}

/** @param {string[]} victims */
const preempting = (victims) => ({
  ...refused('WithPreemption'),
  preemption: { nominatedNode: 'n2', victims },
});

test('the verdict names what a pod needs to get a node', async () => {
  /** @type {[any, object][]} */
  const table = [
    [{ node: 'n1' }, { fits: 'Now', node: 'n1' }],
    [
      preempting(['batch/a']),
      {
        fits: 'WithPreemption',
        node: 'n2',
        message: `pod "web-0" would have to preempt batch/a on n2: ${FIT_ERROR}`,
      },
    ],
    [
      preempting(['batch/a', 'batch/b', 'batch/c']),
      {
        fits: 'WithPreemption',
        node: 'n2',
        message: `pod "web-0" would have to preempt batch/a and 2 more on n2: ${FIT_ERROR}`,
      },
    ],
    [
      preempting([]),
      {
        fits: 'WithPreemption',
        node: 'n2',
        message: `pod "web-0" would be unschedulable without preemption: ${FIT_ERROR}`,
      },
    ],
    [
      refused('NotNow'),
      { fits: 'NotNow', message: `pod "web-0" would be unschedulable: ${FIT_ERROR}` },
    ],
    [
      refused('Never'),
      {
        fits: 'Never',
        message: `pod "web-0" would be unschedulable even in an empty cluster: ${FIT_ERROR}`,
      },
    ],
    [
      { result: 'gated', plugin: 'SchedulingGates', numAllNodes: undefined, fits: 'NotNow' },
      { skipped: 'held back by SchedulingGates' },
    ],
  ];
  for (const [evaluation, want] of table) assert.deepEqual(await audit(evaluation), want);
});

test('an evaluation that says nothing is a failure', async () => {
  /** @type {[any, RegExp][]} */
  const table = [
    [{ result: 'error', message: 'running "X" filter plugin: out of order' }, /out of order/],
    [{ ...refused('Never'), numAllNodes: 0 }, /no node of the cluster is known yet/],
    [{ fits: undefined }, /does not say whether it fits/],
  ];
  for (const [evaluation, failure] of table) {
    const annotations = await audit(evaluation);
    assert.match(annotations.failure, failure);
    assert.equal(annotations.fits, undefined);
  }
});

const daemonSet = {
  kind: 'DaemonSet',
  metadata: { name: 'agent' },
  spec: { template: { spec: { containers: [{ name: 'c', image: 'c' }] } } },
};

/** @param {string} plugin @param {string[]} reasons @param {...string} nodes */
const group = (plugin, reasons, ...nodes) => ({ plugin, code: 'Unschedulable', reasons, nodes });

test('the verdict on a DaemonSet counts the eligible nodes that refuse its pods', async () => {
  const unwanted = group(
    'NodeAffinity',
    ["node(s) didn't match Pod's node affinity/selector"],
    'n1',
  );
  const tainted = group('TaintToleration', ['node(s) had untolerated taint(s)'], 'n2', 'n3');
  const full = group('NodeResourcesFit', ['Insufficient memory', 'Too many pods'], 'n4', 'n5');
  const fuller = group('NodeResourcesFit', ['Too many pods'], 'n6');
  /** @type {[any, object][]} */
  const table = [
    [{ filter: [] }, { fits: 'Now' }],
    [{ filter: [unwanted, tainted] }, { fits: 'Now' }],
    [
      { filter: [unwanted, full, fuller, tainted] },
      {
        fits: 'Now',
        message:
          'pods of DaemonSet "agent" would be unschedulable on 3 of 7 nodes: ' +
          '2 Insufficient memory, 3 Too many pods.',
      },
    ],
    [
      { ...refused('Never'), numAllNodes: 3, filter: [unwanted, full] },
      {
        fits: 'Never',
        message:
          'pods of DaemonSet "agent" would be unschedulable even in an empty cluster on 2 of 2 ' +
          'nodes: 2 Insufficient memory, 2 Too many pods.',
      },
    ],
    [
      { ...preempting(['batch/a']), numAllNodes: 1, filter: [fuller] },
      {
        fits: 'WithPreemption',
        message:
          'pods of DaemonSet "agent" would be unschedulable without preemption on 1 of 1 nodes: ' +
          '1 Too many pods.',
      },
    ],
    [
      {
        ...refused('Never'),
        preFilter: { plugin: 'VolumeBinding', code: 'x', reasons: ['claim "a" not found'] },
      },
      {
        fits: 'Never',
        message:
          'pods of DaemonSet "agent" would be unschedulable even in an empty cluster on 10 of 10 ' +
          'nodes: 10 claim "a" not found.',
      },
    ],
    [
      { ...refused('Never'), numAllNodes: 3, filter: [unwanted, tainted] },
      { skipped: 'no node is to run its pods now' },
    ],
  ];
  for (const [evaluation, want] of table)
    assert.deepEqual(await audit({ numAllNodes: 10, ...evaluation }, daemonSet), want);
});
