// Goal: `stowage run` schedules until its signal, logs as kube-scheduler does, and ends with the
// right exit code. Method: the native engine against the embedded API server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseRunArguments } from '../../../../js/src/cli/run/arguments.js';
import { untilStopped } from '../../../../js/src/cli/stop_signals.js';
import { ConfigurationError, EngineError } from '../../../../js/src/kubernetes/errors.js';
import { DisturbedApiServer } from '../../support/disturbed_apiserver.js';
import { makeFolder } from '../../support/folder.js';
import { makeNode, storedPod } from '../../support/objects.js';
import { startNative } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const { engine } = await startNative();
const { folder, file } = await makeFolder();

/** A cluster with one node and one pod that fits there. */
function makeCluster() {
  const server = new DisturbedApiServer();
  server.put(makeNode('n1', { cpu: '4' }));
  server.put(storedPod('a', { spec: { schedulerName: 'default-scheduler' } }));
  return server;
}

/**
 * Runs the command until its log matches `until`, and aborts its signal then.
 * @param {string[]} argv
 * @param {{ server?: DisturbedApiServer, until?: RegExp, onUntil?: () => void, env?: object,
 *   connections?: object, loadEngine?: any }} [options]
 */
async function runCommand(argv, options = {}) {
  const { server = makeCluster(), until = /Successfully bound/, env = {} } = options;
  const stop = new AbortController();
  const { onUntil = () => stop.abort() } = options;
  const told = { kubeconfig: /** @type {any[]} */ ([]), inCluster: 0, listen: [], closed: 0 };
  const cluster = { baseUrl: 'http://apiserver.test', fetch: server.fetch };
  const connections = {
    loadKubeconfig: async (/** @type {any[]} */ ...args) => {
      told.kubeconfig.push(args);
      return cluster;
    },
    inClusterConfig: async () => {
      told.inCluster += 1;
      return cluster;
    },
    listen: async (/** @type {any} */ handler, /** @type {any} */ where) => {
      /** @type {any[]} */ (told.listen).push({ handler, where });
      return { url: `http://${where.host}:${where.port}`, close: () => (told.closed += 1) };
    },
    ...options.connections,
  };
  let isSeen = false;
  const result = await runCli(['run', ...argv], {
    connections,
    env,
    signal: stop.signal,
    loadEngine: options.loadEngine ?? (async () => engine),
    onWrite: (text) => {
      if (isSeen || !until.test(text)) return;
      isSeen = true;
      onUntil();
    },
  });
  return { ...result, server, told };
}

test('run binds, logs it, and ends with its signal', async () => {
  const { code, stdout, stderr, server, told } = await runCommand([
    '--scheduler-name',
    'default-scheduler',
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, '');
  const lines = stderr.trim().split('\n');
  for (const line of lines)
    assert.match(line, /^[IE]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ stowage:1\] ".*"( \w+=.*)*$/);
  const messages = lines.map((line) => line.slice(line.indexOf('] ') + 2));
  assert.match(messages[0], /^"Serving health and metrics" url="http:\/\/127.0.0.1:10259"$/);
  assert.match(
    messages[1],
    /^"Starting stowage" version="\S+" kubernetes="v1.36" server="http:\/\/api/,
  );
  assert.ok(
    messages.includes(
      '"Successfully bound pod to node" pod="default/a" node="n1" evaluatedNodes=1 feasibleNodes=1',
    ),
  );
  assert.equal(messages.at(-1), '"Requested to terminate, exiting"');
  assert.deepEqual(told.kubeconfig, [[undefined, { context: undefined }]]);
  assert.deepEqual([told.inCluster, told.closed], [0, 1]);
  assert.equal(server.objects('leases')[0].spec.holderIdentity, '');
});

test('an API server of another release than the one that decides is a warning', async () => {
  const other =
    '"Warning: the API server is of v1.34.2, and kube-scheduler v1.36 decides; ' +
    '--kubernetes-version 1.34 decides as its scheduler does"';
  const cases = /** @type {const} */ ([
    [[], 'v1.36', [other]],
    [['--kubernetes-version', '1.34'], 'v1.34', []],
  ]);
  for (const [flags, kubernetes, warnings] of cases) {
    const server = makeCluster();
    const fetch = async (/** @type {any} */ url, /** @type {any} */ init) =>
      new URL(url.url ?? url).pathname === '/version'
        ? Response.json({ gitVersion: 'v1.34.2' })
        : server.fetch(url, init);
    const cluster = { baseUrl: 'http://apiserver.test', fetch };
    const connections = { loadKubeconfig: async () => cluster };
    const { code, stderr } = await runCommand([...flags, '--leader-elect=false'], {
      server,
      connections,
    });
    assert.equal(code, 0, stderr);
    assert.ok(stderr.includes(`kubernetes="${kubernetes}" server=`), stderr);
    const warned = stderr.split('\n').filter((line) => line.includes('Warning'));
    assert.deepEqual(
      warned.map((line) => line.slice(line.indexOf('] ') + 2)),
      warnings,
    );
  }
});

