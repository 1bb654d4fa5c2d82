import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { folder, file } = await makeFolder();
const cluster = await file('cluster.json', makeList(makeNode('a'), makeNode('b')));
const trace = await file(
  'trace.json',
  makeList(
    ...[0, 1].flatMap((round) => [
      makePod(`s${round}-0`, { cpu: '500m' }),
      makePod(`s${round}-1`, { cpu: '500m' }),
      makePod(`b${round}`, { cpu: '4' }),
    ]),
  ),
);

/** @param {string[]} argv @param {object} [options] */
const tune = (argv, options) =>
  runCli(['tune', '-f', trace, '--cluster', cluster, ...argv], options);

test('tune compares the best configuration on the rest of the trace', async () => {
  const argv = ['--strategy', 'MostAllocated', '--weight', 'NodeResourcesFit=20'];
  const { code, stdout, stderr } = await tune([...argv, '--hold-out', '50']);
  assert.equal(
    stdout,
    [
      'NodeResourcesFit=20 MostAllocated is better, also on the rest of the trace',
      '',
      'ON THE REST                         PLACED   PODS   FRAGMENTATION',
      'NodeResourcesFit=20 MostAllocated   3        3      33.3 %',
      'as it is                            2        3      33.3 %',
      '',
      'ON THE FIRST PART                   PLACED   PODS   FRAGMENTATION',
      'NodeResourcesFit=20 MostAllocated   3        3      33.3 %',
      'as it is                            2        3      33.3 %',
      '',
    ].join('\n'),
  );
  assert.deepEqual([code, stderr], [0, '']);
});

test('without a better configuration the exit code is 1', async () => {
  const { code, stdout } = await tune(['-q', '--weight', 'ImageLocality=2']);
  assert.deepEqual([code, stdout], [1, 'the configuration as it is is the best\n']);
  const table = (await tune(['--weight', 'ImageLocality=2'])).stdout;
  assert.match(table, /^ON THE REST .*\nas it is .*\n\nON THE FIRST PART /m);
});

test('formats', async () => {
  const argv = ['--strategy', 'MostAllocated'];
  const document = JSON.parse((await tune([...argv, '-o', 'json'])).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual(parse((await tune([...argv, '-o', 'yaml'])).stdout), [document]);
});

test('threads and merged shards print what a single run prints', async () => {
  const strategies = ['--strategy', 'LeastAllocated,MostAllocated', '--hold-out', '50'];
  const argv = [...strategies, '--weight', 'NodeResourcesFit=1,20'];
  const single = await tune(argv);
  assert.equal(single.code, 0);
  assert.deepEqual(await tune([...argv, '--workers', '2']), single);
  const results = join(folder, 'results');
  const shards = [...argv, '-q', '--results', results];
  for (const shard of ['3/3', '1/3'])
    assert.deepEqual(await tune([...shards, '--shard', shard]), {
      code: 0,
      stdout: '',
      stderr: '',
    });
  const gap = await runCli(['tune', 'merge', results]);
  assert.match(gap.stderr, /1 of 3 shards is missing: 2/);
  const env = { SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_COUNT: '3' };
  assert.equal((await tune(shards, { env })).code, 0);
  assert.deepEqual(await runCli(['tune', 'merge', results]), single);
  const foreign = await tune([...argv, '--hold-out', '40', '--results', results, '--shard', '1/3']);
  assert.match(foreign.stderr, /shard 1\/3 of another cluster or question is there/);
  const sweep = await runCli(['sweep', 'merge', results]);
  assert.match(sweep.stderr, /this is a shard of Tune, not of Sweep/);
});

test('bad input is exit code 2', async () => {
  const cases = [
    [[], /tune needs something to try/],
    [['--weight', 'NodeResourcesFit'], /--weight is such as NodeResourcesFit=1,5/],
    [['--strategy', 'Other'], /--strategy is one of LeastAllocated, MostAllocated/],
    [['--weight', 'None=1'], /a configuration to try is invalid: .*None/],
    [['--weight', 'ImageLocality=1', '--hold-out', '100'], /--hold-out is a whole number from 1/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await tune(argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});

test('a pod of the trace that the engine refuses is named with its place', async () => {
  const text = JSON.stringify(makeList(makePod('p', { cpu: '1' }), makePod('q', { cpu: '1x' })));
  const bad = await file('bad.json', text);
  const { code, stdout, stderr } = await runCli([
    ...['tune', '-f', bad, '--cluster', cluster],
    ...['--weight', 'ImageLocality=2', '--validate', 'ignore'],
  ]);
  assert.deepEqual([code, stdout], [2, '']);
  const place = `document 1, line 1, column ${text.indexOf('"1x"') + 1}`;
  assert.ok(
    stderr.startsWith(`error: ${bad}: ${place}: Pod default/q: spec.containers[0]`),
    stderr,
  );
});
