import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { InputError } from '../../../js/src/kubernetes/errors.js';
import { loadScenario, readScenario } from '../../../web/src/scenario/scenario.js';

const TEXT = `
apiVersion: stowage/v1
kind: Scenario
title: Taints
text: Two *nodes*.
configuration:
  profiles: [{ schedulerName: default-scheduler }]
featureGates: { OpportunisticBatching: false }
startTime: 2026-03-01T12:00:00Z
seed: 7
objects:
  - { apiVersion: v1, kind: Node, metadata: { name: a } }
steps:
  - note: A pod comes.
    at: 1m30s
    apply: { apiVersion: v1, kind: Pod, metadata: { name: web } }
  - advance: 10s
    delete: { apiVersion: v1, kind: Pod, namespace: default, name: web }
  - scheduleOne: default/web
    configure: { featureGates: {} }
`;

test('a scenario has its initial objects and its steps', () => {
  const scenario = readScenario(TEXT);
  const start = Date.UTC(2026, 2, 1, 12);
  assert.deepEqual(scenario, {
    title: 'Taints',
    text: 'Two *nodes*.',
    scheduler: {
      configuration: { profiles: [{ schedulerName: 'default-scheduler' }] },
      featureGates: { OpportunisticBatching: false },
    },
    startTime: start,
    seed: 7,
    kubelet: true,
    objects: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }],
    steps: [
      {
        note: 'A pod comes.',
        actions: [
          { do: 'advance', to: start + 90_000 },
          {
            do: 'apply',
            objects: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } }],
          },
        ],
      },
      {
        note: '',
        actions: [
          { do: 'wait', for: 10_000 },
          {
            do: 'delete',
            objects: [{ apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web' }],
          },
        ],
      },
      {
        note: '',
        actions: [
          { do: 'configure', scheduler: { featureGates: {} } },
          { do: 'scheduleOne', pod: 'default/web' },
        ],
      },
    ],
  });
});

test('scenarios can be JSON, and absent fields have defaults', () => {
  const { title, steps, seed } = readScenario(
    '{"apiVersion":"stowage/v1","kind":"Scenario","title":"Empty"}',
  );
  assert.deepEqual([title, steps, seed], ['Empty', [], 0]);
});

test('pods are evicted one by one, or several at once', () => {
  const actionsOf = (/** @type {string} */ evict) =>
    readScenario(scenario(`steps: [{ evict: ${evict} }]`)).steps[0].actions;
  assert.deepEqual(actionsOf('a/x'), [{ do: 'evict', pods: ['a/x'] }]);
  assert.deepEqual(actionsOf('[a/x, b/y]'), [{ do: 'evict', pods: ['a/x', 'b/y'] }]);
  assert.throws(() => actionsOf('[a/x, 7]'), { field: 'steps[0].evict', line: 4 });
});

test('errors have their field and line', () => {
  const cases = /** @type {const} */ ([
    ['kind: Scenario', 'kind: Scenery', 'kind', 3],
    ['stowage/v1', 'stowage/v9', 'apiVersion', 2],
    ['title: Taints', 'title: 7', 'title', 4],
    ['seed: 7', 'seed: -1', 'seed', 10],
    ['seed: 7', 'sead: 7', 'sead', 10],
    ['startTime: 2026-03-01T12:00:00Z', 'startTime: noon', 'startTime', 9],
    ['at: 1m30s', 'at: soon', 'steps[0].at', 15],
    ['advance: 10s', 'advance: 10', 'steps[1].advance', 17],
    ['advance: 10s', 'advanse: 10s', 'steps[1].advanse', 17],
    ['default/web', 'web', 'steps[2].scheduleOne', 19],
    ['{ featureGates: {} }', '{ gates: {} }', 'steps[2].configure.gates', 20],
    ['metadata: { name: a }', 'meta: {}', 'objects[0].metadata', 12],
    ['featureGates: { OpportunisticBatching: false }', 'featureGates: [x]', 'featureGates', 8],
  ]);
  for (const [from, to, field, line] of cases) {
    assert.ok(TEXT.includes(from), from);
    assert.throws(
      () => readScenario(TEXT.replace(from, to)),
      (error) => {
        assert.ok(error instanceof InputError);
        assert.deepEqual([error.field, error.line], [field, line], error.message);
        return true;
      },
    );
  }
  assert.throws(() => readScenario(`${TEXT}---\nkind: Pod\n`), /one document is expected/);
  assert.throws(() => readScenario('kind: ['), InputError);
});

/** @param {string} body */
const scenario = (body) => `apiVersion: stowage/v1\nkind: Scenario\ntitle: T\n${body}`;

