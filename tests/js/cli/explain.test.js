import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../js/src/manifests.js';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeDump, makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);

test('one pod explained: the matrix at the time of its decision', async () => {
  const objects = makeList(
    makeNode('a', { cpu: '3' }),
    makeNode('b', { cpu: '2' }),
    makeNode('c', { cpu: '0' }),
    ...['p', 'q', 'r', 's', 't', 'u'].map((name) => storedPod(name)),
  );
  const stdin = JSON.stringify(objects);
  const { stdout } = await runCli(['simulate', '-', '--explain', 'q'], { stdin });
  assert.equal(
    stdout,
    [
      'default/q: Scheduled on a',
      '',
      'NODE   VERDICT   TOTAL    NodeResourcesFit',
      'a      chosen    2000     2000',
      'b      fits      2000     2000',
      'c      refused   <none>   Insufficient cpu',
      '',
    ].join('\n'),
  );
  const last = await runCli(['simulate', '-', '--explain', 'pod/u', '--limit', '1'], { stdin });
  assert.match(
    last.stdout,
    /^default\/u: Unschedulable\n0\/3 nodes .*: 3 Insufficient cpu\.\n\nNODE.*\na +refused.*\n$/,
  );
  assert.match(last.stderr, /^2 more nodes; --limit 0 shows all\n/);
  assert.equal((await runCli(['simulate', '-', '--explain', 'none'], { stdin })).code, 2);
});

test('pods that cannot be explained are refused before the work', async () => {
  const theirs = storedPod('theirs', { spec: { schedulerName: 'other' } });
  const stdin = JSON.stringify(makeList(makeNode('a'), storedPod('p'), theirs));
  const cases = [
    [['theirs'], /^error: --explain: pod default\/theirs is for the scheduler other, this one is /],
    [['default/p', '-n', 'shop'], /^error: --explain: pod default\/p is not in namespace shop\n/],
    [['p', '-n', 'shop'], /^error: --explain: there is no pod p in namespace shop\n/],
    [['none'], /^error: --explain: there is no pod none in the input\n/],
  ];
  const loadEngine = async () => assert.fail('the engine is not needed');
  for (const [argv, message] of cases) {
    const { code, stdout, stderr } = await runCli(['simulate', '-', '--explain', ...argv], {
      stdin,
      loadEngine,
    });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, message);
  }
});

test('an evicted pod is explained as it was before, and by whom it was evicted', async () => {
  const objects = makeList(
    makeNode('a', { cpu: '1' }),
    makeNode('b', { cpu: '0' }),
    storedPod('low', { spec: { nodeName: 'a' } }),
    storedPod('vip', { spec: { priority: 9 } }),
  );
  const argv = ['simulate', '-', '--explain', 'low', '--no-headers'];
  const { code, stdout } = await runCli(argv, { stdin: JSON.stringify(objects) });
  assert.equal(
    stdout,
    [
      'default/low: Evicted from a',
      'evicted for default/vip',
      '',
      'a   chosen    <none>   ok',
      'b   refused   <none>   Insufficient cpu',
      '',
    ].join('\n'),
  );
  assert.equal(code, 0);
});

const dump = JSON.stringify(makeDump());

/** @param {string[]} argv */
const explain = (...argv) => runCli(['explain', ...argv], { stdin: dump });

test('explain: the same of one pod alone, and whether it fits', async () => {
  const small = await explain('pod/small', '-');
  assert.match(small.stdout, /^default\/small: Scheduled on a\n\nNODE +VERDICT +TOTAL/);
  assert.deepEqual([small.code, small.stderr], [0, '']);
  const big = await explain('big', '-f', '-', '--limit', '1');
  assert.match(big.stdout, /^default\/big: Unschedulable\n0\/2 nodes are available: /);
  assert.deepEqual([big.code, big.stderr], [1, '1 more nodes; --limit 0 shows all\n']);
  const bound = await explain('bound', '-', '-q');
  assert.match(bound.stdout, /^default\/bound: would be on a\n/);
});

test('explain: one node, in one sentence', async () => {
  const cases = [
    ['small', 'a', 'a was chosen.\n', 0],
    ['big', 'a', 'NodeResourcesFit refuses a: Insufficient cpu.\n', 1],
    ['big', 'b', 'NodeUnschedulable refuses b: node(s) were unschedulable.\n', 1],
  ];
  for (const [pod, node, stdout, code] of cases)
    assert.deepEqual(await explain(pod, '-', '--node', node), { code, stdout, stderr: '' });
  const row = JSON.parse((await explain('big', '-', '--node', 'a', '-o', 'json')).stdout);
  assert.deepEqual([row.node, row.verdict], ['a', 'refused']);
});

test('explain: with --cluster, manifests are applied to it first', async () => {
  const { file } = await makeFolder();
  const cluster = await file('cluster.json', makeList(makeNode('n', { cpu: '1' })));
  const manifest = (/** @type {string} */ cpu) => JSON.stringify(makeList(makePod('web', { cpu })));
  const argv = ['explain', 'web', '-', '--cluster', cluster];
  const fits = await runCli(argv, { stdin: manifest('1') });
  assert.match(fits.stdout, /^default\/web: Scheduled on n\n/);
  assert.equal(fits.code, 0);
  const refused = await runCli(argv, { stdin: manifest('2') });
  assert.match(refused.stdout, /^default\/web: Unschedulable\n0\/1 nodes are available: /);
  assert.equal(refused.code, 1);
  // Without manifests the cluster is all there is.
  const alone = await runCli(['explain', 'small', '--cluster', '-'], { stdin: dump });
  assert.match(alone.stdout, /^default\/small: Scheduled on a\n/);
});

test('explain: as data', async () => {
  const evaluation = JSON.parse((await explain('big', '-', '-o', 'json')).stdout);
  assert.deepEqual(validate(schema, evaluation), []);
  assert.deepEqual(parse((await explain('big', '-', '-o', 'yaml')).stdout), [evaluation]);
});

test('explain: what cannot be explained is exit code 2', async () => {
  const cases = [
    [[], /explain needs a pod/],
    [['small'], /explain needs a cluster/],
    [['none', '-'], /explain: there is no pod none in the input/],
    [['small', '-', '-n', 'shop'], /explain: there is no pod small in namespace shop/],
    [['small', '-', '--node', 'z'], /--node: there is no node z in the input/],
    [['small', '-', '--limit', '-1'], /limit/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await explain(...argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});
