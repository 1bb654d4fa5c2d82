import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from '../world/objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const SCENARIO = JSON.stringify({
  apiVersion: 'stowage/v1',
  kind: 'Scenario',
  title: 'T',
  objects: [node('small', '1'), node('large', '4'), pod('one')],
});

/** @param {import('node:test').TestContext} t */
async function opened(t) {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  const { update } = await playground.open(SCENARIO);
  return { playground, update };
}

/** @param {import('../../../web/src/editor/problems.js').Problem[]} problems */
const places = (problems) => problems.map(({ severity, line, column }) => [severity, line, column]);

const OBJECTS = /** @type {const} */ ({ kind: 'objects' });
const CONFIGURATION = /** @type {const} */ ({ kind: 'configuration' });
const NODE = { apiVersion: 'v1', kind: 'Node', name: 'small' };

test('broken YAML, unknown kinds or fields, and wrong types are reported by line', async (t) => {
  const { playground } = await opened(t);
  const text = [
    'apiVersion: v1',
    'kind: Pod',
    'metadata: { name: a }',
    'spec:',
    '  nodeSelektor: {}',
    '  containers:',
    '    - name: [main]',
    '      resources: { requests: { cpu: 1x } }',
    '---',
    'apiVersion: v1',
    'kind: Podd',
    '---',
    'apiVersion: v1',
    'kind: [Pod',
    'metadata:',
    '',
  ].join('\n');
  const problems = await playground.check(OBJECTS, text);
  assert.deepEqual(places(problems), [
    ['warning', 5, 17],
    ['error', 7, 13],
    ['error', 8, 37],
    ['error', 11, 7],
    ['error', 15, 1],
  ]);
  assert.deepEqual(
    problems.map(({ document }) => document),
    [1, 1, 1, 2, 3],
  );
  assert.equal(problems[0].message, 'unknown field "spec.nodeSelektor"');
  assert.equal(problems[1].message, 'spec.containers[0].name: cannot unmarshal array as string');
  assert.match(problems[2].message, /requests\.cpu: quantities must match/);
  assert.equal(problems[3].message, 'no resource is served for Podd of v1');
});

test('errors of the API server are known before anything is stored', async (t) => {
  const { playground, update } = await opened(t);
  const text = [
    JSON.stringify(node('new')),
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: Upper\nspec:\n  containers: []\n',
  ].join('\n---\n');
  const { problems, updates } = await playground.applyText(OBJECTS, text);
  assert.deepEqual(
    [updates, places(problems)],
    [
      [],
      [
        ['error', 6, 9],
        ['error', 8, 15],
      ],
    ],
  );
  assert.match(problems[0].message, /^metadata\.name: Invalid value: "Upper"/);
  assert.equal(problems[1].message, 'spec.containers: Required value');
  assert.equal(await playground.object({ ...NODE, name: 'new' }), '');
  const after = await playground.do({ do: 'step' });
  assert.equal(after.position, update.position + 1);
});

test('objects are tried in order: the second may refer to the first', async (t) => {
  const { playground } = await opened(t);
  const important = {
    ...pod('urgent'),
    spec: { ...pod('urgent').spec, priorityClassName: 'high' },
  };
  const priority = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 10,
  };
  const alone = await playground.check(OBJECTS, JSON.stringify(important));
  assert.match(alone[0].message, /no PriorityClass with name high was found/);
  const text = [priority, important].map((one) => JSON.stringify(one)).join('\n');
  const { problems, updates } = await playground.applyText(OBJECTS, text);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    updates[0].cluster.pods.map(({ key }) => key),
    ['default/urgent'],
  );
});

test('an edited object sends only its changes', async (t) => {
  const { playground } = await opened(t);
  const base = await playground.editable(NODE);
  assert.ok(base.includes('name: small') && !base.includes('managedFields'));
  const edited = { kind: /** @type {const} */ ('object'), base };
  const text = base
    .replace('cpu: "1"', 'cpu: "3"')
    .replace('spec: {}', 'spec: { unschedulable: true }');
  const { problems, updates } = await playground.applyText(edited, text);
  assert.deepEqual([problems, updates.length], [[], 2]);
  const now = await playground.editable(NODE);
  assert.match(now, /unschedulable: true/);
  assert.match(now, /cpu: "3"/);
  const without = now.replace('  unschedulable: true\n', '  podCIDR: 10.0.0.0/24\n');
  const again = await playground.applyText({ ...edited, base: now }, without);
  assert.deepEqual(again.problems, []);
  assert.doesNotMatch(await playground.editable(NODE), /unschedulable/);
});

test('a text stays the same object, and immutable fields are refused at their lines', async (t) => {
  const { playground } = await opened(t);
  const base = await playground.editable({
    apiVersion: 'v1',
    kind: 'Pod',
    namespace: 'default',
    name: 'one',
  });
  const edited = { kind: /** @type {const} */ ('object'), base };
  const [other] = await playground.check(edited, base.replace('name: one', 'name: two'));
  assert.match(other.message, /must stay Pod one/);
  const text = base.replace('spec:\n', 'spec:\n  nodeSelector: { a: b }\n');
  const [refused] = await playground.check(edited, text);
  assert.match(refused.message, /^spec: Forbidden: pod updates may not change fields other than/);
  const before = text.split('\n').findIndex((line) => line === 'spec:');
  assert.equal(refused.line, before + 2);
});

