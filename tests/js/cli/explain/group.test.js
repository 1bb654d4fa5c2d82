import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, makePodGroup, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const GATES = ['--feature-gates', 'GenericWorkload=true,GangScheduling=true'];

/** @param {number} minCount @param {object} [spec] of the group */
function cluster(minCount, spec = {}) {
  const group = makePodGroup('train', { minCount });
  return makeList(
    makeNode('a', { cpu: '2', labels: { rack: 'r1' } }),
    makeNode('b', { cpu: '1', labels: { rack: 'r2' } }),
    storedPod('low', { spec: { nodeName: 'b' } }),
    { ...group, spec: { ...group.spec, ...spec } },
    ...['w-0', 'w-1', 'w-2', 'w-3'].map((name) =>
      makePod(name, {
        spec: { schedulingGroup: { podGroupName: 'train' }, preemptionPolicy: 'Never' },
      }),
    ),
    makePod('later'),
  );
}

/** @param {object} objects @param {string[]} argv */
const explain = (objects, ...argv) =>
  runCli(['explain', ...argv], { stdin: JSON.stringify(objects) });

test('a pod group that cannot start is explained at its turn', async () => {
  const { code, stdout } = await explain(cluster(4), 'podgroup/train', '-', ...GATES);
  assert.equal(code, 1);
  const refusal = '0/2 nodes are available: 2 Insufficient cpu.';
  const lines = stdout.split('\n');
  assert.deepEqual(lines.slice(0, 3), [
    'default/train cannot start: 1 of 4 pods can run, 3 fewer than minCount 4',
    '- the largest minCount that would pass now is 1',
    `- the blocking pod is default/w-1, number 2 in the order of placement: ${refusal}`,
  ]);
  assert.match(lines[3], /^- nearest node of default\/w-1: a: the pod asks for 1 cpu, 2 of 2 are/);
  assert.deepEqual(lines.slice(4), [
    '- without the others of the group it would get a node',
    '- its pods are alike: their order does not matter',
    '',
    'POD           NODE     WHY NOT',
    'default/w-0   a        <none>',
    `default/w-1   <none>   ${refusal}`,
    `default/w-2   <none>   ${refusal}`,
    `default/w-3   <none>   ${refusal}`,
    '',
  ]);
});

test('a group that starts, and the tables of domains', async () => {
  const started = await explain(cluster(2), 'podgroup/default/train', '-', ...GATES);
  assert.equal(started.code, 0);
  assert.match(started.stdout, /^default\/train starts now: 2 of 4 pods can run\n/);
  const few = await explain(cluster(4), 'podgroup/train', '-', ...GATES, '--limit', '1');
  assert.match(few.stderr, /^3 more pods; --limit 0 shows all\n/m);
  assert.doesNotMatch(few.stdout, /^default\/w-1/m);
  const spec = { schedulingConstraints: { topology: [{ key: 'rack' }] } };
  const gates = ['--feature-gates', `${GATES[1]},TopologyAwareWorkloadScheduling=true`];
  const bound = await explain(cluster(3, spec), 'podgroups/train', '-', ...gates);
  assert.equal(bound.code, 1);
  assert.match(bound.stdout, /\n- of 2 domains of rack r1 takes the most pods: 1, 2 too few\n/);
  assert.match(bound.stdout, /\nDOMAIN +NODES +PODS +WHY NO MORE\nr1 +1 +1 .*\nr2 +1 +0 /);
});

test('without the gate the pods are asked as a gang; JSON and YAML follow the schema', async () => {
  const plain = await explain(cluster(4), 'podgroup/train', '-');
  assert.equal(plain.code, 1);
  assert.match(plain.stdout, /^default\/train cannot start: 2 of 4 pods can run, 2 fewer/);
  assert.match(plain.stderr, /the feature gate GenericWorkload is off/);
  for (const output of ['json', 'yaml']) {
    const { code, stdout } = await explain(cluster(4), 'podgroup/train', '-', '-o', output);
    const [answer] = parse(stdout).objects ?? parse(stdout);
    assert.equal(code, 1);
    assert.deepEqual(validate(schema, answer), []);
    assert.equal(answer.podGroup, 'default/train');
    assert.equal(answer.blocker.pod, 'default/w-2');
  }
});

test('groups that cannot be explained', async () => {
  const near = await explain(cluster(4), 'podgroup/trian', '-');
  assert.equal(near.code, 2);
  assert.match(near.stderr, /there is no PodGroup trian in the input.*train/);
  const node = await explain(cluster(4), 'podgroup/train', '-', '--node', 'a');
  assert.deepEqual([node.code, node.stdout], [2, '']);
  assert.match(node.stderr, /--node is for a pod, not for a pod group/);
});
