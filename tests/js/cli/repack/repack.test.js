import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();

/** @param {string} name @param {string} node */
function owned(name, node) {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web' };
  const ownerReferences = [{ ...owner, controller: true }];
  return storedPod(name, { metadata: { ownerReferences }, spec: { nodeName: node } });
}

const cluster = await file(
  'cluster.json',
  makeList(
    makeNode('a', { labels: { price: '1' } }),
    makeNode('b', { labels: { price: '3' } }),
    makeNode('c', { labels: { price: '2' } }),
    owned('on-a', 'a'),
    owned('on-b', 'b'),
    storedPod('bare', { spec: { nodeName: 'c' } }),
  ),
);

/** @param {string[]} argv */
const repack = (argv) => runCli(['repack', '--cluster', cluster, ...argv]);

test('repack reports the moves, and why other nodes stay', async () => {
  const { code, stdout, stderr } = await repack(['--price', 'price']);
  assert.equal(
    stdout,
    [
      '2 nodes can be emptied with 2 moves, which saves 4: b, a',
      '2 nodes tried; replayed from scratch',
      '',
      'STEP   POD            FROM   TO',
      '1      default/on-b   b      c',
      '2      default/on-a   a      c',
      '',
      'STAYS   WHY                     POD            MESSAGE',
      'c       a pod cannot be moved   default/bare   cannot delete Pods that declare no ' +
        'controller (use --force to override)',
      '',
    ].join('\n'),
  );
  assert.deepEqual([code, stderr], [0, '']);
});

test('--empty and --keep decide the exit code', async () => {
  const cases = [
    [['--empty', '1'], 0, '1 node can be emptied with 1 move: a\n'],
    [['--empty', '1', '--keep', 'a'], 0, '1 node can be emptied with 1 move: b\n'],
    [['--empty', '3'], 1, 'only 2 nodes can be emptied with 2 moves: a, b\n'],
    [['--keep', 'a', '--keep', 'b'], 1, 'no node can be emptied\n'],
  ];
  for (const [argv, code, stdout] of cases) {
    const answer = await repack(['-q', ...argv]);
    assert.deepEqual([answer.code, answer.stdout], [code, stdout], argv.join(' '));
  }
});

test('formats', async () => {
  const document = JSON.parse((await repack(['-o', 'json'])).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual([document.replayed, document.sameNodes], [true, true]);
  assert.deepEqual(parse((await repack(['-o', 'yaml'])).stdout), [document]);
});

test('bad input is exit code 2', async () => {
  const cases = [
    [['--empty', '0'], /--empty is a whole number from 1/],
    [['--keep', 'none'], /--keep: there is no node "none" in the cluster/],
    [['--price', 'cost'], /--price: node a lacks the label cost/],
    [['--price', 'kubernetes.io/hostname'], /--price: node a has no number in the label/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await repack(argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
  const without = await runCli(['repack']);
  assert.match(without.stderr, /repack needs a cluster/);
});
