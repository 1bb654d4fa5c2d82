// Goal: a snapshot says of a cluster what the cluster itself says, under whatever names. Method:
// the real engine on the cluster of the examples, and an API server in this process.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createApiServer } from '../../../../js/apiserver/index.js';
import { parse } from '../../../../js/src/manifests.js';
import { listen } from '../../../../js/src/node.js';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod, makePodGroup, storedPod } from '../../support/objects.js';
import { startNative } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const { engine } = await startNative();
const loadEngine = async () => engine;
const { folder, file } = await makeFolder();
const example = new URL('../../../../examples/small-cluster/cluster.json', import.meta.url)
  .pathname;

/** @param {string[]} argv @param {object} [options] */
async function snapshot(argv, options) {
  const result = await runCli(['snapshot', ...argv], options);
  return { ...result, list: result.code === 0 ? parse(result.stdout) : [] };
}

/** What is decided on the pods of a cluster, without what another time of day changes. */
async function simulated(stdin) {
  const { stdout } = await runCli(['simulate', '-', '-q', '-o', 'json'], { stdin, loadEngine });
  const { pods, decisions } = JSON.parse(stdout);
  return { pods, decisions: decisions.map(({ at, hash, uid, ...decision }) => decision) };
}

test('a snapshot is decided on as the cluster is, and is smaller', async () => {
  const dump = await readFile(example, 'utf8');
  const { stdout, stderr } = await snapshot([example]);
  assert.deepEqual(await simulated(stdout), await simulated(dump));
  assert.match(stderr, /^68 objects of 5 kinds\n$/);
  assert.ok(stdout.length < dump.length);
  const again = await snapshot(['-', '-q'], { stdin: stdout });
  assert.deepEqual([again.stdout, again.stderr], [stdout, ''], 'there is no less to read');
});

test('so is one with other names, once these are taken back', async () => {
  const names = join(folder, 'names.json');
  const { stdout } = await snapshot([example, '--anonymize', '--names', names]);
  const dump = await readFile(example, 'utf8');
  const originals = JSON.parse(await readFile(names, 'utf8'));
  assert.equal((await stat(names)).mode & 0o777, 0o600);
  const taken = JSON.stringify(await simulated(stdout)).replace(
    /\b[wz]\d+\b/g,
    (made) => originals[made] ?? made,
  );
  assert.deepEqual(JSON.parse(taken), await simulated(dump));
  for (const { kind, metadata } of parse(dump))
    if (kind !== 'PriorityClass' && metadata.name.length > 4)
      assert.ok(!stdout.includes(`"${metadata.name}"`), metadata.name);
});

test('pods that workloads lack are made before the names are', async () => {
  const { spec } = makePod('x');
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: {}, template: { metadata: { labels: { app: 'web' } }, spec } },
  };
  const stdin = JSON.stringify(makeList(makeNode('a'), deployment));
  const { list } = await snapshot(['-', '--anonymize'], { stdin });
  const kinds = list.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['Node', 'ReplicaSet', 'Pod', 'Pod', 'Pod', 'Deployment']);
  const { code, stdout } = await runCli(['simulate', '-', '-q', '-o', 'json'], {
    stdin: JSON.stringify(makeList(...list)),
    loadEngine,
  });
  assert.deepEqual([code, JSON.parse(stdout).pods.length], [0, 3], 'no more are made');
});

test('a configuration goes with it, under the same names', async () => {
  const config = await file(
    'config.yaml',
    'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n' +
      'profiles: [{ schedulerName: acme }]\n',
  );
  const output = join(folder, 'renamed.json');
  const pod = storedPod('p', { spec: { schedulerName: 'acme' } });
  const stdin = JSON.stringify(makeList(makeNode('a'), pod));
  const argv = ['-', '--anonymize', '--config', config, '--config-output', output];
  const { list, stdout } = await snapshot(argv, { stdin });
  const { profiles } = JSON.parse(await readFile(output, 'utf8'));
  assert.equal(profiles[0].schedulerName, list[1].spec.schedulerName);
  const { code } = await runCli(['simulate', '-', '-q', '--config', output], {
    stdin: stdout,
    loadEngine,
  });
  assert.equal(code, 0);
  const none = await file('none.yaml', '7\n');
  const bad = await snapshot([...argv.slice(0, 3), none, ...argv.slice(4)], { stdin });
  assert.deepEqual([bad.code, bad.stdout], [2, '']);
});

test('YAML is the same', async () => {
  const stdin = JSON.stringify(makeList(makeNode('a'), storedPod('p')));
  const { list } = await snapshot(['-', '-o', 'yaml'], { stdin });
  assert.deepEqual(list, (await snapshot(['-'], { stdin })).list);
});

