// Goal: the example's second scheduler runs as a pod runs it, and ends as a pod is ended. Method: a
// process with the arguments of its Deployment, with the files of its mounts, against the embedded
// API server over TLS.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createApiServer } from '../../../js/apiserver/index.js';
import { parse } from '../../../js/src/manifests.js';
import { listen } from '../../../js/src/node.js';
import { pem } from '../runtimes/node/tls_server.js';
import { makeFolder } from '../support/folder.js';
import { makeNode, makePod } from '../support/objects.js';
import { commandPath } from '../support/real_engine.js';

const EXAMPLE = new URL('../../../examples/second-scheduler/', import.meta.url);
const POD_FILES = new URL('pod_files.js', import.meta.url);
const SERVICE_ACCOUNT = 'var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN = 'a-token';

/** How long anything takes here at most: milliseconds. */
const PATIENCE = 20_000;

const { folder, file } = await makeFolder();

/** @param {string} name @returns {Promise<any[]>} */
const manifests = async (name) => [...parse(await readFile(new URL(name, EXAMPLE), 'utf8'))];

const deployed = (
  await Promise.all(
    ['rbac.yaml', 'leader-election.yaml', 'configuration.yaml', 'deployment.yaml'].map(manifests),
  )
).flat();
const [pod] = await manifests('pod.yaml');
const deployment = deployed.find(({ kind }) => kind === 'Deployment');
const configMap = deployed.find(({ kind }) => kind === 'ConfigMap');
const { spec } = deployment.spec.template;

/** @param {() => unknown} condition */
async function eventually(condition) {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    assert.ok(Date.now() < end, `never: ${condition}`);
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}

/** The API server of the cluster: who shows the token is let in. @param {any} t */
async function startCluster(t) {
  const server = createApiServer({ objects: [...deployed, makeNode('n1')] });
  /** @type {{ path: string, agent: string | null }[]} */
  const binders = [];
  const guarded = async (/** @type {Request} */ request) => {
    if (request.headers.get('Authorization') !== `Bearer ${TOKEN}`)
      return Response.json({ kind: 'Status', status: 'Failure', code: 401 }, { status: 401 });
    const path = new URL(request.url).pathname;
    if (path.endsWith('/binding')) binders.push({ path, agent: request.headers.get('User-Agent') });
    return server.fetch(request);
  };
  const tls = { cert: pem('server.crt'), key: pem('server.key') };
  const { port, close } = await listen(guarded, { port: 0, tls });
  t.after(async () => {
    await close();
    server.dispose();
  });
  return { store: server.store, port, binders };
}

/** A port that is free now. */
async function freePort() {
  const { port, close } = await listen(() => new Response(''), { port: 0 });
  await close();
  return port;
}

/**
 * The program of the Deployment's container, by its own arguments. Its port may be taken here.
 * @param {any} t
 * @param {{ apiserver: number, port: number }} ports
 */
async function startScheduler(t, { apiserver, port }) {
  const [container] = spec.containers;
  await file(`${SERVICE_ACCOUNT}/token`, TOKEN);
  await file(`${SERVICE_ACCOUNT}/ca.crt`, pem('ca.crt'));
  await file(`${SERVICE_ACCOUNT}/namespace`, deployment.metadata.namespace);
  const [{ mountPath }] = container.volumeMounts;
  for (const [name, text] of Object.entries(configMap.data))
    await file(`${mountPath.slice(1)}/${name}`, text);
  const program = [commandPath.pathname, ...container.args, `--port=${port}`];
  const child = spawn(process.execPath, ['--import', POD_FILES.href, ...program], {
    env: {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(apiserver),
      POD_ROOT: folder,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const log = { text: '' };
  child.stderr.setEncoding('utf8').on('data', (text) => (log.text += text));
  return { child, log, exited: once(child, 'exit') };
}

test('the second scheduler of the example, as a process', async (t) => {
  const { store, port: apiserver, binders } = await startCluster(t);
  const port = await freePort();
  const { child, log, exited } = await startScheduler(t, { apiserver, port });
  /** @param {string} path */
  const get = async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const leases = () => store.list('leases', { namespace: 'stowage' });
  const leader = () => leases()[0]?.spec.holderIdentity;
  const { name } = pod.metadata;

  await eventually(() => leader() || child.exitCode !== null);
  assert.equal(child.exitCode, null, log.text);
  store.create('pods', makePod('of-another', { metadata: { namespace: 'default' } }));
  store.create('pods', { ...pod, metadata: { ...pod.metadata, namespace: 'default' } });
  await eventually(() => store.get('pods', 'default', name)?.spec.nodeName);
  assert.equal(store.get('pods', 'default', name)?.spec.nodeName, 'n1');
  const [{ path, agent }] = binders;
  assert.equal(path, `/api/v1/namespaces/default/pods/${name}/binding`);
  assert.match(String(agent), /^stowage\//);
  await eventually(() => store.list('events').length > 1);
  const scheduled = store.list('events').find(({ reason }) => reason === 'Scheduled');
  assert.equal(scheduled?.reportingController ?? scheduled?.reportingComponent, 'stowage');

  for (const path of ['/livez', '/healthz', '/readyz'])
    assert.deepEqual(await get(path), { status: 200, text: 'ok' }, path);
  const { status, text } = await get('/metrics');
  assert.equal(status, 200);
  const attempts = 'scheduler_schedule_attempts_total{profile="stowage",result="scheduled"} 1';
  for (const line of [attempts, 'leader_election_master_status{name="stowage"} 1'])
    assert.ok(text.includes(`${line}\n`), line);
  const resources = (await get('/metrics/resources')).text;
  const request = /^kube_pod_resource_request\{.*pod="placed-by-stowage".*unit="cores"\} 0\.1$/m;
  assert.match(resources, request);

  child.kill('SIGTERM');
  const [code] = await exited;
  assert.equal(code, 0, log.text);
  assert.deepEqual(
    leases().map(({ metadata }) => metadata.name),
    ['stowage'],
  );
  assert.equal(leader(), '', 'the lease is given up');
  assert.equal(store.get('pods', 'default', 'of-another')?.spec.nodeName, undefined);
  assert.equal(binders.length, 1);
  assert.match(log.text, /"Successfully bound pod to node" pod="default\/placed-by-stowage"/);
});
