// Goal: both targets say the same of who is in the way, and `explain` prints it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestNode } from '../../../js/src/index.js';
import { makeFolder } from '../support/folder.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';
import { unschedulable } from '../support/unschedulable.js';

const { file } = await makeFolder();
const DB = storedPod('db', { cpu: '3', spec: { nodeName: 'a' } });
const CLUSTER = [
  makeNode('a', { cpu: '4' }),
  makeNode('b', { spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] } }),
  makeNode('c', { cpu: '1', spec: { unschedulable: true } }),
  DB,
];

test('both targets name the nearest node, on demand', async (t) => {
  const answers = [];
  for (const start of Object.values(TARGETS)) {
    const { engine } = await start();
    const scheduler = engine.createScheduler();
    t.after(() => scheduler.dispose());
    scheduler.apply(CLUSTER);
    const pod = makePod('web', { cpu: '2' });
    const evaluation = scheduler.evaluate(pod, { culprits: true });
    assert.equal(
      nearestNode(evaluation),
      'b: the pod does not tolerate the taint gpu=yes:NoSchedule',
    );
    assert.deepEqual(
      evaluation.culprits?.map(({ node, plugin }) => `${node} ${plugin}`),
      ['b TaintToleration', 'a NodeResourcesFit', 'c NodeUnschedulable', 'c NodeResourcesFit'],
    );
    assert.equal(scheduler.evaluate(pod).culprits, undefined);
    answers.push(evaluation);
  }
  assert.deepEqual(answers[0], answers[1]);
});

test('a summary has the culprits that nodes have', async () => {
  const { engine } = await TARGETS.native();
  for (let seed = 0; seed < 60; seed++) {
    const { objects, pod } = unschedulable(seed);
    const scheduler = engine.createScheduler();
    scheduler.apply(objects);
    delete pod.spec.schedulingGates;
    const plain = scheduler.evaluate(pod, { culprits: true, everyNode: true });
    // A summary has no verdicts on nodes that PreFilter excludes.
    const isWhole = plain.node === null && !plain.preFilterResult;
    for (let time = 0; time < 2 && isWhole; time++) {
      const short = scheduler.evaluate(pod, { culprits: true, detail: 'summary' });
      assert.deepEqual(short.culprits, plain.culprits, `seed ${seed}`);
      assert.deepEqual(short.refusedBy, plain.refusedBy, `seed ${seed}`);
    }
    scheduler.dispose();
  }
});

test('explain prints them below the matrix, the nearest node first', async () => {
  const stdin = JSON.stringify(makeList(...CLUSTER, makePod('web', { cpu: '2' })));
  const loadEngine = async () => (await TARGETS.wasm()).engine;
  const { code, stdout } = await runCli(['explain', 'web', '-'], { stdin, loadEngine });
  assert.equal(code, 1);
  const table = stdout.slice(stdout.indexOf('WHY NOT')).trimEnd().split('\n').slice(1);
  assert.match(table[0], /^b +TaintToleration +the pod does not tolerate the taint gpu=yes:/);
  assert.match(table[1], /^a +NodeResourcesFit +.* 3 of 4 are taken, most by default\/db 3: 1 /);
  assert.equal(table.length, 4);
  const one = await runCli(['explain', 'web', '-', '--limit', '1'], { stdin, loadEngine });
  assert.match(one.stdout, /WHY NOT\nb [^\n]*\n$/);
});

test('simulate groups the pods that wait for one reason, and names the nearest node', async () => {
  const pods = ['web-0', 'web-1', 'web-2'].map((name) => makePod(name, { cpu: '2' }));
  const stdin = JSON.stringify(makeList(...CLUSTER, ...pods, makePod('huge', { cpu: '99' })));
  const loadEngine = async () => (await TARGETS.wasm()).engine;
  const { stderr } = await runCli(['simulate', '-'], { stdin, loadEngine });
  const [group, nearest, ofHuge] = stderr.split('\n');
  assert.match(
    group,
    /^3 pods wait \(default\/web-0, default\/web-1, default\/web-2\): 0\/3 nodes /,
  );
  const taint = 'the pod does not tolerate the taint gpu=yes:NoSchedule';
  assert.equal(nearest, `nearest node of default/web-0: b: ${taint}`);
  assert.match(ofHuge, /^nearest node of default\/huge: a: the pod asks for 99 cpu, /);
  const { stdout } = await runCli(['simulate', '-', '-o', 'json'], { stdin, loadEngine });
  const { waiting } = JSON.parse(stdout);
  assert.deepEqual(
    waiting.map((/** @type {any} */ group) => [group.pods.length, group.nearest.slice(0, 2)]),
    [
      [3, 'b:'],
      [1, 'a:'],
    ],
  );
});

test('check names the node that is nearest to a pod that waits', async () => {
  const cluster = await file('cluster.json', makeList(...CLUSTER));
  const containers = [{ name: 'c', image: 'a', resources: { requests: { cpu: '2' } } }];
  const stdin = JSON.stringify(makeList(makePod('web', { spec: { containers } })));
  const loadEngine = async () => (await TARGETS.wasm()).engine;
  const argv = ['check', '-', '--cluster', cluster];
  const table = await runCli(argv, { stdin, loadEngine });
  assert.equal(table.code, 1);
  const why = 'b: the pod does not tolerate the taint gpu=yes:NoSchedule';
  assert.ok(table.stdout.includes(`Nearest node ${why}.`), table.stdout);
  const { stdout } = await runCli([...argv, '-o', 'json'], { stdin, loadEngine });
  assert.equal(JSON.parse(stdout).workloads[0].nearest, why);
});
