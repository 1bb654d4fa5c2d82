// Goal: `--kubernetes-version` selects the release in every command that decides, and nothing else
// does. Method: the reason of TaintToleration names the taint in v1.33 only; the commands as they
// are.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createApiServer } from '../../../js/apiserver/index.js';
import { COMMANDS } from '../../../js/src/cli/commands.js';
import { RELEASES } from '../../../js/src/kubernetes/release.js';
import { FACT_TEXTS } from '../../../js/src/kubernetes/release_facts.js';
import { parse } from '../../../js/src/manifests.js';
import { makeFolder } from '../support/folder.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const { engine } = await startNative();
const loadEngine = async () => engine;
const { folder, file } = await makeFolder();
const taints = [{ key: 'k', value: 'v', effect: 'NoSchedule' }];
const tainted = makeNode('tainted', { spec: { taints } });
const owner = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web',
  uid: 'u',
  controller: true,
};
const placed = storedPod('placed', {
  metadata: { ownerReferences: [owner] },
  spec: { nodeName: 'small', containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
});
const waiting = makePod('waiting', { cpu: '2' });
const cluster = await file(
  'cluster.json',
  makeList(tainted, makeNode('small', { cpu: '1' }), placed, { ...waiting, kind: 'Pod' }),
);
const pod = await file('pod.json', makePod('new', { cpu: '2' }));
const trace = await file('trace.json', makeList(makePod('t-0'), makePod('t-1')));
const pool = await file('pool.json', makeNode('pool', { cpu: '8' }));
const config = new URL('../../../examples/two-configurations/binpack.yaml', import.meta.url)
  .pathname;

/** Commands whose answer repeats kube-scheduler's reason. @type {Record<string, string[]>} */
const REASONS = {
  simulate: [cluster],
  explain: ['pod/waiting', cluster],
  check: [pod, '--cluster', cluster],
  capacity: ['-f', pod, '--cluster', cluster],
  sweep: [cluster, '--failures', 'nodes:1'],
  whatif: ['--cluster', cluster, '--without-node', 'small'],
  drain: ['small', '--cluster', cluster],
};

/** Commands whose answer has the release alone. @type {Record<string, string[]>} */
const NAMED = {
  fix: ['pod/waiting', cluster],
  plan: ['--pool', pool, '--cluster', cluster],
  repack: ['--cluster', cluster],
  tune: ['-f', trace, '--cluster', cluster, '--weight', 'NodeResourcesFit=1,5'],
  diff: [cluster, '--config', config],
};

const NAMES_TAINT = /untolerated taint \{k: v\}/;
const FIXED = /untolerated taint\(s\)/;

/** @param {string[]} argv @param {object} [options] */
const run = (argv, options) => runCli(argv, { loadEngine, ...options });

for (const [command, argv] of Object.entries(REASONS)) {
  test(`${command} decides as the release of --kubernetes-version`, async () => {
    const cases = /** @type {const} */ ([
      [[], 'v1.36', FIXED, NAMES_TAINT],
      [['--kubernetes-version', '1.36'], 'v1.36', FIXED, NAMES_TAINT],
      [['--kubernetes-version=v1.33.4'], 'v1.33', NAMES_TAINT, FIXED],
    ]);
    for (const [flags, release, there, absent] of cases) {
      const { stdout, stderr } = await run([command, ...argv, ...flags, '-o', 'json']);
      const text = stdout || stderr;
      assert.equal(JSON.parse(text).kubernetesVersion, release);
      assert.match(text, there);
      assert.doesNotMatch(text, absent);
    }
  });
}

for (const [command, argv] of Object.entries(NAMED)) {
  test(`${command} answers with the release of --kubernetes-version`, async () => {
    for (const [flags, release] of /** @type {const} */ ([
      [[], 'v1.36'],
      [['--kubernetes-version', 'v1.34'], 'v1.34'],
    ])) {
      const { stdout, stderr } = await run([command, ...argv, ...flags, '-o', 'json']);
      assert.equal(JSON.parse(stdout || stderr).kubernetesVersion, release, stderr);
    }
  });
}

/** Commands that read or print without a scheduler. */
const WITHOUT = ['snapshot', 'completion', 'version'];

test('every command has the flag, except those that do not decide', () => {
  const without = COMMANDS.map(({ manual }) => manual)
    .filter(({ flags }) => !('kubernetes-version' in flags))
    .map(({ name }) => name);
  assert.deepEqual(without, WITHOUT);
});

test('an unknown release is an error that lists the supported ones', async () => {
  for (const { manual } of COMMANDS) {
    if (WITHOUT.includes(manual.name)) continue;
    const argv = REASONS[manual.name] ?? NAMED[manual.name] ?? [];
    const given = manual.name === 'replay' ? ['run.ndjson'] : argv;
    const { code, stderr } = await run([manual.name, ...given, '--kubernetes-version', '1.32']);
    const [first] = stderr.split('\n');
    assert.equal(code, 2);
    const known = '1.33, 1.34, 1.35, 1.36, 1.37-preview';
    assert.equal(first, `error: --kubernetes-version is one of ${known}, not "1.32"`);
  }
});

test('the flag knows the releases that the engine supports', () => {
  assert.deepEqual(
    engine.releases.map(({ version }) => version),
    RELEASES.map((name) => `v${name}`),
  );
});

test('the help names the release that decides by default', () => {
  for (const { manual } of COMMANDS) {
    // A log names its release.
    if (WITHOUT.includes(manual.name) || manual.name === 'replay') continue;
    const [, named] = /\(default ([^)]+)\)/.exec(manual.flags['kubernetes-version'].help) ?? [];
    assert.equal(`v${named}`, engine.kubernetesVersion, manual.name);
  }
});

