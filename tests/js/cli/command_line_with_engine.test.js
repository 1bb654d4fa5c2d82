import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod } from '../support/objects.js';
import { commandPath } from '../support/real_engine.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const example = 'examples/small-cluster/cluster.json';

/**
 * @param {string[]} argv
 * @param {{ program?: string, stdin?: string }} [options]
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function run(argv, { program = fileURLToPath(commandPath), stdin = '' } = {}) {
  return new Promise((resolve) => {
    // No kubeconfig of this machine is read.
    const env = { ...process.env, KUBECONFIG: '/nowhere' };
    const options = { cwd: root, maxBuffer: 1 << 28, env };
    const child = execFile(process.execPath, [program, ...argv], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin.end(stdin);
  });
}

test('the example cluster: every pending pod gets a decision', async () => {
  const { code, stdout, stderr } = await run(['simulate', example, '-o', 'json']);
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const { summary, pods, leftAlone } = document;
  assert.equal(summary.boundBefore, 37);
  assert.equal(pods.filter(({ result }) => result === 'Undecided').length, 0);
  assert.equal(summary.placed + summary.pending, 18);
  assert.deepEqual(
    leftAlone.map(({ pod }) => pod),
    ['default/fill-2', 'default/fill-8'],
  );
  assert.equal(code, summary.pending > 0 ? 1 : 0);
  assert.match(stderr, new RegExp(`^placed ${summary.placed}, pending ${summary.pending}`, 'm'));
});

test('one pod of the example explained', async () => {
  const argv = ['simulate', example, '--explain', 'fill-24', '--all-plugins', '-q'];
  const { stdout } = await run(argv);
  assert.match(stdout, /^default\/fill-24: /);
  assert.match(stdout, /^node-1 +refused .*node\(s\) were unschedulable/m);
  assert.match(stdout, /^node-2 +refused .*node\(s\) had untolerated taint\(s\)/m);
});

test('four empty nodes of 2 CPU and 4 GB take 52 pods of 150m and 100Mi', async () => {
  const { file } = await makeFolder();
  const allocatable = { cpu: '2', memory: '4Gi', pods: '110' };
  const items = ['a', 'b', 'c', 'd'].map((name) => ({
    ...makeNode(name),
    status: { allocatable },
  }));
  const cluster = await file('cluster.json', { apiVersion: 'v1', kind: 'List', items });
  const resources = { requests: { cpu: '150m', memory: '100Mi' } };
  const pod = makePod('small', { spec: { containers: [{ name: 'c', resources }] } });
  const argv = ['capacity', '-', '--cluster', cluster];
  const { code, stdout } = await run(argv, { stdin: JSON.stringify(pod) });
  assert.match(stdout, /^52 more like default\/small fit, on 4 of 4 nodes\n/);
  assert.equal(code, 0);
  const more = await run([...argv, '--at-least', '53', '-q'], { stdin: JSON.stringify(pod) });
  assert.equal(more.code, 1);
});

test('the CI example annotates the workload that does not fit', async () => {
  const folder = 'examples/ci-check';
  const argv = ['check', '--cluster', `${folder}/snapshot.json`, '-q', '-o', 'github'];
  const all = await run([...argv, `${folder}/manifests`]);
  assert.equal(all.code, 1);
  assert.match(
    all.stdout,
    /^::error file=examples\/ci-check\/manifests\/report.yaml,line=4,col=9,/,
  );
  const web = await run([...argv, `${folder}/manifests/web.yaml`]);
  assert.deepEqual(web, { code: 0, stdout: '', stderr: '' });
});

test('version and help', async () => {
  assert.match(
    (await run(['version'])).stdout,
    /^stowage \d+\.\d+\.\d+ \(kube-scheduler v1\.36\)$/m,
  );
  assert.equal((await run(['simulate', '--help'])).code, 0);
});

test('a bad field is named, once, exit code 2', async () => {
  const { code, stderr } = await run(['simulate', 'tests/js/cli/bad_pod.yaml']);
  assert.equal(code, 2);
  const rule =
    'quantities must match the regular expression ' +
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  assert.deepEqual(stderr.split('\n').slice(0, -2), [
    'error: tests/js/cli/bad_pod.yaml: document 2, line 14, column 16: ' +
      'Pod default/p: spec.containers[0].resources.requests[cpu]: ' +
      `Invalid value: "1x": ${rule}`,
  ]);
});

test('an evicted pod is explained as it was before', async () => {
  const low = makePod('low', { cpu: '4', spec: { nodeName: 'a' } });
  const vip = makePod('vip', { cpu: '3', spec: { priority: 9 } });
  const input = makeList(makeNode('a'), makeNode('b', { cpu: '1' }), low, vip);
  const argv = ['simulate', '-', '--explain', 'low', '-q'];
  const { code, stdout } = await run(argv, { stdin: JSON.stringify(input) });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^default\/low: Evicted from a\nevicted for default\/vip\nonly a fits: .*\n\nNODE /,
  );
  assert.match(stdout, /^a +chosen .* ok$/m);
  assert.match(stdout, /^b +refused .* Insufficient cpu$/m);
});

test('the openb example places pods and names reasons', async () => {
  const program = fileURLToPath(new URL('../../../examples/openb/openb.js', import.meta.url));
  const { code, stdout, stderr } = await run([], { program });
  assert.equal(code, 0);
  assert.deepEqual(stdout.split('\n').slice(0, 4), [
    'openb, default: 8,152 pods, 1,523 nodes',
    'placed  7,144 on 1,489 nodes',
    'pending 1,008',
    '  1,008  Insufficient cpu, Insufficient memory, Insufficient nvidia.com/gpu',
  ]);
  const [, suchAs] = stdout.split('\nsuch as ');
  assert.ok(
    suchAs.startsWith(
      'default/openb-pod-1639: 0/1523 nodes are available: 1502 Insufficient memory, ' +
        '1516 Insufficient nvidia.com/gpu, 1523 Insufficient cpu. ',
    ),
    suchAs,
  );
  assert.match(stderr, /^8152 decisions in [\d.]+ ms, [\d,]+\/s; 9675 objects decoded in /m);
  assert.match(stderr, /^placed 7144, pending 1008, bound before 0 /m);
});
