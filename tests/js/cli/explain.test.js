import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeList, makeNode, storedPod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';

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