test('a log is replayed as its release, and refused as another', async () => {
  const log = join(folder, 'run.ndjson');
  await run(['simulate', cluster, '--kubernetes-version', '1.33', '--record', log, '-q']);
  const header = JSON.parse((await readFile(log, 'utf8')).split('\n')[0]);
  assert.equal(header.kubernetesVersion, 'v1.33');
  for (const flags of [[], ['--kubernetes-version', '1.33']])
    assert.equal((await run(['replay', log, ...flags])).code, 0);
  const { code, stderr } = await run(['replay', log, '--kubernetes-version', '1.34']);
  assert.equal(code, 2);
  assert.match(stderr, /line 1 of the log: the log is from v1\.33, not from v1\.34\n/);
});

test('threads and shards of a sweep are of the release', async () => {
  const argv = ['sweep', cluster, '--failures', 'nodes:1', '--kubernetes-version', '1.33'];
  const alone = (await run([...argv, '-o', 'json'])).stdout;
  const inThreads = await runCli([...argv, '-o', 'json', '--workers', '2'], { loadEngine });
  assert.equal(inThreads.stdout, alone);
  const results = join(folder, 'results');
  for (const shard of ['1/2', '2/2'])
    assert.equal((await run([...argv, '--results', results, '--shard', shard, '-q'])).code, 0);
  const merged = ['sweep', 'merge', results, '-o', 'json'];
  assert.equal((await run(merged)).stdout, alone);
  const other = await run([...merged, '--kubernetes-version', '1.34']);
  assert.equal(other.code, 2);
  assert.equal(other.stderr, 'error: the shards are of v1.33, not of v1.34\n');
  const newest = ['sweep', cluster, '--failures', 'nodes:1', '--results', results, '-q'];
  const mixed = await run([...newest, '--shard', '1/2']);
  assert.equal(mixed.code, 2, 'a shard of another release is not overwritten');
});

test('the Job of a sweep has the release', async () => {
  const argv = ['sweep', 'job', '--failures', 'pairs', '--shards', '2', '--image', 'i'];
  const claim = ['--claim', 'c', '--cluster', '/data/snapshot.json'];
  const job = await run([...argv, ...claim, '--kubernetes-version', '1.34.1']);
  assert.match(job.stdout, /- --kubernetes-version=v1\.34\n/);
  assert.doesNotMatch((await run([...argv, ...claim])).stdout, /kubernetes-version/);
});

/** @param {string} gitVersion of the API server @param {string} text the objects */
function connectionsTo(gitVersion, text) {
  const server = createApiServer({ objects: parse(text), controllers: [] });
  const fetch = async (/** @type {any} */ url, /** @type {any} */ init) => {
    if (new URL(url.url ?? url).pathname !== '/version') return server.fetch(url, init);
    return gitVersion === '' ? new Response('', { status: 403 }) : Response.json({ gitVersion });
  };
  const loadKubeconfig = async () => ({ baseUrl: 'http://apiserver.test', fetch });
  return { server, connections: { loadKubeconfig } };
}

test('the release of a live cluster is compared, and not taken', async (t) => {
  const text = await readFile(cluster, 'utf8');
  const decides = 'kube-scheduler v1.36 decides';
  const cases = /** @type {const} */ ([
    ['v1.36.2', [], '', FIXED],
    [
      'v1.33.1-gke.7',
      [],
      `warning: the API server is of v1.33.1-gke.7, and ${decides}; --kubernetes-version 1.33 ` +
        'decides as its scheduler does\n',
      FIXED,
    ],
    ['v1.33.1-gke.7', ['--kubernetes-version', '1.33'], '', NAMES_TAINT],
    [
      'v1.31.0',
      [],
      `warning: the API server is of v1.31.0, and ${decides}; there are ${RELEASES.join(', ')}\n`,
      FIXED,
    ],
    ['', [], '', FIXED],
  ]);
  for (const [gitVersion, flags, warning, reason] of cases) {
    const { server, connections } = connectionsTo(gitVersion, text);
    t.after(() => server.dispose());
    const argv = ['explain', 'pod/waiting', '--context', 'c', '-q', ...flags];
    const { stdout, stderr } = await run(argv, { connections });
    assert.equal(stderr, warning);
    assert.match(stdout, reason);
  }
});

