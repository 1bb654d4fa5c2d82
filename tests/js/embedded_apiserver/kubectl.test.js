/**
 * A stock kubectl, through HTTP, against the embedded server with all its controllers. Pods are
 * bound by a few lines of the test: what a scheduler does is proven elsewhere.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

import { createApiServer } from '../../../js/src/embedded_apiserver.js';
import {
  CONTROLLERS,
  controllersNamed,
} from '../../../js/src/embedded_apiserver/controllers/controllers.js';
import { listen } from '../../../js/src/node.js';
import { systemClock } from '../../../js/src/runtimes/system_clock.js';
import { kubectlProgram } from '../../../wasm/toolchain/kubectl.js';

const folder = mkdtempSync(join(tmpdir(), 'stowage-kubectl-'));
const program = kubectlProgram();
/** @type {(() => unknown)[]} */
const ends = [];
let url = '';
/** Told of each watch. @type {(url: string) => void} */
let onWatch = () => {};

before(async () => {
  const server = createApiServer({ controllers: [], gracefulDeletion: true });
  const times = { startup: 20, completion: 60, shutdown: 20 };
  const onError = (/** @type {unknown} */ error) => {
    throw error;
  };
  for (const controller of controllersNamed(CONTROLLERS, { onError, times })) {
    ends.push(controller.start(server.store, systemClock()));
  }
  ends.push(server.store.subscribe('pods', ({ object }) => bind(server.store, object)));
  ends.push(server.store.subscribe('nodes', () => bindAll(server.store)));
  const serve = (/** @type {Request} */ request) => {
    if (/[?&]watch=true/.test(request.url)) onWatch(request.url);
    return server.fetch(request);
  };
  const listener = await listen(serve, { port: 0, host: '127.0.0.1' });
  ends.push(
    () => listener.close(),
    () => server.dispose(),
  );
  url = listener.url;
});

after(async () => {
  for (const end of ends.reverse()) await end();
  rmSync(folder, { recursive: true });
});

/** @import { Store } from '../../../js/src/embedded_apiserver/store.js' */

/** To the first node that takes pods. @param {Store} store @param {any} pod */
function bind(store, { metadata: { namespace, name } }) {
  const pod = store.get('pods', namespace, name);
  if (!pod || pod.spec.nodeName || pod.metadata.deletionTimestamp) return;
  const node = store.list('nodes').find(({ spec }) => !spec?.unschedulable && !spec?.taints);
  if (node) store.bind(namespace, name, { target: { kind: 'Node', name: node.metadata.name } });
}

/** @param {Store} store */
function bindAll(store) {
  for (const pod of store.list('pods')) bind(store, pod);
}

/**
 * @param {string} command words between spaces
 * @param {object | object[]} [objects] on stdin, as a List
 */
function start(command, objects) {
  const args = ['--server', url, '--cache-dir', join(folder, 'cache'), ...command.split(' ')];
  const env = { ...process.env, HOME: folder, KUBECONFIG: join(folder, 'none') };
  /** @type {(result: { code: number, stdout: string, stderr: string }) => void} */
  let resolve;
  const result = new Promise((/** @type {typeof resolve} */ tell) => {
    resolve = tell;
  });
  const child = execFile(program, args, { env, timeout: 60_000 }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
  );
  const items = objects === undefined ? [] : [objects].flat();
  child.stdin?.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', items }));
  return { child, result };
}

/**
 * @param {string} command
 * @param {object | object[]} [objects]
 */
function kubectl(command, objects) {
  return start(command, objects).result;
}

/**
 * What a command says, up to a line.
 * @param {import('node:child_process').ChildProcess} child
 * @param {RegExp} last
 * @returns {Promise<string[]>}
 */
async function linesUntil(child, last) {
  /** @type {string[]} */
  const lines = [];
  for await (const line of createInterface(/** @type {any} */ (child.stdout))) {
    lines.push(line);
    if (last.test(line)) break;
  }
  return lines;
}

/**
 * A command that succeeds.
 * @param {string} command
 * @param {object | object[]} [objects]
 */
async function run(command, objects) {
  const { code, stdout, stderr } = await kubectl(command, objects);
  assert.equal(code, 0, `kubectl ${command}: ${stderr}`);
  return stdout.trim();
}

/**
 * A command that is refused, and what it says.
 * @param {string} command
 * @param {object | object[]} [objects]
 */
async function refusal(command, objects) {
  const { code, stderr } = await kubectl(command, objects);
  assert.notEqual(code, 0, `kubectl ${command}`);
  return stderr.trim();
}

