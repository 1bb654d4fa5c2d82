// Goal: two configurations are compared pod by pod, and why is told in a few words that are true.
// Method: the real engine with configurations that turn known scales.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../js/src/manifests.js';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, storedPod as podOf } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startNative();
const loadEngine = async () => engine;
const { file } = await makeFolder();

/** @param {string} name @param {{ spec?: object }} [options] */
function storedPod(name, options = {}) {
  const spec = { schedulerName: 'default-scheduler', ...options.spec };
  return podOf(name, { ...options, spec });
}

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const spread = await file('default.yaml', HEAD);
const pack = await file(
  'binpack.yaml',
  `${HEAD}profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args: { scoringStrategy: { type: MostAllocated, resources: [{ name: cpu, weight: 1 }] } }
`,
);
const blind = await file(
  'blind.yaml',
  `${HEAD}profiles:\n- plugins: { multiPoint: { disabled: [{ name: TaintToleration }] } }\n`,
);

/** Half full and empty: spreading takes the empty one, packing the other. */
const cluster = makeList(
  makeNode('empty'),
  makeNode('half'),
  storedPod('there', { cpu: '2', spec: { nodeName: 'half' } }),
  storedPod('small', { cpu: '500m' }),
);

/** @param {object} objects @param {string[]} argv */
const diff = (objects, ...argv) =>
  runCli(['diff', '-', ...argv], { stdin: JSON.stringify(objects), loadEngine });

test('a pod that moves, and the scores that turned', async () => {
  const { code, stdout, stderr } = await diff(cluster, '--config', spread, '--config', pack);
  const [head, row] = stdout.split('\n').map((line) => line.split(/ {3,}/));
  assert.deepEqual(head, ['POD', 'default.yaml', 'binpack.yaml', 'WHY']);
  assert.deepEqual(row.slice(0, 3), ['default/small', 'empty', 'half']);
  assert.match(row[3], /^NodeResourcesFit on half \d+ → 62; half leads empty by \d+$/);
  assert.equal(stderr, '1 of 1 pod differs: 1 moved\n');
  assert.equal(code, 1);
});

test('the same is exit code 0, without a table', async () => {
  const { code, stdout, stderr } = await diff(cluster, '--config', spread, '--config', spread);
  assert.deepEqual([code, stdout, stderr], [0, '', '0 of 1 pod differ\n']);
});

test('one configuration is held against the defaults', async () => {
  const { stdout } = await diff(cluster, '--config', pack);
  assert.match(stdout, /^POD {13}defaults {3}binpack\.yaml {3}WHY\n/);
});

test('newly placed, newly pending, and who refuses the old node', async () => {
  const taints = [{ key: 'gold', effect: 'NoSchedule' }];
  const tainted = { ...makeNode('gold', { cpu: '8' }), spec: { taints } };
  const big = makeList(makeNode('small', { cpu: '2' }), tainted, storedPod('big', { cpu: '4' }));
  const placed = await diff(big, '--config', spread, '--config', blind);
  assert.match(placed.stdout, /^default\/big {3}<none> +gold +before: 0\/2 nodes are available: /m);
  assert.match(placed.stderr, /: 1 newly placed\n$/);
  const pending = await diff(big, '--config', blind, '--config', spread);
  assert.match(pending.stdout, /^default\/big {3}gold +<none> +0\/2 nodes are available: /m);
  assert.match(pending.stderr, /: 1 newly pending\n$/);
  const either = makeList(makeNode('small', { cpu: '2' }), tainted, storedPod('p', { cpu: '1' }));
  const there = await diff(either, '--config', blind, '--config', spread);
  assert.match(
    there.stdout,
    /^default\/p +gold +small +TaintToleration refuses gold: node\(s\) had untolerated taint/m,
  );
  const back = await diff(either, '--config', spread, '--config', blind);
  assert.match(back.stdout, /^default\/p +small +gold +before: TaintToleration refuses gold: /m);
});

test('as data, valid', async () => {
  const argv = ['--config', spread, '--config', pack];
  const document = JSON.parse((await diff(cluster, ...argv, '-o', 'json')).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual(document.configurations, ['default.yaml', 'binpack.yaml']);
  assert.deepEqual(document.summary, { pods: 1, differ: 1 });
  assert.deepEqual([document.pods[0].pod, document.pods[0].change], ['default/small', 'Moved']);
  assert.deepEqual(parse((await diff(cluster, ...argv, '-o', 'yaml')).stdout), [document]);
  const elsewhere = await diff(cluster, ...argv, '-n', 'elsewhere');
  assert.deepEqual([elsewhere.code, elsewhere.stdout], [0, '']);
});

test('bad input is exit code 2', async () => {
  const bad = await file('bad.yaml', 'bogus: 1\n');
  const cases = [
    [['diff', '-'], /diff needs --config once or twice, not 0 times/],
    [['diff', '--config', spread], /diff needs a cluster/],
    [['diff', '-', '--config', 'a', '--config', 'b', '--config', 'c'], /not 3 times/],
    [['diff', '-', '--config', bad], /bad\.yaml: Object 'Kind' is missing in/],
    [['diff', '-', '--scheduler-name', 'x', '--config', spread], /unknown flag --scheduler-name/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await runCli(argv, { stdin: '[]', loadEngine });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});