test('logs are JSON, verbose, or only errors', async () => {
  const json = await runCommand(['--logging-format', 'json', '-v', '4']);
  const entries = json.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const bound = entries.find(({ msg }) => msg === 'Successfully bound pod to node');
  assert.equal(typeof bound.ts, 'number');
  assert.deepEqual(
    { ...bound, ts: 0 },
    {
      ts: 0,
      msg: 'Successfully bound pod to node',
      v: 2,
      pod: { name: 'a', namespace: 'default' },
      node: 'n1',
      evaluatedNodes: 1,
      feasibleNodes: 1,
    },
  );
  assert.ok(entries.some(({ v }) => v === 4));
  const server = makeCluster();
  let asked = 0;
  server.disturb = ({ path }) => {
    if (!path.endsWith('/binding') || (asked += 1) > 1) return undefined;
    return Response.json(
      { kind: 'Status', status: 'Failure', message: 'no room' },
      { status: 500 },
    );
  };
  const quiet = await runCommand(['-q'], { server, until: /Error scheduling pod/ });
  assert.equal(quiet.code, 0);
  const [head, rest] = quiet.stderr.split('] ');
  assert.match(head, /^E\d{4} [^\n]*$/);
  assert.equal(
    rest,
    '"Error scheduling pod; retrying" err="running Bind plugin \\"DefaultBinder\\": no room" ' +
      'pod="default/a" node="n1" phase="Bind"\n',
  );
});

test('a lost lease is exit code 1', async () => {
  const server = makeCluster();
  const onUntil = () => {
    const [lease] = server.objects('leases');
    server.put({ ...lease, spec: { ...lease.spec, holderIdentity: 'another' } });
  };
  const times = ['--leader-elect-lease-duration', '1s', '--leader-elect-renew-deadline=500ms'];
  const { code, stderr, told } = await runCommand(
    [...times, '--leader-elect-retry-period', '3ms'],
    {
      server,
      onUntil,
    },
  );
  assert.equal(code, 1);
  assert.match(stderr, /"Leaderelection lost" lock="kube-system\/kube-scheduler" holder="another"/);
  assert.equal(told.closed, 1);
});

test('--dry-run decides, and sends only GETs', async () => {
  const { code, server, stderr } = await runCommand(['--dry-run']);
  assert.equal(code, 0);
  assert.deepEqual(server.writes, []);
  assert.ok(server.asked.length > 0);
  const lines = stderr.trim().split('\n');
  assert.ok(lines.some((line) => line.includes('Successfully bound')));
  for (const line of lines) assert.match(line, / dryRun=true$/);
  const json = await runCommand(['--dry-run', '--logging-format', 'json']);
  for (const line of json.stderr.trim().split('\n')) assert.equal(JSON.parse(line).dryRun, true);
});

test('--leader-elect=false needs no lease, --port 0 serves nothing', async () => {
  const { code, server, told } = await runCommand(['--leader-elect=false', '--port', '0']);
  assert.equal(code, 0);
  assert.ok(server.writes.includes('POST /api/v1/namespaces/default/pods/a/binding'));
  assert.deepEqual(server.objects('leases'), []);
  assert.deepEqual(told.listen, []);
});

test('a recording is replayed', async () => {
  const log = join(folder, 'run.ndjson');
  const { code } = await runCommand(['--record', log]);
  assert.equal(code, 0);
  const replayed = await runCli(['replay', log], { loadEngine: async () => engine });
  assert.deepEqual([replayed.code, replayed.stderr], [0, 'equal: 1 decisions, 1 pods bound\n']);
});

test('health and metrics are served at the given address, over TLS with the files', async () => {
  const certFile = await file('tls.crt', 'CERT');
  const keyFile = await file('tls.key', 'KEY');
  const where = ['--bind-address', '0.0.0.0', '--secure-port', '10260'];
  const tls = ['--tls-cert-file', certFile, '--tls-private-key-file', keyFile];
  const { told } = await runCommand([...where, ...tls]);
  const [served] = /** @type {any[]} */ (told.listen);
  assert.deepEqual([served.where.host, served.where.port], ['0.0.0.0', 10260]);
  assert.deepEqual(
    Object.entries(served.where.tls).map(([name, text]) => [name, String(text)]),
    [
      ['cert', 'CERT'],
      ['key', 'KEY'],
    ],
  );
  const response = await served.handler(new Request('http://self/livez'));
  assert.equal(response.status, 500, 'it has ended');
});

test('flags and environment choose the cluster', async () => {
  const inPod = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
  const named = { kubeconfig: [['f', { context: 'c' }]], inCluster: 0 };
  const usual = { kubeconfig: [[undefined, { context: undefined }]], inCluster: 0 };
  const own = { kubeconfig: [], inCluster: 1 };
  for (const [argv, env, expected] of /** @type {[string[], object, object][]} */ ([
    [['--kubeconfig', 'f', '--context', 'c'], inPod, named],
    [[], {}, usual],
    [[], inPod, own],
    [[], { ...inPod, KUBECONFIG: 'f' }, usual],
    [['--in-cluster'], {}, own],
  ])) {
    const { told } = await runCommand(argv, { env });
    assert.deepEqual({ kubeconfig: told.kubeconfig, inCluster: told.inCluster }, expected);
  }
});