/** The columns that say nothing of when, row by row. @param {string} table */
function rows(table) {
  return table.split('\n').map((line) =>
    line
      .trim()
      .split(/ {2,}/)
      .map((cell) => (/^(\d+[smh])+$/.test(cell) ? '<age>' : cell)),
  );
}

/** @param {string} name */
const node = (name) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  status: { capacity: { cpu: '8', memory: '32Gi', pods: '110' } },
});

/** @param {object} [spec] @param {object} [container] */
const deployment = (spec = {}, container = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'nginx:1', ...container }] },
    },
    ...spec,
  },
});

test('kubectl finds out what there is', async () => {
  assert.match(await run('version'), /Server Version: v1\.36\.0$/);
  const resources = (await run('api-resources --namespaced -o name')).split('\n');
  for (const name of ['pods', 'deployments.apps', 'leases.coordination.k8s.io']) {
    assert.ok(resources.includes(name), name);
  }
  assert.match(await run('explain pod.spec.nodeName'), /FIELD: nodeName <string>/);
  assert.equal(await run('get --raw /readyz'), 'ok');
});

test('nodes are made, and are ready when their kubelet says so', async () => {
  assert.equal(await run('create -f -', [node('a'), node('b')]), 'node/a created\nnode/b created');
  await run('wait --for=condition=Ready node/a node/b --timeout=20s');
  assert.deepEqual(rows(await run('get nodes')), [
    ['NAME', 'STATUS', 'ROLES', 'AGE', 'VERSION'],
    ['a', 'Ready', '<none>', '<age>', 'v1.36.0'],
    ['b', 'Ready', '<none>', '<age>', 'v1.36.0'],
  ]);
});

test('a deployment is applied, rolled out, changed, and taken back', async () => {
  assert.equal(await run('apply -f -', deployment()), 'deployment.apps/web created');
  assert.match(
    await run('rollout status deployment/web --timeout=30s'),
    /successfully rolled out$/,
  );
  assert.equal(await run('apply -f -', deployment()), 'deployment.apps/web unchanged');
  const wider = deployment({ replicas: 3 });
  const { code, stdout } = await kubectl('diff -f -', wider);
  assert.equal(code, 1);
  assert.match(stdout, /-\s+replicas: 2\n\+\s+replicas: 3/);
  assert.equal(await run('apply -f -', wider), 'deployment.apps/web configured');
  await run('wait --for=jsonpath={.status.availableReplicas}=3 deployment/web --timeout=30s');
  await run('set image deployment/web c=nginx:2');
  await run('rollout status deployment/web --timeout=30s');
  assert.equal(
    await run('get pods -l app=web -o jsonpath={.items[*].spec.containers[0].image}'),
    'nginx:2 nginx:2 nginx:2',
  );
  assert.equal(await run('rollout undo deployment/web'), 'deployment.apps/web rolled back');
  await run('rollout status deployment/web --timeout=30s');
  assert.match(await run('rollout history deployment/web'), /\n2 .*\n3 /);
  assert.equal(await run('scale deployment/web --replicas=1'), 'deployment.apps/web scaled');
  await run('rollout status deployment/web --timeout=30s');
  const described = await run('describe deployment web');
  assert.match(described, /Replicas:\s+1 desired \| 1 updated \| 1 total \| 1 available/);
  assert.match(described, /ScalingReplicaSet .* deployment-controller .* from 3 to 1/);
});

test('labels, annotations, taints and patches are put on and taken off', async () => {
  assert.equal(await run('label node a disk=ssd'), 'node/a labeled');
  assert.equal(await run('get nodes -l disk -o name'), 'node/a');
  assert.equal(await run('label node a disk-'), 'node/a unlabeled');
  assert.equal(await run('annotate node a note=hi'), 'node/a annotated');
  assert.equal(await run('taint node b dedicated=gpu:NoSchedule'), 'node/b tainted');
  assert.equal(await run('get node b -o jsonpath={.spec.taints[*].key}'), 'dedicated');
  assert.equal(await run('taint node b dedicated-'), 'node/b untainted');
  const patch = '[{"op":"add","path":"/metadata/labels/x","value":"y"}]';
  assert.equal(await run(`patch node a --type=json -p ${patch}`), 'node/a patched');
  assert.equal(await run('get nodes -l x=y,disk!=ssd -o name'), 'node/a');
});

test('a node is drained: its pods go elsewhere, as their budget lets them', async () => {
  await run('create pdb web --selector=app=web --min-available=1');
  await run('scale deployment/web --replicas=2');
  await run('rollout status deployment/web --timeout=30s');
  assert.match(await run('drain a --timeout=60s'), /node\/a drained$/);
  const status = rows(await run('get nodes')).map(([name, ready]) => `${name} ${ready}`);
  assert.deepEqual(status.slice(1), ['a Ready,SchedulingDisabled', 'b Ready']);
  await run('rollout status deployment/web --timeout=30s');
  const places = 'get pods -l app=web -o jsonpath={.items[*].spec.nodeName}';
  assert.equal(await run(places), 'b b');
  assert.equal(await run('uncordon a'), 'node/a uncordoned');
});