test('an item may expand to many objects', () => {
  const { objects, steps } = readScenario(
    scenario(`
objects:
  - repeat: 2
    object:
      { apiVersion: v1, kind: Node, metadata: { name: 'w-{n}', labels: { 'n/{n}': '{n}{n}' } } }
steps:
  - delete: [{ repeat: 2, object: { apiVersion: v1, kind: Node, name: 'w-{n}' } }]
`),
  );
  const labels = (/** @type {string} */ text) => ({ 'n/{n}': text });
  assert.deepEqual(objects, [
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w-1', labels: labels('11') } },
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w-2', labels: labels('22') } },
  ]);
  const type = { apiVersion: 'v1', kind: 'Node' };
  const references = [
    { ...type, name: 'w-1' },
    { ...type, name: 'w-2' },
  ];
  assert.deepEqual(steps[0].actions, [{ do: 'delete', objects: references }]);
});

test('a patch is written as an object with only the fields that change', () => {
  const { steps } = readScenario(
    scenario(`
steps:
  - patch:
      apiVersion: v1
      kind: Node
      metadata: { name: a, labels: { disk: null } }
      spec: { taints: null }
      status: { phase: x }
  - patch: { apiVersion: v1, kind: Pod, metadata: { name: p, namespace: q }, spec: { x: 1 } }
`),
  );
  const object = { apiVersion: 'v1', kind: 'Node', name: 'a' };
  const spec = { metadata: { labels: { disk: null } }, spec: { taints: null } };
  assert.deepEqual(steps[0].actions, [
    { do: 'patch', object, patch: spec },
    { do: 'patch', object, patch: { status: { phase: 'x' } }, subresource: 'status' },
  ]);
  const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'q', name: 'p' };
  assert.deepEqual(steps[1].actions, [{ do: 'patch', object: pod, patch: { spec: { x: 1 } } }]);
});

test('objects may come from a file next to the scenario', async () => {
  const text = scenario(
    'objects: [{ file: nodes.json }]\nsteps: [{ apply: { file: nodes.json } }]\n',
  );
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } };
  /** @type {string[]} */
  const read = [];
  const readFile = async (/** @type {string} */ name) => (read.push(name), [node]);
  const { objects, steps } = await loadScenario(text, { readFile });
  assert.deepEqual(objects, [node]);
  assert.deepEqual(steps[0].actions, [{ do: 'apply', objects: [node] }]);
  assert.deepEqual(read, ['nodes.json'], 'once');
  assert.throws(() => readScenario(text), /objects\[0\]\.file.*there is no such file/);
  const outside = loadScenario(text.replaceAll('nodes.json', '../../nodes.json'), { readFile });
  await assert.rejects(outside, /there is no such file/);
});

test('errors in items from files and repeats have their field', () => {
  const node = 'object: { apiVersion: v1, kind: Node, metadata: { name: a } }';
  for (const [item, field] of [
    [`{ repeat: 0, ${node} }`, 'objects[0].repeat'],
    [`{ repeat: 5001, ${node} }`, 'objects[0].repeat'],
    [`{ repeat: '2', ${node} }`, 'objects[0].repeat'],
    ['{ repeat: 2 }', 'objects[0].object'],
    [`{ repeat: 2, times: 3, ${node} }`, 'objects[0].times'],
    ['{ repeat: 2, object: { kind: Node } }', 'objects[0].object.apiVersion'],
    ['{ file: a.json, repeat: 2 }', 'objects[0].repeat'],
    ['7', 'objects[0]'],
  ])
    assert.throws(
      () => readScenario(scenario(`objects: [${item}]\n`)),
      (error) => error instanceof InputError && error.field === field && error.line === 4,
      item,
    );
});

test('the example of the README is a valid scenario', () => {
  const readme = readFileSync(new URL('../../../web/README.md', import.meta.url), 'utf8');
  const [, example] = /```yaml\n(apiVersion: stowage[^]+?)```/.exec(readme) ?? [];
  const { objects, steps } = readScenario(example);
  assert.deepEqual([objects.length, steps.length], [3, 2]);
});

test('plugins are texts, at the start and in a step', () => {
  const head = 'apiVersion: stowage/v1\nkind: Scenario\ntitle: T\n';
  const scenario = readScenario(`${head}
plugins:
  - source: |
      export default { name: 'P' };
steps:
  - configure: { plugins: [{ source: 'export default []' }] }
`);
  assert.deepEqual(scenario.scheduler, {
    plugins: [{ source: "export default { name: 'P' };\n" }],
  });
  assert.deepEqual(scenario.steps[0].actions, [
    { do: 'configure', scheduler: { plugins: [{ source: 'export default []' }] } },
  ]);
  /** @param {string} text @param {object} error */
  const refuses = (text, error) => assert.throws(() => readScenario(head + text), error);
  refuses('plugins: { source: x }', { field: 'plugins', line: 4 });
  refuses('plugins:\n  - source: 7', { field: 'plugins[0].source', line: 5 });
  refuses("plugins: [{ source: ' ' }]", { field: 'plugins[0].source' });
  refuses('plugins: [{ source: x, url: y }]', { field: 'plugins[0].url' });
  refuses('steps:\n  - configure: { plugins: [1] }', {
    field: 'steps[0].configure.plugins[0]',
    line: 5,
  });
});