test('--config takes YAML or JSON', async () => {
  const yaml = await file(
    'scheduler.yaml',
    'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n' +
      'leaderElection: { resourceName: mine }\nprofiles: [{ schedulerName: other }]\n',
  );
  const document = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { resourceName: 'mine' },
  };
  const renamed = ['--config', yaml, '--scheduler-name', 'default-scheduler'];
  for (const argv of [renamed, ['--config', await file('scheduler.json', document)]]) {
    const { code, server, stderr } = await runCommand(argv);
    assert.equal(code, 0, stderr);
    assert.equal(server.objects('leases')[0].metadata.name, 'mine');
  }
});

test('invalid options are exit code 2, before any write', async () => {
  const bad = await file('bad.yaml', 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: Other\n');
  const noKubeconfig = () => Promise.reject(new ConfigurationError('kubeconfig: no such context'));
  const noPort = () => Promise.reject(new Error('listen EADDRINUSE'));
  for (const [argv, options, message] of /** @type {[string[], object, RegExp][]} */ ([
    [['--config', bad], {}, /^error: .*bad\.yaml: /],
    [['--config', join(folder, 'none.yaml')], {}, /^error: .*none\.yaml: there is no such file/],
    [['--feature-gates', 'Nonsense=true'], {}, /^error: .*Nonsense/],
    [[], { connections: { loadKubeconfig: noKubeconfig } }, /^error: kubeconfig: no such context/],
    [
      [],
      { connections: { listen: noPort } },
      /^error: .*127.0.0.1:10259: listen EADDRINUSE; --port 0/,
    ],
    [['--tls-cert-file', 'x', '--tls-private-key-file', 'y'], {}, /^error: x: .*ENOENT/],
    [['--record', folder], {}, /^error: .*cannot be written/],
    [['file.yaml'], {}, /^error: run takes no arguments, and there is "file.yaml"/],
    [['--nonsense'], {}, /^error: unknown flag --nonsense/],
    [['--leader-elect=maybe'], {}, /--leader-elect is one of true, false, not "maybe"/],
    [['--leader-elect', '--dry-run'], {}, /--leader-elect does not go with --dry-run/],
    [['--leader-elect-resource-lock', 'endpoints'], {}, /is one of leases/],
    [['--leader-elect-retry-period', '2'], {}, /--leader-elect-retry-period: Invalid value: "2"/],
    [['--in-cluster', '--context', 'x'], {}, /--in-cluster does not go with/],
    [['--secure-port', '1'], {}, /--secure-port needs --tls-cert-file/],
    [['--tls-cert-file', 'x'], {}, /go together/],
    [
      ['--port', '1', '--tls-cert-file', 'x', '--tls-private-key-file', 'y'],
      {},
      /is --secure-port/,
    ],
    [['--port', '65536'], {}, /at most 65535/],
    [['-v', 'x'], {}, /--v is a whole number from 0/],
    [['--kubeconfig='], {}, /--kubeconfig needs a value/],
    [['--logging-format', 'xml'], {}, /one of text, json/],
  ])) {
    const { code, stderr, server } = await runCommand(argv, { until: /never/, ...options });
    const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
    assert.deepEqual([code, message.test(errors.join('\n'))], [2, true], `${argv}: ${stderr}`);
    assert.deepEqual(server.writes, []);
  }
});

test('SIGINT and SIGTERM abort the signal, until the command has ended', () => {
  const before = ['SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name));
  for (const name of ['SIGINT', 'SIGTERM']) {
    const { signal, release } = untilStopped();
    assert.equal(signal.aborted, false);
    process.emit(name);
    assert.equal(signal.aborted, true);
    release();
  }
  assert.deepEqual(
    ['SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name)),
    before,
  );
});

test('an internal error is exit code 3', async () => {
  const broken = {
    version: '0',
    kubernetesVersion: 'v1.36',
    takeNotProved: () => [],
    createScheduler() {
      throw new EngineError('CHECK failed: row < size');
    },
  };
  const { code, stderr } = await runCommand([], { loadEngine: async () => broken });
  assert.equal(code, 3);
  assert.match(stderr, /"The scheduler has ended" err="CHECK failed: row < size"\n/);
  assert.match(stderr, /This is a bug in stowage/);
});

test('flags are parsed', () => {
  const { leaderElection, ...rest } = parseRunArguments(['-q', '--feature-gates=A=true,B=false']);
  assert.deepEqual(
    Object.values(leaderElection).filter((value) => value !== undefined),
    [],
  );
  assert.deepEqual(rest, {
    kubeconfig: undefined,
    context: undefined,
    inCluster: false,
    schedulerName: undefined,
    config: undefined,
    kubernetesVersion: undefined,
    featureGates: { A: true, B: false },
    dryRun: false,
    record: undefined,
    bindAddress: '127.0.0.1',
    port: 10259,
    tls: undefined,
    loggingFormat: 'text',
    verbosity: -1,
    help: false,
  });
  assert.equal(parseRunArguments(['--dry-run=false', '-v', '5']).verbosity, 5);
});