test('a snapshot names its release, and to decide as another is a warning', async (t) => {
  const { server, connections } = connectionsTo('v1.33.1-gke.7', await readFile(cluster, 'utf8'));
  t.after(() => server.dispose());
  const live = await run(['snapshot', '--context', 'c', '-q'], { connections });
  assert.deepEqual([live.code, live.stderr], [0, '']);
  assert.equal(JSON.parse(live.stdout).kubernetesVersion, 'v1.33');
  const snapshot = await file('snapshot.json', live.stdout);
  const warning =
    `warning: ${snapshot} is of v1.33, and kube-scheduler v1.36 decides; ` +
    '--kubernetes-version 1.33 decides as its scheduler does\n';
  const explain = ['explain', 'pod/waiting', snapshot, '-q'];
  const newest = await run(explain);
  assert.equal(newest.stderr, warning);
  assert.match(newest.stdout, FIXED);
  const own = await run([...explain, '--kubernetes-version', '1.33']);
  assert.equal(own.stderr, '');
  assert.match(own.stdout, NAMES_TAINT);
  for (const flags of [[], ['--anonymize'], ['-o', 'yaml']]) {
    const again = await run(['snapshot', snapshot, '-q', ...flags]);
    const text = await file('again', again.stdout);
    assert.match((await run(['simulate', text, '-q'])).stderr, / is of v1\.33, and /);
  }
  const checked = await run(['check', pod, '--cluster', snapshot, '-o', 'json', '-q']);
  assert.equal(`warning: ${JSON.parse(checked.stdout).warnings[0]}\n`, warning);
  const dump = await run(['snapshot', cluster, '-q']);
  assert.equal('kubernetesVersion' in JSON.parse(dump.stdout), false);
});

test('the snapshot of a scheduler names the release that decided', () => {
  const older = engine.createScheduler({ kubernetesVersion: '1.34' });
  const snapshot = older.snapshot();
  assert.equal(snapshot.kubernetesVersion, 'v1.34');
  engine.createScheduler().apply(snapshot);
});

test('--version lists the releases with their patches, and the facts', async () => {
  const short = (await run(['--version'])).stdout.split('\n');
  assert.match(short[0], /^stowage \d+\.\d+\.\d+ \(kube-scheduler v1\.36\)$/);
  assert.match(
    short[1],
    /^releases: v1\.33\.\d+, v1\.34\.\d+, v1\.35\.\d+, v1\.36\.\d+, v1\.37-preview$/,
  );
  const long = (await run(['--version', '-v'])).stdout;
  for (const { name, since } of engine.releaseFacts) {
    const proof = FACT_TEXTS[name].scenario ? 'recorded' : 'not recorded';
    assert.match(long, new RegExp(`^${since} +${name} +${proof} +\\S`, 'm'));
  }
  assert.match(long, /^v1\.36 +balanced-allocation +recorded +PR 135573 +NodeRes/m);
});

const NOTE = 'note: DynamicResources mattered here, which no recordings of this release prove\n';
const apiVersion = 'resource.k8s.io/v1';
const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
const claim = {
  apiVersion,
  kind: 'ResourceClaim',
  metadata: { name: 'gpu', namespace: 'default' },
  spec: { devices: { requests } },
};
const deviceClass = { apiVersion, kind: 'DeviceClass', metadata: { name: 'gpu' } };
const claims = { resourceClaims: [{ name: 'r', resourceClaimName: 'gpu' }] };
const withDevice = (/** @type {string} */ name) => ({
  ...makePod(name, { spec: claims }),
  apiVersion: 'v1',
  kind: 'Pod',
});
const devices = await file(
  'devices.json',
  makeList(makeNode('small', { cpu: '1' }), makeNode('large'), claim, deviceClass, placed, {
    ...withDevice('waiting'),
  }),
);
const devicePod = await file('device_pod.json', withDevice('new'));
const deviceTrace = await file('device_trace.json', makeList(withDevice('t-0'), withDevice('t-1')));

/** @type {Record<string, string[]>} */
const DEVICES = {
  simulate: [devices],
  explain: ['pod/waiting', devices],
  check: [devicePod, '--cluster', devices],
  capacity: ['-f', devicePod, '--cluster', devices],
  fix: ['pod/waiting', devices],
  tune: ['-f', deviceTrace, '--cluster', devices, '--weight', 'NodeResourcesFit=1,5'],
  diff: [devices, '--config', config],
  'diff of releases': ['diff', devices, '--kubernetes-version', '1.36'],
};

for (const [name, argv] of Object.entries(DEVICES)) {
  test(`${name} says for people that no recordings prove decisions about devices`, async () => {
    const command = name.includes(' ') ? argv : [name, ...argv];
    const old = await run([...command, '--kubernetes-version', '1.34']);
    assert.equal(old.stderr.split(NOTE).length, 2, old.stderr);
    const quiet = await run([...command, '--kubernetes-version', '1.34', '-q']);
    assert.doesNotMatch(quiet.stderr, /recordings/);
    if (name === 'diff of releases') return;
    const newest = await run(command);
    assert.doesNotMatch(newest.stderr, /recordings/);
  });
}