test('a snapshot has all that admission reads, also with anonymized names', async () => {
  const named = (/** @type {string} */ name) => ({ metadata: { name } });
  const hard = { pods: '1', 'limits.cpu': '9' };
  const quota = { ...named('team'), spec: { hard }, status: { hard, used: { pods: '1' } } };
  const limits = [{ type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '1' } }];
  const admission = [
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', ...named('gold'), value: 7 },
    { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', ...named('kata'), handler: 'kata' },
    { apiVersion: 'v1', kind: 'LimitRange', ...named('defaults'), spec: { limits } },
    { apiVersion: 'v1', kind: 'ResourceQuota', ...quota },
  ];
  const cluster = makeList(makeNode('a'), ...admission);
  const spec = { containers: [{ name: 'c', image: 'x' }] };
  const pod = await file('silent.json', makePod('silent', { spec }));
  for (const stdin of [JSON.stringify(cluster), `---\n${JSON.stringify(cluster)}`]) {
    for (const flags of [[], ['--anonymize']]) {
      const { list, stdout } = await snapshot(['-', ...flags], { stdin });
      const kinds = list.map(({ kind }) => kind);
      assert.deepEqual(kinds.sort(), ['Node', ...admission.map(({ kind }) => kind)].sort());
      const [{ metadata }] = list.filter(({ kind }) => kind === 'ResourceQuota');
      const namespace = metadata.namespace ?? 'default';
      const argv = ['check', '-f', pod, '--cluster', '-', '-n', namespace, '-o', 'json'];
      const { warnings } = JSON.parse((await runCli(argv, { stdin: stdout, loadEngine })).stdout);
      assert.equal(warnings.length, 1, stdout);
      assert.match(warnings[0], /"silent" is forbidden: exceeded quota: \w+, requested: pods=1, /);
    }
  }
});

test('a note says that devices keep their attributes', async () => {
  const slice = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 's', uid: 'u' },
    spec: { driver: 'gpu.example', pool: { name: 'a', generation: 1 }, nodeName: 'a', devices: [] },
  };
  const stdin = JSON.stringify(makeList(makeNode('a'), slice));
  const { list, stderr } = await snapshot(['-', '--anonymize'], { stdin });
  assert.match(stderr, /^warning: attributes and expressions of devices stay as they are\n/);
  const [node, renamed] = list;
  assert.deepEqual(renamed.spec, {
    ...slice.spec,
    nodeName: node.metadata.name,
    pool: { name: node.metadata.name, generation: 1 },
  });
});

/** @param {object} server @param {(path: string) => Response | undefined} [refuse] */
function connectionsTo(server, refuse = () => undefined) {
  const asked = /** @type {any[]} */ ([]);
  const fetch = async (/** @type {Request} */ request) =>
    refuse(new URL(request.url).pathname) ?? server.fetch(request);
  const cluster = { baseUrl: 'http://apiserver.test', fetch };
  return {
    asked,
    loadKubeconfig: async (/** @type {any[]} */ ...args) => {
      asked.push(args);
      return cluster;
    },
    inClusterConfig: async () => {
      asked.push('in-cluster');
      return cluster;
    },
  };
}

/** @param {number} code */
const refusal = (code) =>
  Response.json(
    { kind: 'Status', status: 'Failure', code, message: `refused with ${code}` },
    { status: code },
  );

test('a live cluster is listed, all that is read of it', async (t) => {
  const dump = parse(await readFile(example, 'utf8'));
  const server = createApiServer({ objects: dump, controllers: [] });
  t.after(() => server.dispose());
  const connections = connectionsTo(server);
  const live = await snapshot(['--kubeconfig', 'k', '--context', 'c'], { connections });
  assert.deepEqual(connections.asked, [['k', { context: 'c' }]]);
  const kinds = new Set(live.list.map(({ kind }) => kind));
  for (const kind of ['Node', 'Pod', 'Service', 'PriorityClass']) assert.ok(kinds.has(kind), kind);
  const pods = dump.filter(({ kind }) => kind === 'Pod').length;
  assert.equal(live.list.filter(({ kind }) => kind === 'Pod').length, pods);
  const inCluster = await snapshot(['--in-cluster'], { connections });
  assert.equal(inCluster.stdout, live.stdout);
});

test('the same by a kubeconfig, over HTTP', async (t) => {
  const server = createApiServer({ objects: [makeNode('a'), storedPod('p')], controllers: [] });
  t.after(() => server.dispose());
  const listener = await listen(server.fetch, { host: '127.0.0.1', port: 0 });
  t.after(() => listener.close());
  const cluster = { name: 'c', cluster: { server: listener.url } };
  const context = { name: 'x', context: { cluster: 'c', user: 'u' } };
  const path = await file('kubeconfig', {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [cluster],
    users: [{ name: 'u', user: {} }],
    contexts: [context],
    'current-context': 'x',
  });
  const { code, list } = await snapshot(['--kubeconfig', path]);
  assert.equal(code, 0);
  assert.deepEqual(
    list
      .filter(({ kind }) => kind === 'Node' || kind === 'Pod')
      .map(({ metadata }) => metadata.name),
    ['a', 'p'],
  );
});

