import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../js/src/manifests.js';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();
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

/** @param {string[]} argv */
const tune = (argv) => runCli(['tune', '-f', trace, '--cluster', cluster, ...argv]);

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
});

test('formats', async () => {
  const argv = ['--strategy', 'MostAllocated'];
  const document = JSON.parse((await tune([...argv, '-o', 'json'])).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual(parse((await tune([...argv, '-o', 'yaml'])).stdout), [document]);
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
