// Goal: the example is a webhook as an API server needs one: certificate, names, permissions and
// answers over HTTPS. Method: its manifests are read, its server runs against an embedded API
// server, and AdmissionReviews are posted with the trust of the configuration.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { createApiServer } from '../../../js/apiserver/index.js';
import { parse } from '../../../js/src/manifests.js';
import { listen } from '../../../js/src/node.js';
import { makeNode, makePod } from '../support/objects.js';
import { recordedPod, reviewOf, stored } from './reviews.js';

const folder = fileURLToPath(new URL('../../../examples/admission-webhook/', import.meta.url));
const read = async (/** @type {string} */ name) =>
  /** @type {any[]} */ ([...parse(await readFile(join(folder, name), 'utf8'))]);

/** The objects that certificate.js created. @type {any} */
let made;
/** Keeps its connections, as API servers do. */
const agent = new Agent({ keepAlive: true });
const scratch = await mkdtemp(join(tmpdir(), 'stowage-admission-'));
const api = createApiServer({
  objects: [
    makeNode('a', { cpu: '4' }),
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'sizes', namespace: 'default' },
      spec: { limits: [{ type: 'Container', max: { cpu: '99' }, defaultRequest: { cpu: '8' } }] },
    },
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'low' },
      value: -5,
    },
  ],
});
/** @type {{ method: string, url: URL }[]} */
const asked = [];

before(async () => {
  const files = ['validating.yaml', 'mutating.yaml'].map((name) => join(folder, name));
  const program = join(folder, 'certificate.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...files]);
  made = JSON.parse(stdout);
  const [{ stringData }] = made.items;
  for (const [name, text] of Object.entries(stringData))
    await writeFile(join(scratch, name), String(text));
});
after(async () => {
  agent.destroy();
  api.dispose();
  await rm(scratch, { recursive: true });
});

/**
 * Returns the kubeconfig of an API server for the test.
 * @param {import('node:test').TestContext} t
 */
async function kubeconfigOf(t) {
  const upstream = await listen(
    (request) => {
      asked.push({ method: request.method, url: new URL(request.url) });
      return api.fetch(request);
    },
    { port: 0 },
  );
  t.after(() => upstream.close());
  const kubeconfig = join(scratch, 'config');
  const config = {
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: upstream.url } }],
    users: [{ name: 'u', user: { token: 'abc' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  return kubeconfig;
}

/**
 * Runs the example's server in a process of its own.
 * @param {import('node:test').TestContext} t
 * @param {...string} flags
 */
async function serve(t, ...flags) {
  const kubeconfig = await kubeconfigOf(t);
  const own = ['--host', '127.0.0.1', '--port', '0', '--tls', scratch, '--kubeconfig', kubeconfig];
  const server = spawn(process.execPath, [join(folder, 'server.js'), ...own, ...flags]);
  const exited = once(server, 'exit');
  t.after(() => server.kill('SIGKILL'));
  const lines = [];
  let url = '';
  for await (const line of createInterface(server.stderr)) {
    lines.push(line);
    url = /^listening on (.*)$/.exec(line)?.[1] ?? url;
    if (line === 'the cluster is known') break;
  }
  assert.notEqual(url, '', lines.join('\n'));
  return { port: Number(new URL(url).port), server, exited };
}

/**
 * Sends a request as an API server does: to the Service's name, trusting the caBundle alone.
 * @param {number} port
 * @param {string} method
 * @param {string} [body]
 */
async function ask(port, method, body, path = '/?timeout=5s') {
  const { caBundle, service } = made.items[1].webhooks[0].clientConfig;
  const request = httpsRequest({
    ...{ host: '127.0.0.1', port, path, method, agent },
    ca: Buffer.from(caBundle, 'base64'),
    servername: `${service.name}.${service.namespace}.svc`,
    headers: { 'Content-Type': 'application/json' },
  });
  request.end(body);
  const [response] = await once(request, 'response');
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode, body: text && JSON.parse(text) };
}

const huge = recordedPod({ metadata: { name: 'huge' }, spec: makePod('huge', { cpu: '64' }).spec });

test('the webhook warns over HTTPS, and names the faults of requests', async (t) => {
  const { port, server, exited } = await serve(t);
  const review = JSON.stringify(reviewOf(huge));
  const { status, body } = await ask(port, 'POST', review);
  assert.equal(status, 200);
  const { uid, allowed, warnings } = body.response;
  assert.deepEqual([uid, allowed, warnings.length], [reviewOf(huge).request.uid, true, 2]);
  assert.match(warnings[0], /^pod "huge" would be unschedulable even in an empty cluster: 0\/1 /);

  const template = {
    spec: { ...makePod('p').spec, priorityClassName: 'low', restartPolicy: 'Never' },
  };
  const job = await stored({ kind: 'Job', metadata: { name: 'train' }, spec: { template } });
  const fits = await ask(port, 'POST', JSON.stringify(reviewOf(job)));
  assert.deepEqual(fits.body.response.auditAnnotations, { fits: 'Now', node: 'a' });

  const silent = { spec: { ...template.spec, containers: [{ name: 'c', image: 'c' }] } };
  const large = await stored({
    kind: 'Job',
    metadata: { name: 'all' },
    spec: { template: silent },
  });
  const warned = await ask(port, 'POST', JSON.stringify(reviewOf(large)));
  assert.match(warned.body.response.warnings[0], /^the pod of Job "all" .*Insufficient cpu/);

  const v1beta1 = review.replace('admission.k8s.io/v1', 'admission.k8s.io/v1beta1');
  const noObject = JSON.stringify(reviewOf(huge, { object: null }));
  const tooLarge = JSON.stringify({ ...reviewOf(huge), padding: 'x'.repeat(8 << 20) });
  for (const [code, bad] of /** @type {[number, string][]} */ ([
    [400, v1beta1],
    [400, noObject],
    [400, '{'],
    [413, tooLarge],
  ])) {
    const answer = await ask(port, 'POST', bad);
    assert.deepEqual([answer.status, answer.body.kind, answer.body.code], [code, 'Status', code]);
  }
  assert.equal((await ask(port, 'GET', undefined)).status, 405);
  assert.equal((await ask(port, 'GET', undefined, '/readyz')).status, 200);
  server.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null], 'it ends by itself');
});