test('forbidden kinds are left out with a warning, except nodes and pods', async (t) => {
  const server = createApiServer({ objects: [makeNode('a')], controllers: [] });
  t.after(() => server.dispose());
  const but = (/** @type {RegExp} */ path, /** @type {number} */ code) =>
    connectionsTo(server, (asked) => (path.test(asked) ? refusal(code) : undefined));
  const services = await snapshot([], { connections: but(/services$/, 403) });
  assert.deepEqual([services.code, services.list.length > 0], [0, true]);
  assert.match(services.stderr, /^warning: left out: .*refused with 403\n/);
  const devices = await snapshot(['-q'], { connections: but(/resource\.k8s\.io/, 404) });
  assert.deepEqual([devices.code, devices.stderr], [0, ''], 'there are none');
  for (const code of [401, 403, 404]) {
    const pods = await snapshot([], { connections: but(/pods$/, code) });
    assert.deepEqual([pods.code, pods.stdout], [2, '']);
    assert.match(pods.stderr, new RegExp(`^error: pods: .*refused with ${code}\\n`));
  }
});

test('pod groups are listed if the server has them, in the version that it serves', async (t) => {
  const group = makePodGroup('g', { minCount: 2 });
  const server = createApiServer({ objects: [makeNode('a'), group], controllers: [] });
  t.after(() => server.dispose());
  const groupsOf = async (/** @type {(path: string) => Response | undefined} */ refuse) => {
    const found = await snapshot([], { connections: connectionsTo(server, refuse) });
    assert.doesNotMatch(found.stderr, /warning/);
    return found.list
      .filter(({ kind }) => kind === 'PodGroup')
      .map(({ apiVersion, metadata, spec }) => [apiVersion, metadata.name, spec.schedulingPolicy]);
  };
  const item = { metadata: group.metadata, spec: group.spec };
  const wanted = [[group.apiVersion, 'g', group.spec.schedulingPolicy]];
  const later = (/** @type {string} */ version) => (/** @type {string} */ path) => {
    if (!path.endsWith('/podgroups')) return undefined;
    if (!path.includes(`/${version}/`)) return refusal(404);
    const apiVersion = `scheduling.k8s.io/${version}`;
    return Response.json({ kind: 'PodGroupList', apiVersion, metadata: {}, items: [item] });
  };
  assert.deepEqual(await groupsOf(() => undefined), wanted);
  assert.deepEqual(await groupsOf(later('v1beta1')), wanted);
  assert.deepEqual(await groupsOf(later('v1alpha3')), wanted);
  for (const code of [403, 404])
    assert.deepEqual(
      await groupsOf((path) => (path.endsWith('/podgroups') ? refusal(code) : undefined)),
      [],
    );
});

test('what would be left out unread is an error, as in the other commands', async () => {
  const pod = makePod('p');
  const cases = [
    [{ ...pod, kind: undefined }, /line 1, column 1: default\/p: kind: Required value/],
    [{ ...pod, kind: 5 }, /column 27: default\/p: kind: Invalid value: must be a string/],
    [{ ...pod, apiVersion: undefined }, /Pod default\/p: apiVersion: Required value/],
    [{ ...pod, apiVersion: 1 }, /Pod default\/p: apiVersion: Invalid value: must be a string/],
    [makeList(makeNode('a'), { metadata: { name: 'x' } }), /: default\/x: kind: Required value/],
    [makeList(makeList(pod, {})), /column \d+: kind: Required value/],
    [{ apiVersion: 'v1', kind: 'List' }, /List: items: Required value/],
    [{ apiVersion: 'v1', kind: 'List', items: {} }, /List: items: .*must be a list/],
    [{ type: 'ADDED', object: pod }, /kind: Required value/],
  ];
  for (const [object, expected] of cases) {
    const stdin = JSON.stringify(object);
    for (const argv of [['snapshot'], ['snapshot', '--anonymize'], ['simulate']]) {
      const { code, stderr } = await runCli([...argv, '-', '-q'], { stdin });
      assert.equal(code, 2, `${argv} ${stdin}`);
      assert.match(stderr, /^error: standard input: document 1, /m);
      assert.match(stderr, expected);
    }
  }
  const others = [
    { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'Opaque' },
    { apiVersion: 'v1', kind: 'PodList', items: [] },
  ];
  const { code, list, stderr } = await snapshot(['-', '-q'], {
    stdin: others.map((o) => JSON.stringify(o)).join('\n'),
  });
  assert.deepEqual([code, list, stderr], [0, [], ''], 'no decision reads these');
});

test('bad input is exit code 2', async () => {
  const path = await file('n.json', makeNode('a'));
  const cases = [
    [['--names', 'x', path], /--names goes with --anonymize/],
    [['--config', 'x', path], /--config goes with --anonymize/],
    [['--anonymize', '--config', 'x', path], /--config and --config-output go together/],
    [[path, '--kubeconfig', 'x'], /a FILE does not go with --kubeconfig/],
    [['--in-cluster', '--context', 'x'], /--in-cluster does not go with/],
    [['--kubeconfig', ''], /--kubeconfig needs a value/],
    [[join(folder, 'none.json')], /there is no such file/],
    [[path, '--anonymize', '--names', join(folder, 'no', 'such')], /it cannot be written/],
    [['--kubeconfig', join(folder, 'no-config')], /no-config/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await runCli(['snapshot', ...argv]);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
  assert.match(
    (await snapshot(['-'], { stdin: '{"kind" 1}' })).stderr,
    /standard input: document 1/,
  );
});
