/**
 * A cluster in memory, followed and scheduled by the real protocol, with the same results in every
 * runtime: facts as JSON, for the test to compare.
 */
import { createScheduler } from 'stowage';
import { createAdmissionHandler } from 'stowage/admission';
import { createApiServer } from 'stowage/embedded-apiserver';
import { createApiClient, createInformers } from 'stowage/informer';
import { runScheduler } from 'stowage/live';

const PODS = '/api/v1/namespaces/default/pods';
const YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n';

/** @typedef {import('stowage/informer').ApiClient} ApiClient */

/** Bindings, observed objects and records. */
export async function liveCluster() {
  const server = createApiServer({ objects: [node('small', '1'), node('large', '4')] });
  const client = createApiClient({ baseUrl: 'http://embedded', fetch: server.fetch });
  try {
    return {
      bound: await bind(client),
      followed: await follow(client),
      yaml: await applyYaml(client),
    };
  } finally {
    server.dispose();
  }
}

/**
 * A pod that is created while the scheduler runs gets its node.
 * @param {ApiClient} client
 */
async function bind(client) {
  const stop = new AbortController();
  const { signal } = stop;
  /** @type {(record: object) => void} */
  let tell;
  const bound = new Promise((resolve) => {
    tell = resolve;
  });
  const live = runScheduler({
    client,
    signal,
    onRecord: (record) => record.kind === 'BindingResult' && tell(record),
  });
  await live.scheduler;
  await client.json(PODS, { method: 'POST', body: JSON.stringify(pod('web', '2')) });
  await Promise.race([bound, live.done]);
  const { spec } = await client.json(`${PODS}/web`);
  const { status } = await live.fetch(new Request('http://self/readyz'));
  stop.abort();
  await live.done;
  return { node: spec.nodeName, ready: status };
}

/**
 * Informers feed a scheduler that only answers a webhook.
 * @param {ApiClient} client
 */
async function follow(client) {
  const stop = new AbortController();
  const scheduler = await createScheduler({ api: 'host' });
  const informers = createInformers({ client, sink: scheduler, signal: stop.signal });
  const ended = informers.run().catch(() => {});
  await informers.synced();
  const states = informers.status().map(({ resource, state }) => `${resource} ${state}`);
  const handler = createAdmissionHandler({ cluster: scheduler, mode: 'deny' });
  const answers = [];
  for (const cpu of ['1', '3', '9']) answers.push(await review(handler, pod('next', cpu)));
  stop.abort();
  await ended;
  scheduler.dispose();
  return { states: states.sort(), answers };
}

/**
 * @param {import('stowage/admission').AdmissionHandler} handler
 * @param {ReturnType<typeof pod>} object
 */
async function review(handler, object) {
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  const request = { uid: '1', kind, operation: 'CREATE', namespace: 'default', object };
  const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  const headers = { 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await (await handler.fetch(new Request('https://webhook/', sent))).json();
  const { allowed, warnings, status } = answer.response;
  return { allowed, warnings, message: status?.message };
}

/** @param {ApiClient} client @returns {Promise<{ status: number, message?: string }>} */
async function applyYaml(client) {
  const options = { method: 'POST', headers: { 'Content-Type': 'application/yaml' }, body: YAML };
  const response = await client.request('/api/v1/namespaces/default/configmaps', options);
  const { message } = await response.json();
  return { status: response.status, message };
}

/** @param {string} name @param {string} cpu */
function node(name, cpu) {
  const status = { allocatable: { cpu, memory: '4Gi', pods: '10' } };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name }, status };
}

/** @param {string} name @param {string} cpu */
function pod(name, cpu) {
  const containers = [{ name: 'main', image: 'pause', resources: { requests: { cpu } } }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } };
}