test('the short one warns as well', async (t) => {
  const files = ['tls.key', 'tls.crt'].map((name) => join(scratch, name));
  const env = { ...process.env, KUBECONFIG: await kubeconfigOf(t) };
  const server = spawn(process.execPath, [join(folder, 'webhook.js'), ...files, '0'], { env });
  t.after(() => server.kill('SIGKILL'));
  const [line] = await once(createInterface(server.stderr), 'line');
  const [, port] = /^listening on https:\/\/\S+:(\d+)$/.exec(line) ?? assert.fail(line);
  const { status, body } = await ask(Number(port), 'POST', JSON.stringify(reviewOf(huge)));
  assert.equal(status, 200);
  assert.match(body.response.warnings[0], /^pod "huge" would be unschedulable even in an empty /);
});

test('the webhook denies or annotates according to its mode', async (t) => {
  const review = JSON.stringify(reviewOf(huge));
  const denying = await serve(t, '--mode', 'deny');
  const denied = await ask(denying.port, 'POST', review);
  const { allowed, status } = denied.body.response;
  assert.deepEqual([allowed, status.code, status.reason], [false, 422, 'Invalid']);
  const annotating = await serve(t, '--mode', 'annotate');
  const { body } = await ask(annotating.port, 'POST', review);
  assert.deepEqual([body.response.allowed, body.response.patchType], [true, 'JSONPatch']);
  const [, { path, value }] = JSON.parse(atob(body.response.patch));
  assert.equal(path, '/metadata/annotations/stowage~1predicted-reason');
  assert.match(value, /^pod "huge" would be unschedulable/);
});

test('the webhook uses exactly the permissions of its ClusterRole', async () => {
  const role = (await read('rbac.yaml')).find(({ kind }) => kind === 'ClusterRole');
  const granted = role.rules.flatMap((/** @type {any} */ { apiGroups, resources, verbs }) =>
    apiGroups.flatMap((/** @type {string} */ group) =>
      resources.flatMap((/** @type {string} */ resource) =>
        verbs.map((/** @type {string} */ verb) => `${verb} ${resource}.${group}`),
      ),
    ),
  );
  const needed = asked.flatMap(({ method, url }) => {
    assert.equal(method, 'GET');
    const [root, ...segments] = url.pathname.split('/').slice(1);
    const group = root === 'api' ? '' : segments[0];
    const resource = `${segments.at(-1)}.${group}`;
    // Lists come as watches if the server supports that, otherwise as lists.
    return url.searchParams.has('watch')
      ? [`list ${resource}`, `watch ${resource}`]
      : [`list ${resource}`];
  });
  assert.deepEqual([...new Set(granted)].sort(), [...new Set(needed)].sort());
});

