// Goal: the manifests of the example run the scheduler, with the rights that it needs and none
// besides. Method: they are read, and compared with the requests of one that does all it can.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parseRunArguments } from '../../../js/src/cli/run/arguments.js';
import { createApiClient } from '../../../js/src/informer.js';
import { runScheduler } from '../../../js/src/live.js';
import { liveConfiguration } from '../../../js/src/live/live_configuration.js';
import { parse, podsOf } from '../../../js/src/manifests.js';
import { ManualClock } from '../support/manual_clock.js';
import { makeNode, makePodGroup, storedPod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { DisturbedApiServer } from '../support/disturbed_apiserver.js';

const FOLDER = '../../../examples/second-scheduler/';
const read = (/** @type {string} */ name) =>
  readFile(new URL(`${FOLDER}${name}`, import.meta.url), 'utf8');

const objectsOf = async (/** @type {string} */ name) =>
  /** @type {any[]} */ ([...parse(await read(name))]);
const rights = [...(await objectsOf('rbac.yaml')), ...(await objectsOf('leader-election.yaml'))];
const [deployment] = await objectsOf('deployment.yaml');
const [configMap] = await objectsOf('configuration.yaml');
const [pod] = await objectsOf('pod.yaml');
const [configuration] = /** @type {any[]} */ ([...parse(configMap.data['scheduler.yaml'])]);
const { spec } = deployment.spec.template;
const [container] = spec.containers;

const { engine } = await startNative();

/**
 * What a request is to RBAC: `verb group/resource`, with the namespace and the name that a rule may
 * be bound to.
 * @param {{ method: string, path: string, query: URLSearchParams }} asked
 */
function attributesOf({ method, path, query }) {
  const [root, ...segments] = path.split('/').slice(1);
  const group = root === 'api' ? '' : String(segments.shift());
  segments.shift();
  const isNamespaced = segments[0] === 'namespaces' && segments.length > 2;
  const namespace = isNamespaced ? segments[1] : undefined;
  const [kind, name, subresource] = isNamespaced ? segments.slice(2) : segments;
  const resource = subresource ? `${kind}/${subresource}` : kind;
  const read = query.has('watch') ? 'watch' : name ? 'get' : 'list';
  const verbs = { GET: read, POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
  const verb = verbs[/** @type {keyof verbs} */ (method)];
  return { verb, group, resource, name, namespace };
}

/** All that a role allows, one by one. @param {string} kind */
function grants(kind) {
  const { rules, metadata } = rights.find((object) => object.kind === kind);
  return rules.flatMap((/** @type {any} */ { apiGroups, resources, verbs, resourceNames = [''] }) =>
    apiGroups.flatMap((/** @type {string} */ group) =>
      resources.flatMap((/** @type {string} */ resource) =>
        verbs.flatMap((/** @type {string} */ verb) =>
          resourceNames.map((/** @type {string} */ only) => ({
            verb,
            group,
            resource,
            only,
            namespace: metadata.namespace,
          })),
        ),
      ),
    ),
  );
}

/**
 * @param {any} grant
 * @param {ReturnType<typeof attributesOf>} request
 */
function covers(grant, { verb, group, resource, name, namespace }) {
  const isIt = grant.verb === verb && grant.group === group && grant.resource === resource;
  const isThere = grant.namespace === undefined || grant.namespace === namespace;
  return isIt && isThere && (grant.only === '' || grant.only === name);
}

/** @param {string} name @param {string} provisioner */
const storageClass = (name, provisioner) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
  volumeBindingMode: 'WaitForFirstConsumer',
});

/** @param {string} name */
const claim = (name) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: name,
    volumeMode: 'Filesystem',
    resources: { requests: { storage: '1Gi' } },
  },
  status: { phase: 'Pending' },
});

const localVolume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    storageClassName: 'static',
    volumeMode: 'Filesystem',
    persistentVolumeReclaimPolicy: 'Retain',
    local: { path: '/mnt' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1'] }] },
        ],
      },
    },
  },
  status: { phase: 'Available' },
};

/** @param {string} name @param {any} [options] */
const ownPod = (name, { cpu = '100m', ...own } = {}) =>
  storedPod(name, { cpu, spec: { schedulerName: 'stowage', ...own } });

/** @param {string} name */
const podWithClaim = (name) =>
  ownPod(name, { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }] });

/** The grants for writes of device claims: no pod of this test has one. */
const FOR_DEVICES = [
  ...['create', 'delete', 'get', 'update'].map((verb) => `${verb} resource.k8s.io/resourceclaims`),
  ...['binding', 'status'].flatMap((subresource) =>
    ['patch', 'update'].map((verb) => `${verb} resource.k8s.io/resourceclaims/${subresource}`),
  ),
  'update /pods/finalizers',
];

