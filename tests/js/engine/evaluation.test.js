import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeRow, toAnnotations, whyNot } from '../../../js/src/index.js';

const evaluation = {
  apiVersion: 'stowage/v1',
  kind: 'Evaluation',
  pod: 'default/cache',
  result: 'scheduled',
  node: 'n1',
  evaluatedNodes: 5,
  filter: [
    {
      plugin: 'TaintToleration',
      code: 'UnschedulableAndUnresolvable',
      reasons: ['node(s) had untolerated taint(s)'],
      nodes: ['n2'],
    },
    {
      plugin: 'NodeResourcesFit',
      code: 'Unschedulable',
      reasons: ['Insufficient cpu', 'Insufficient memory'],
      nodes: ['n3'],
    },
  ],
  filterAll: [
    {
      plugin: 'TaintToleration',
      code: 'UnschedulableAndUnresolvable',
      reasons: ['node(s) had untolerated taint(s)'],
      nodes: ['n2'],
    },
    {
      plugin: 'NodeResourcesFit',
      code: 'Unschedulable',
      reasons: ['Insufficient cpu'],
      nodes: ['n2', 'n3'],
    },
  ],
  feasible: ['n1', 'n4', 'n5'],
  best: ['n1', 'n5'],
  total: [382, 389 - 100, 382],
  weights: { NodeResourcesFit: 1, TaintToleration: 3 },
  rawScores: { NodeResourcesFit: [82, 89, 82], TaintToleration: [0, 1, 0] },
  scores: { NodeResourcesFit: [82, 89, 82], TaintToleration: [300, 200, 300] },
};

test('nodeRow', () => {
  const fit = { plugin: 'NodeResourcesFit', code: 'Unschedulable', reasons: ['Insufficient cpu'] };
  const taint = {
    plugin: 'TaintToleration',
    code: 'UnschedulableAndUnresolvable',
    reasons: ['node(s) had untolerated taint(s)'],
  };
  const cases = [
    [
      'n1',
      {
        node: 'n1',
        verdict: 'chosen',
        refusals: [],
        total: 382,
        scores: { NodeResourcesFit: 82, TaintToleration: 300 },
        rawScores: { NodeResourcesFit: 82, TaintToleration: 0 },
      },
    ],
    ['n2', { node: 'n2', verdict: 'refused', refusals: [taint, fit] }],
    ['n9', { node: 'n9', verdict: 'notReached', refusals: [] }],
  ];
  for (const [node, expected] of cases) assert.deepEqual(nodeRow(evaluation, node), expected, node);
  assert.equal(nodeRow({ ...evaluation, preFilterResult: ['n1'] }, 'n9').verdict, 'absent');
});

test('whyNot', () => {
  const cases = [
    ['n1', 'n1 was chosen.'],
    [
      'n2',
      'TaintToleration refuses n2: node(s) had untolerated taint(s); ' +
        'NodeResourcesFit refuses n2: Insufficient cpu.',
    ],
    ['n3', 'NodeResourcesFit refuses n3: Insufficient cpu, Insufficient memory.'],
    ['n4', 'n4 fits, but n1 scores 382 against 289: TaintToleration +100.'],
    ['n5', 'n5 fits and scores 382 as n1 does, which was chosen.'],
    ['n9', 'n9 was not looked at, or there is no such node.'],
  ];
  for (const [node, sentence] of cases) assert.equal(whyNot(evaluation, node), sentence);
  const narrowed = { ...evaluation, preFilterResult: ['n1', 'n2'] };
  assert.equal(
    whyNot(narrowed, 'n9'),
    'n9 is not among the nodes that the pod can be on at all: n1, n2.',
  );
  const refused = {
    kind: 'Evaluation',
    node: null,
    preFilter: { plugin: 'NodeAffinity', code: 'U', reasons: ['conflict'] },
  };
  assert.equal(whyNot(refused, 'n1'), 'NodeAffinity refuses the pod on every node: conflict.');
  const ofAll = { ...evaluation, numAllNodes: 5 };
  assert.equal(whyNot(ofAll, 'n9'), 'There is no node n9.');
  const table = { nodes: ['n1', 'n7'], plugins: [], statuses: [], cells: {} };
  const sampled = { ...evaluation, numAllNodes: 9, table };
  assert.equal(whyNot(sampled, 'n9'), 'There is no node n9.');
  assert.match(whyNot(sampled, 'n7'), /^n7 was not looked at/);
});

test('toAnnotations writes what kube-scheduler-simulator writes', () => {
  const prefix = 'kube-scheduler-simulator.sigs.k8s.io/';
  const annotations = toAnnotations(evaluation);
  assert.equal(annotations[`${prefix}selected-node`], 'n1');
  assert.equal(
    annotations[`${prefix}finalscore-result`],
    '{"n1":{"NodeResourcesFit":"82","TaintToleration":"300"},' +
      '"n4":{"NodeResourcesFit":"89","TaintToleration":"200"},' +
      '"n5":{"NodeResourcesFit":"82","TaintToleration":"300"}}',
  );
  assert.equal(JSON.parse(annotations[`${prefix}score-result`]).n4.TaintToleration, '1');
  assert.deepEqual(JSON.parse(annotations[`${prefix}filter-result`]).n3, {
    NodeResourcesFit: 'Insufficient cpu, Insufficient memory',
  });
  const table = {
    nodes: ['n1', 'n2'],
    plugins: ['NodeName', 'TaintToleration'],
    statuses: [{ code: 'X', reasons: ['no'] }],
    cells: { TaintToleration: [0, 1], NodeName: [0, -1] },
  };
  const filter = toAnnotations({ kind: 'Evaluation', node: null, table })[`${prefix}filter-result`];
  assert.equal(
    filter,
    '{"n1":{"NodeName":"passed","TaintToleration":"passed"},"n2":{"TaintToleration":"no"}}',
  );
});