/** Returns all namespaced resources of the API server, without subresources. */
async function namespacedKinds() {
  const get = async (/** @type {string} */ path) =>
    (await api.fetch(new Request(`http://api${path}`))).json();
  const { groups } = await get('/apis');
  const versions = groups.map((/** @type {any} */ group) => group.preferredVersion.groupVersion);
  const lists = await Promise.all(
    ['/api/v1', ...versions.map((/** @type {string} */ version) => `/apis/${version}`)].map(get),
  );
  return lists.flatMap(({ groupVersion, resources }) =>
    resources
      .filter((/** @type {any} */ { name, namespaced }) => namespaced && !name.includes('/'))
      .map((/** @type {any} */ { name, kind }) => ({ groupVersion, resource: name, kind })),
  );
}

/**
 * Whether the webhook evaluates objects of a kind.
 * @param {string} groupVersion
 * @param {string} kind
 */
async function asksAbout(groupVersion, kind) {
  let hasAsked = false;
  const evaluateAsync = async () => {
    hasAsked = true;
    throw new Error('not today');
  };
  const { fetch } = createAdmissionHandler({ cluster: { evaluateAsync }, mode: 'warn' });
  const [version, group = ''] = groupVersion.split('/').reverse();
  const template = { metadata: { labels: { app: 'a' } }, spec: makePod('p').spec };
  const jobTemplate = { spec: { template } };
  const spec = { ...template.spec, template, jobTemplate, selector: { matchLabels: { app: 'a' } } };
  const object = { metadata: { name: 'a', namespace: 'default' }, spec };
  const request = { uid: '1', operation: 'CREATE', namespace: 'default', object };
  const review = { ...reviewOf(huge), request: { ...request, kind: { group, version, kind } } };
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(review);
  await fetch(new Request('https://webhook/', { method: 'POST', headers, body }));
  return hasAsked;
}

test('the configuration registers exactly the kinds that the webhook evaluates', async () => {
  const kinds = await namespacedKinds();
  assert.ok(kinds.length > 20, `${kinds.length}`);
  const asked = [];
  for (const { groupVersion, resource, kind } of kinds)
    if (await asksAbout(groupVersion, kind)) asked.push(`${groupVersion} ${resource}`);
  for (const file of ['validating.yaml', 'mutating.yaml']) {
    const [{ webhooks }] = await read(file);
    const called = webhooks[0].rules.flatMap((/** @type {any} */ rule) => {
      const [[group], [version]] = [rule.apiGroups, rule.apiVersions];
      const groupVersion = group === '' ? version : `${group}/${version}`;
      return rule.resources.map((/** @type {string} */ name) => `${groupVersion} ${name}`);
    });
    assert.deepEqual(called.sort(), asked.sort(), file);
  }
});

test('the manifests fit together', async () => {
  const [service, deployment] = await read('deployment.yaml');
  const { spec } = deployment.spec.template;
  const [container] = spec.containers;
  const [secret, ...configurations] = made.items;
  assert.deepEqual(
    configurations.map((/** @type {any} */ { kind }) => kind),
    ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
  );
  for (const { webhooks } of configurations) {
    for (const { name, clientConfig, sideEffects, admissionReviewVersions, rules } of webhooks) {
      assert.ok(name.split('.').length >= 3, 'the API server wants three segments');
      assert.equal(sideEffects, 'None');
      assert.deepEqual(admissionReviewVersions, ['v1']);
      assert.ok(rules.every((/** @type {any} */ { operations }) => `${operations}` === 'CREATE'));
      const { namespace, name: called } = clientConfig.service;
      assert.deepEqual([namespace, called], [service.metadata.namespace, service.metadata.name]);
      assert.equal(atob(clientConfig.caBundle), secret.stringData['tls.crt']);
    }
  }
  assert.equal(spec.volumes[0].secret.secretName, secret.metadata.name);
  assert.deepEqual(service.spec.selector, deployment.spec.template.metadata.labels);
  assert.equal(service.spec.ports[0].targetPort, container.ports[0].name);
  const account = (await read('rbac.yaml')).find(({ kind }) => kind === 'ServiceAccount');
  assert.deepEqual(
    [spec.serviceAccountName, deployment.metadata.namespace],
    [account.metadata.name, account.metadata.namespace],
  );
});
