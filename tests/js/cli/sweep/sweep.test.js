// Goal: `stowage sweep` answers the same alone, in threads and as shards. Method: the command as it
// is; for shards also as processes that are killed.
import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { failingCluster } from '../../support/failing_clusters.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { folder, file } = await makeFolder();
const ZONE = 'topology.kubernetes.io/zone';
const small = await file(
  'small.json',
  makeList(
    makeNode('a', { cpu: '2', labels: { [ZONE]: 'east' } }),
    makeNode('b', { cpu: '2', labels: { [ZONE]: 'east' } }),
    makeNode('c', { cpu: '2', labels: { [ZONE]: 'west' } }),
    ...['a', 'b', 'c'].map((nodeName, at) =>
      storedPod(`web-${nodeName}`, {
        metadata: { labels: { tier: at === 1 ? 'gold' : 'base' } },
        spec: { nodeName, priority: 10 * at },
      }),
    ),
  ),
);
const seeded = await file('seeded.json', makeList(...failingCluster(5)));
const LOUD = ['--failures', 'nodes:1,zones:1,pairs', '--by-label', 'tier'];
const FAILURES = [...LOUD, '-q'];

/** @param {string[]} argv @param {object} [options] */
const sweep = (argv, options) => runCli(['sweep', ...argv], options);

/** What a single run prints, and its code. @param {string[]} [argv] */
const single = (argv = []) => sweep([seeded, ...FAILURES, '-o', 'json', ...argv]);

test('failures that leave pods pending are listed, the worst first', async () => {
  const argv = [small, '--failures', 'nodes:1,zones:1,pairs', '--by-label', 'tier'];
  const { code, stdout, stderr } = await sweep(argv);
  const why = 'nodes are available: 1 Insufficient cpu.';
  const rows = [
    'FAILURE         DISPLACED   WAITING   BY PRIORITY   TIER      THE FIRST',
    `zone/east       2           1         0: 1          base: 1   default/web-a: 0/1 ${why}`,
    `node/a+node/b   2           1         0: 1          base: 1   default/web-a: 0/1 ${why}`,
    `node/a+node/c   2           1         0: 1          base: 1   default/web-a: 0/1 ${why}`,
    `node/b+node/c   2           1         0: 1          base: 1   default/web-a: 0/1 ${why}`,
  ];
  const weakest = [
    'WEAKEST     FAILURES   WAITING AT MOST   IN ALL',
    'node/a      2          1                 2',
    'node/b      2          1                 2',
    'node/c      2          1                 2',
    'zone/east   1          1                 1',
  ];
  assert.equal(stderr, '');
  assert.equal(
    stdout,
    ['4 of 8 failures leave pods pending', '', ...rows, '', ...weakest, ''].join('\n'),
  );
  assert.equal(code, 1);
});

test('the exit code and the first line say whether it survives', async () => {
  const kept = await sweep([small, '--failures', 'nodes:1']);
  assert.deepEqual([kept.code, kept.stdout], [0, 'none of 3 failures leaves a pod pending\n']);
  const lost = await sweep([small, '--failures', 'zones:1', '-q']);
  assert.deepEqual([lost.code, lost.stdout], [1, '1 of 2 failures leaves pods pending\n']);
  const gold = await sweep([small, '--failures', 'zones:1', '-l', 'tier=gold', '-q']);
  assert.equal(gold.code, 0);
});

test('documents have a schema', async () => {
  const { stdout } = await single();
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const yaml = await sweep([seeded, ...FAILURES, '-o', 'yaml']);
  assert.deepEqual(parse(yaml.stdout), [document]);
});