test('the RBAC rules grant exactly the requests of a scheduler with every feature', async () => {
  const clock = new ManualClock();
  const server = new DisturbedApiServer({ clock });
  server.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stowage' } });
  const stop = new AbortController();
  server.put(makeNode('n1', { cpu: '4' }));
  server.put(storageClass('static', 'kubernetes.io/no-provisioner'));
  server.put(storageClass('dynamic', 'csi.example.com'));
  server.put(localVolume);
  for (const name of ['static', 'dynamic']) {
    server.put(claim(name));
    server.put(podWithClaim(name));
  }
  server.put(makePodGroup('group', { minCount: 1 }));
  server.put(ownPod('member', { schedulingGroup: { podGroupName: 'group' } }));
  server.put(ownPod('low', { cpu: '2', priority: 0 }));
  const live = runScheduler({
    client: createApiClient({ baseUrl: 'http://apiserver.test', fetch: server.fetch, clock }),
    engine,
    configuration,
    featureGates: { GenericWorkload: true, GangScheduling: true },
    clock,
    random: () => 0.5,
    podMaxInUnschedulablePodsDuration: 10_000,
    signal: stop.signal,
  });
  await clock.advance(5000);
  // Preemption, and a pod that is tried again with the same result.
  server.put(ownPod('high', { cpu: '3', priority: 10 }));
  server.put(ownPod('never', { cpu: '99' }));
  await clock.advance(60_000);
  stop.abort();
  await live.done;

  // Lists are what is asked where a watch with initial events is refused.
  const watched = server.asked.filter(({ query }) => query.has('watch'));
  const lists = watched.map(({ path }) => ({ method: 'GET', path, query: new URLSearchParams() }));
  const requests = [...server.asked, ...lists].map(attributesOf);
  const granted = [...grants('ClusterRole'), ...grants('Role')];
  const text = (/** @type {any} */ { verb, group, resource, namespace = '*', name = '' }) =>
    `${verb} ${group}/${resource} ${namespace}/${name}`;
  const missing = requests.filter((request) => !granted.some((grant) => covers(grant, request)));
  const needless = granted.filter((grant) => !requests.some((request) => covers(grant, request)));
  assert.deepEqual([...new Set(missing.map(text))], [], 'asked for, and not granted');
  assert.deepEqual(
    needless.map(text).sort(),
    FOR_DEVICES.map((grant) => `${grant} */`).sort(),
    'granted, and not asked for',
  );
});

test('the commands of the README apply all manifests in the order of their needs', async () => {
  const readme = await read('README.md');
  const applied = [...readme.matchAll(/-f examples\/second-scheduler\/(\S+)/g)];
  assert.deepEqual(
    applied.map(([, file]) => file),
    ['rbac.yaml', 'leader-election.yaml', 'configuration.yaml', 'deployment.yaml', 'pod.yaml'],
  );
  const files = await readdir(new URL(FOLDER, import.meta.url));
  assert.equal(files.filter((file) => file.endsWith('.yaml')).length, applied.length);
});

test('the bindings are those of the pods’ service account', () => {
  for (const kind of ['ClusterRole', 'Role']) {
    const role = rights.find((object) => object.kind === kind);
    const binding = rights.find((object) => object.kind === `${kind}Binding`);
    assert.deepEqual(binding.roleRef, {
      apiGroup: 'rbac.authorization.k8s.io',
      kind,
      name: role.metadata.name,
    });
    assert.deepEqual(binding.subjects, [
      { kind: 'ServiceAccount', name: 'stowage', namespace: 'stowage' },
    ]);
  }
  const account = rights.find(({ kind }) => kind === 'ServiceAccount').metadata;
  assert.deepEqual(account, { name: spec.serviceAccountName, namespace: 'stowage' });
  assert.equal(rights.find(({ kind }) => kind === 'Role').metadata.namespace, 'stowage');
});

test('the command line, the configuration and the pod belong together', () => {
  const [command, ...flags] = container.args;
  assert.equal(command, 'run');
  const options = parseRunArguments(flags);
  const [mount] = container.volumeMounts;
  assert.equal(options.config, `${mount.mountPath}/${Object.keys(configMap.data)[0]}`);
  const volume = spec.volumes.find((/** @type {any} */ { name }) => name === mount.name);
  assert.equal(volume.configMap.name, configMap.metadata.name);
  const scheduler = engine.createScheduler({ configuration, api: 'host' });
  scheduler.dispose();
  const { election, firstScheduler } = liveConfiguration({ configuration });
  const role = rights.find(({ kind }) => kind === 'Role');
  assert.deepEqual(election?.lock, { namespace: role.metadata.namespace, name: 'stowage' });
  assert.equal(pod.spec.schedulerName, firstScheduler);
  assert.deepEqual([options.bindAddress, options.port], ['0.0.0.0', 10259]);
  const [port] = container.ports;
  assert.equal(port.containerPort, options.port);
  for (const [probe, path] of [
    ['startupProbe', '/livez'],
    ['livenessProbe', '/healthz'],
    ['readinessProbe', '/readyz'],
  ])
    assert.deepEqual(container[probe].httpGet, { path, port: port.name });
});

test('the Deployment makes two pods that may do no more than they need', async () => {
  const pods = podsOf(deployment);
  assert.equal(pods.length, 2);
  const { labels } = deployment.spec.template.metadata;
  assert.deepEqual(deployment.spec.selector.matchLabels, labels);
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
  assert.equal(container.securityContext.allowPrivilegeEscalation, false);
  assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] });
  assert.equal(spec.securityContext.runAsNonRoot, true);
  const { version } = JSON.parse(
    await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  assert.equal(container.image, `stowage:${version}`);
  const dockerfile = await read('Dockerfile');
  assert.match(dockerfile, new RegExp(`COPY stowage-${version}\\.tgz`));
  assert.match(dockerfile, new RegExp(`USER ${spec.securityContext.runAsUser}:`));
});