test('what kubectl makes itself is taken, and goes with its namespace', async () => {
  assert.equal(await run('create namespace team'), 'namespace/team created');
  await run('create configmap settings --from-literal=a=b -n team');
  await run('create secret generic keys --from-literal=k=v -n team');
  await run('create deployment api --image=nginx -n team');
  await run('expose deployment api --port=80 -n team');
  await run('create job once --image=busybox -n team -- true');
  await run('run alone --image=busybox --restart=Never -n team');
  await run('create priorityclass high --value=1000');
  await run('wait --for=condition=complete job/once -n team --timeout=30s');
  const jobs = rows(await run('get jobs -n team'));
  assert.deepEqual(jobs[1].slice(0, 3), ['once', 'Complete', '1/1']);
  assert.equal(await run('get secret keys -n team -o jsonpath={.data.k}'), 'dg==');
  assert.match(await run('get all -n team'), /service\/api\s+ClusterIP\s+10\.0\.\d+\.\d+/);
  assert.equal(await run('delete namespace team --timeout=30s'), 'namespace "team" deleted');
  assert.match(await refusal('get namespace team'), /namespaces "team" not found$/);
});

test('a watch shows what happens', async () => {
  const begun = new Promise((resolve) => {
    onWatch = resolve;
  });
  const { child } = start('get pods -l app=seen -w --output-watch-events');
  const seen = linesUntil(child, /^DELETED/);
  await begun;
  await run('run seen --image=nginx --labels=app=seen');
  assert.equal(await run('delete pod seen'), 'pod "seen" deleted from default namespace');
  const events = rows((await seen).join('\n')).map(([type, name]) => `${type} ${name}`);
  child.kill();
  assert.deepEqual(events.slice(0, 2), ['EVENT NAME', 'ADDED seen']);
  assert.ok(events.slice(2, -1).every((event) => event === 'MODIFIED seen'));
  assert.equal(events.at(-1), 'DELETED seen');
});

test('server-side apply knows whose fields are whose', async () => {
  const command = 'apply --server-side -f - --field-manager=';
  const map = (/** @type {string} */ value) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'shared' },
    data: { key: value },
  });
  assert.equal(await run(`${command}one`, map('1')), 'configmap/shared serverside-applied');
  assert.match(await refusal(`${command}two`, map('2')), /conflict with "one": \.data\.key/);
  await run(`${command}two --force-conflicts`, map('2'));
  assert.equal(await run('get configmap shared -o jsonpath={.data.key}'), '2');
  assert.equal(await run('replace -f -', map('3')), 'configmap/shared replaced');
});

test('what is wrong is said in the words of the server', async () => {
  const cases = /** @type {[string, object | undefined, RegExp][]} */ ([
    ['apply -f -', deployment({}, { imag: 'x' }), /strict decoding error: unknown field "spec/],
    [
      'apply -f -',
      deployment({ replicas: 'two' }),
      /patch: Invalid value: .*unrecognized type: int32/,
    ],
    ['apply -f -', deployment({ selector: { matchLabels: { app: 'x' } } }), /field is immutable/],
    ['create -f -', node('a'), /Error from server \(AlreadyExists\).*nodes "a" already exists/],
    ['create -f -', { ...node('A') }, /a lowercase RFC 1123 subdomain must consist of/],
    ['get pods --field-selector spec.foo=a', undefined, /field label not supported: spec.foo/],
    ['get pods -l a=b=c', undefined, /unable to parse requirement|found '='/],
    ['get things', undefined, /the server doesn't have a resource type "things"/],
    ['delete namespace default', undefined, /this namespace may not be deleted/],
    ['logs deployment/web', undefined, /this API server has no kubelets that run containers/],
    ['top nodes', undefined, /Metrics API not available/],
  ]);
  for (const [command, objects, message] of cases) {
    assert.match(await refusal(command, objects), message, command);
  }
});

test('everything can be deleted', async () => {
  assert.equal(
    await run('delete deployment web --timeout=30s'),
    'deployment.apps "web" deleted from default namespace',
  );
  await run('wait --for=delete pod -l app=web --timeout=30s');
  assert.equal(await run('get replicasets,pods -o name'), '');
  await run('delete nodes --all');
  assert.equal(await run('get nodes -o name'), '');
});