test('a plan and a snapshot are paths or URLs', async () => {
  const question = 'failures: nodes:1,zones:1,pairs\nbyLabel: tier\n';
  const plan = `apiVersion: stowage/v1\nkind: SweepPlan\n${question}`;
  const snapshot = await readFile(seeded);
  const server = createServer(({ url }, response) => {
    if (url === '/missing') response.statusCode = 404;
    response.end(url === '/plan' ? plan : snapshot);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const at = (path) => `http://127.0.0.1:${port}/${path}`;
  const fetched = await sweep(['--plan', at('plan'), at('snapshot'), '-q', '-o', 'json']);
  assert.deepEqual(fetched, await single());
  const local = await file('plan.yaml', plan);
  assert.deepEqual(await sweep(['--plan', local, seeded, '-q', '-o', 'json']), await single());
  const missing = await sweep([at('missing'), '--failures', 'pairs']);
  assert.match(missing.stderr, /missing: the server answers 404 Not Found/);
  server.close();
  const gone = await sweep([at('snapshot'), '--failures', 'pairs']);
  assert.deepEqual([missing.code, gone.code], [2, 2]);
});

test('threads answer as one thread does', async () => {
  assert.deepEqual(await single(['--workers', '3']), await single());
});

test('merged shards are the single run, byte for byte, in every format', async () => {
  const results = join(folder, 'merged');
  const shards = [seeded, ...FAILURES, '--results', results];
  for (const shard of ['3/3', '1/3'])
    assert.equal((await sweep([...shards, '--shard', shard])).code, 0);
  const gap = await sweep(['merge', results]);
  assert.deepEqual([gap.code, gap.stdout], [2, '']);
  assert.match(gap.stderr, /1 of 3 shards is missing: 2/);
  const env = { JOB_COMPLETION_INDEX: '1' };
  const last = await sweep([...shards, '--shards', '3', '--workers', '2'], { env });
  assert.deepEqual([last.code, last.stdout], [0, '']);
  for (const output of ['json', 'yaml', 'table']) {
    const whole = await sweep([seeded, ...LOUD, '-o', output]);
    const merged = await sweep(['merge', results, '-o', output]);
    assert.deepEqual([merged.code, merged.stdout], [whole.code, whole.stdout], output);
  }
  const names = (await readdir(results)).reverse().map((name) => join(results, name));
  assert.equal((await sweep(['merge', ...names, '-o', 'json'])).stdout, (await single()).stdout);
});

test('finished shards are skipped, damaged ones run again, foreign ones are refused', async () => {
  const results = join(folder, 'skipped');
  const argv = [seeded, '--failures', 'nodes:1', '--results', results, '--shards', '2'];
  const first = await sweep(argv);
  assert.match(first.stderr, /^shard 1\/2 is finished: .*\nshard 2\/2 is finished: /m);
  const path = join(results, 'sweep-1-of-2.ndjson');
  const bytes = await readFile(path, 'utf8');
  assert.match((await sweep(argv)).stderr, /shard 1\/2 was finished before: /);
  await truncate(path, bytes.length - 9);
  const again = await sweep(argv);
  assert.match(again.stderr, /shard 1\/2 is finished: .*\nshard 2\/2 was finished before: /);
  assert.equal(await readFile(path, 'utf8'), bytes);
  for (const other of [
    ['--failures', 'pairs'],
    ['--tie-break', 'name'],
  ]) {
    const foreign = await sweep([...argv, ...other]);
    assert.equal(foreign.code, 2);
    assert.match(foreign.stderr, /shard 1\/2 of another cluster or question is there/);
  }
  const mixed = join(folder, 'mixed');
  await cp(results, mixed, { recursive: true });
  await rm(join(mixed, 'sweep-1-of-2.ndjson'));
  await sweep([small, '--failures', 'nodes:1', '--results', mixed, '--shard', '1/2']);
  const merged = await sweep(['merge', mixed]);
  assert.equal(merged.code, 2);
  assert.match(merged.stderr, /is of other work than shard 1\/2: the cluster, the question/);
});

test('results that cannot be written are a fault of their folder', async () => {
  const results = await file('no-folder', 'text');
  const { code, stderr } = await sweep([small, '--failures', 'nodes:1', '--results', results]);
  assert.equal(code, 2);
  assert.match(stderr, /^error: \S*no-folder\/sweep-1-of-1\.ndjson: ENOTDIR/);
});

test('wrong command lines and plans are exit code 2', async () => {
  const plan = (/** @type {object} */ fields) =>
    JSON.stringify({ apiVersion: 'stowage/v1', kind: 'SweepPlan', ...fields });
  const job = ['job', '--failures', 'pairs', '--shards', '2', '--image', 'i', '--claim', 'c'];
  const cases = [
    [[], '', /sweep needs --failures with a list/],
    [['--failures', 'pairs'], '', /sweep needs a cluster/],
    [[small, '--failures', 'nodes:9'], '', /--failures: .*expected nodes, zones or racks/],
    [[small, '--failures', 'racks:1'], '', /--topology-key: /],
    [[small, '--failures', 'racks:1', '--topology-key', 'x'], '', /no node has this label/],
    [[small, '--failures', 'pairs', '-l', '('], '', /--selector: /],
    [[small, '--failures', 'pairs', '--plan', 'x'], '', /--failures does not go with --plan/],
    [[small, '--plan', 'x', '--by-label', 'y'], '', /--by-label does not go with --plan/],
    [[small, '--failures', 'pairs', '--image', 'x'], '', /--image belongs to "stowage sweep job"/],
    [['--failures', 'pairs', '--context', 'x', '--results', 'y'], '', /--results needs a file/],
    [['merge'], '', /merge needs the folder/],
    [['merge', join(folder, 'nowhere')], '', /no such file/],
    [['merge', small], '', /truncated/],
    [job, '', /job needs one --cluster/],
    [[...job, '--cluster', 'snapshot.json'], '', /a path below \/data/],
    [[...job, 'snapshot.json'], '', /job takes no file/],
    [job.slice(0, 3), '', /job needs --shards, --image and --claim/],
    [[small, '--plan', '-'], plan({}), /failures.* is required/],
    [[small, '--plan', '-'], plan({ failures: 'pairs', more: 1 }), /more.*there are failures/],
    [[small, '--plan', '-'], plan({ failures: 'pairs', byLabel: 1 }), /byLabel.*must be a text/],
    [[small, '--plan', '-'], plan({ kind: 'Plan', failures: 'x' }), /kind.*must be SweepPlan/],
    [[small, '--plan', '-'], '{', /standard input|-: /],
  ];
  for (const [argv, stdin, message] of cases) {
    const { code, stdout, stderr } = await sweep(argv, { stdin });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, message, argv.join(' '));
  }
});