test('a configuration that the engine refuses leaves the old one in force', async (t) => {
  const { playground } = await opened(t);
  const text = await playground.editable('configuration');
  assert.match(text, /^# kube-scheduler's defaults are in force/);
  assert.deepEqual(await playground.check(CONFIGURATION, text), []);
  const wrong = text.replace(
    '    # plugins:',
    '    plugins: { score: { enabled: [{ name: Best }] } }\n    # :',
  );
  const { problems, updates } = await playground.applyText(CONFIGURATION, wrong);
  assert.deepEqual([places(problems), updates], [[['error', 6, 35]], []]);
  assert.match(problems[0].message, /ScorePlugin "Best" does not exist$/);
  assert.equal(await playground.editable('configuration'), text);
  const unknown = await playground.check(CONFIGURATION, `${text}parallelism: x\nparalel: 1\n`);
  assert.deepEqual(
    unknown.map(({ line }) => line),
    [20, 21],
  );
  const update = await playground.do({ do: 'step' });
  assert.equal(update.rows.find(({ kind }) => kind === 'Decision')?.node, 'large');
});

test('another configuration changes the decisions', async (t) => {
  const { playground } = await opened(t);
  const text = (await playground.editable('configuration')).replace(
    '    # pluginConfig:',
    [
      '    pluginConfig:',
      '      - name: NodeResourcesFit',
      '        args: { scoringStrategy: { type: MostAllocated } }',
      '    plugins:',
      '      multiPoint: { disabled: [{ name: NodeResourcesBalancedAllocation }] }',
    ].join('\n'),
  );
  const { problems, updates } = await playground.applyText(CONFIGURATION, text);
  assert.deepEqual([problems, updates.length], [[], 1]);
  assert.match(await playground.editable('configuration'), /MostAllocated/);
  const update = await playground.do({ do: 'step' });
  assert.equal(update.rows.find(({ kind }) => kind === 'Decision')?.node, 'small');
});

test('scenarios report their own errors, and those of their objects', async (t) => {
  const { playground } = await opened(t);
  assert.equal(await playground.editable('scenario'), SCENARIO);
  const SCENARIO_TEXT = /** @type {const} */ ({ kind: 'scenario' });
  assert.deepEqual(await playground.check(SCENARIO_TEXT, SCENARIO), []);
  const head = 'apiVersion: stowage/v1\nkind: Scenario\ntitle: T\n';
  const lines = async (/** @type {string} */ text) =>
    places(await playground.check(SCENARIO_TEXT, head + text));
  assert.deepEqual(await lines('steps: [{ advance: soon }]'), [['error', 4, 20]]);
  assert.deepEqual(
    await lines(
      [
        'objects:',
        '  - repeat: 2',
        '    object:',
        '      { kind: Node, apiVersion: v1, metadata: { name: "N{n}" } }',
        'steps:',
        '  - delete: { kind: Node, apiVersion: v1, name: N1 }',
      ].join('\n'),
    ),
    [['error', 7, 55]],
  );
  assert.deepEqual(
    await lines(
      [
        'configuration: { kind: KubeSchedulerConfiguration }',
        'objects: [{ kind: Pot, apiVersion: v1, metadata: { name: a } }]',
      ].join('\n'),
    ),
    [
      ['error', 4, 16],
      ['error', 5, 19],
    ],
  );
  assert.deepEqual(
    await lines('objects: [{ kind: Node, apiVersion: v1, metadata: { name: a }, spek: {} }]'),
    [['warning', 4, 70]],
  );
});

test('the objects of a cluster are listed by kind', async (t) => {
  const { playground } = await opened(t);
  const kinds = await playground.listObjects();
  assert.deepEqual(
    kinds.find(({ kind }) => kind === 'Node')?.objects.map(({ name }) => name),
    ['large', 'small'],
  );
  assert.equal(kinds.filter(({ kind }) => kind === 'Event').length, 0);
});

test('a pod whose spec cannot be changed is recreated from its text', async (t) => {
  const { playground } = await opened(t);
  await playground.steps(10);
  const reference = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'one' };
  const base = await playground.editable(reference);
  const edited = /** @type {const} */ ({ kind: 'object', base });
  const text = base.replace('cpu: "1"', 'cpu: "3"').replace('cpu: 1\n', 'cpu: 3\n');
  assert.notEqual(text, base);
  const refused = await playground.applyText(edited, text);
  assert.deepEqual([refused.isForbidden, refused.updates], [true, []]);
  const before = await playground.read(reference);
  const [gone, made] = await playground.recreate(text);
  assert.deepEqual([gone.errors, made.errors], [[], []]);
  await playground.steps(10);
  const after = await playground.read(reference);
  assert.notEqual(after?.metadata.uid, before?.metadata.uid);
  assert.equal(after?.spec.nodeName, 'large', 'the only node with room for it');
  const label = base.replace('  name: one\n', '  name: one\n  labels: { a: b }\n');
  const again = await playground.applyText({ kind: 'object', base }, label);
  assert.equal(again.isForbidden, false);
  assert.match(await playground.exported('scenario'), /gracePeriodSeconds: 0/);
});
