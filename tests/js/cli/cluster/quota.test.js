// Goal: a ResourceQuota that would refuse pods of a manifest is a warning in the API server's
// words, and changes no verdict. Method: check with quotas of each kind of bound and scope, and the
// other commands on one of them.
// Source of the words: apiserver/pkg/admission/plugin/resourcequota/controller.go, v1.36.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import {
  DEFAULT_STORAGE_CLASS,
  makeList,
  makeNode,
  makePod,
  storedPod,
} from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../../support/workloads.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();

/** @param {object} hard @param {object} used @param {object} [spec] */
const quota = (hard, used, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'team', namespace: 'default', uid: 'q' },
  spec: { hard, ...spec },
  status: { hard, used },
});

let count = 0;
/** @param {object[]} cluster @param {object} manifest @param {string[]} [flags] */
async function warningsOf(cluster, manifest, flags = []) {
  const number = (count += 1);
  const dump = await file(`cluster-${number}.json`, makeList(makeNode('a'), ...cluster));
  const path = await file(`manifest-${number}.json`, manifest);
  const argv = ['check', '-f', path, '--cluster', dump, '-o', 'json', ...flags];
  const { code, stdout, stderr } = await runCli(argv);
  const { fits, warnings } = JSON.parse(stdout);
  assert.deepEqual([code, fits], [0, true]);
  for (const warning of warnings) assert.ok(stderr.includes(`warning: ${warning}\n`), stderr);
  return warnings.map((/** @type {string} */ line) => line.slice(line.indexOf('.json: ') + 7));
}

test('an exceeded quota is reported in the API server’s words', async () => {
  const over = quota(
    { 'requests.cpu': '2', 'limits.memory': '4Gi', pods: '9' },
    { 'requests.cpu': '1500m', 'limits.memory': '1Gi', pods: '3' },
  );
  const resources = { requests: { cpu: '1' }, limits: { memory: '1Gi' } };
  const pod = makePod('web', { spec: { containers: [{ name: 'c', image: 'x', resources }] } });
  assert.deepEqual(await warningsOf([over], pod), [
    'Pod default/web: pods "web" is forbidden: exceeded quota: team, ' +
      'requested: requests.cpu=1, used: requests.cpu=1500m, limited: requests.cpu=2',
  ]);
  const silent = makePod('web', { spec: { containers: [{ name: 'c', image: 'x' }] } });
  assert.deepEqual(await warningsOf([over], silent), [
    'Pod default/web: pods "web" is forbidden: failed quota: team: ' +
      'must specify limits.memory for: c; requests.cpu for: c',
  ]);
});

test('a quota that no controller has seen counts the pods and claims of the cluster', async () => {
  const { status: _, ...unseen } = quota({ pods: '2', persistentvolumeclaims: '1' }, {});
  const claim = (/** @type {string} */ name, /** @type {string} */ uid) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', ...(uid && { uid }) },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const elsewhere = storedPod('c', { spec: { nodeName: 'a' } });
  const ended = { ...storedPod('d', { spec: { nodeName: 'a' } }), status: { phase: 'Succeeded' } };
  const cluster = [
    unseen,
    storedPod('b', { spec: { nodeName: 'a' } }),
    { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'other' } },
    ended,
    claim('data', 'u'),
  ];
  assert.deepEqual(await warningsOf(cluster, makePod('one')), []);
  assert.deepEqual(await warningsOf(cluster, makeList(makePod('one'), makePod('two'))), [
    'Pod default/two: pods "two" is forbidden: exceeded quota: team, ' +
      'requested: pods=1, used: pods=2, limited: pods=2',
  ]);
  assert.deepEqual(await warningsOf(cluster, makeList(makePod('one'), claim('more', ''))), [
    'PersistentVolumeClaim default/more: persistentvolumeclaims "more" is forbidden: exceeded ' +
      'quota: team, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, ' +
      'limited: persistentvolumeclaims=1',
  ]);
});

test('pods count one after another, and those that are replaced no more', async () => {
  const full = quota({ pods: '3', cpu: '8' }, { pods: '2', cpu: '2' });
  const spec = { selector: { matchLabels: { app: 'web' } }, replicas: 3 };
  const template = { metadata: { labels: { app: 'web' } }, spec: makePod('').spec };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web' },
    spec: { ...spec, template },
  };
  const [line, ...rest] = await warningsOf([full], set);
  assert.match(
    line,
    /^ReplicaSet default\/web: pods "web-1" is forbidden: exceeded quota: team, requested: pods=1,/,
  );
  assert.match(line, /used: pods=3, limited: pods=3 \(and 1 more of its pods\)$/);
  assert.deepEqual(rest, []);
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: 'web',
    uid: 'r',
    controller: true,
  };
  const old = ['web-a', 'web-b'].map((name) =>
    storedPod(name, { metadata: { ownerReferences: [owner] }, spec: { nodeName: 'a' } }),
  );
  const stored = { ...set, metadata: { name: 'web', namespace: 'default', uid: 'r' } };
  assert.deepEqual(await warningsOf([full, stored, ...old], set), []);
});

test('a quota counts the pods of its scopes and of its namespace', async () => {
  const hard = { pods: '0' };
  const priority = { scopeName: 'PriorityClass', operator: 'In', values: ['high'] };
  const cases = /** @type {[object, object, number][]} */ ([
    [{}, {}, 1],
    [{ scopes: ['Terminating'] }, {}, 0],
    [{ scopes: ['Terminating'] }, { activeDeadlineSeconds: 60 }, 1],
    [{ scopes: ['NotTerminating'] }, { activeDeadlineSeconds: 60 }, 0],
    [{ scopes: ['BestEffort'] }, {}, 0],
    [{ scopes: ['NotBestEffort'] }, {}, 1],
    [{ scopes: ['BestEffort'] }, { containers: [{ name: 'c', image: 'x' }] }, 1],
    [{ scopeSelector: { matchExpressions: [priority] } }, {}, 0],
    [{ scopeSelector: { matchExpressions: [{ ...priority, operator: 'NotIn' }] } }, {}, 1],
    [{ scopes: ['CrossNamespacePodAffinity'] }, {}, 0],
  ]);
  for (const [scope, spec, warned] of cases) {
    const warnings = await warningsOf([quota(hard, {}, scope)], makePod('p', { spec }));
    assert.equal(warnings.length, warned, JSON.stringify([scope, spec]));
  }
  assert.deepEqual(await warningsOf([quota(hard, {})], makePod('p'), ['-n', 'shop']), []);
});

const full = quota({ pods: '3' }, { pods: '2' });
const web = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: makePod('').spec },
  },
};
const REFUSED =
  'ReplicaSet default/web: pods "web-1" is forbidden: exceeded quota: team, requested: pods=1, ' +
  'used: pods=3, limited: pods=3 (and 1 more of its pods)';

/**
 * The warnings of a command, in its document and beside it.
 * @param {string[]} argv
 */
async function warningsIn(argv) {
  const { code, stdout, stderr } = await runCli([...argv, '-o', 'json']);
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const told = stderr.split('\n').filter((line) => /^warning: .* quota: /.test(line));
  assert.deepEqual(
    told,
    document.warnings.map((/** @type {string} */ line) => `warning: ${line}`),
    argv[0],
  );
  return { code, warnings: document.warnings };
}

test('every command that reads manifests warns in the same words', async () => {
  const old = storedPod('old', { spec: { nodeName: 'a' } });
  const cluster = await file('every.json', makeList(makeNode('a', { cpu: '9' }), full, old));
  const path = await file('every-web.json', web);
  const config = await file('config.json', {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
  });
  for (const argv of [
    ['check', '-f', path, '--cluster', cluster],
    ['simulate', cluster, '-f', path],
    ['diff', cluster, '-f', path, '--config', config],
    ['explain', 'web-0', '-f', path, '--cluster', cluster],
    ['explain', 'web-0', cluster, '-f', path],
  ])
    assert.deepEqual(
      await warningsIn(argv),
      { code: 0, warnings: [`${path}: ${REFUSED}`] },
      argv.join(' '),
    );
});

test('the new pods of a rollout count beside the old ones that stay', async () => {
  const options = (/** @type {object} */ rollingUpdate, image = 'app:v1') => ({
    image,
    spec: { replicas: 2, strategy: { type: 'RollingUpdate', rollingUpdate } },
  });
  const surge = { maxSurge: 1, maxUnavailable: 0 };
  const stored = owned(makeWorkload('Deployment', 'web', options(surge)));
  const set = replicaSetOf(stored, '7d4b', { replicas: 2 });
  const pods = [0, 1].map((at) => podOf(`web-7d4b-${at}`, set, { node: 'a' }));
  const next = (/** @type {object} */ limits) =>
    makeWorkload('Deployment', 'web', options(limits, 'app:v2'));
  for (const hard of [{ pods: '2' }, { 'requests.cpu': '2' }]) {
    const [name] = Object.keys(hard);
    const cluster = [quota(hard, hard), stored, set, ...pods];
    const [line, ...rest] = await warningsOf(cluster, next(surge));
    assert.match(line, /^Deployment default\/web: pods "web-\w+-0" is forbidden: exceeded quota: /);
    assert.ok(line.endsWith(`requested: ${name}=1, used: ${name}=2, limited: ${name}=2`), line);
    assert.deepEqual(rest, []);
    const roomier = quota({ [name]: '3' }, hard);
    assert.deepEqual(await warningsOf([roomier, stored, set, ...pods], next(surge)), []);
    // Old pods go while the new one is held back, which makes room for it.
    for (const limits of [
      { maxSurge: 1, maxUnavailable: 1 },
      { maxSurge: 0, maxUnavailable: 1 },
    ])
      assert.deepEqual(await warningsOf(cluster, next(limits)), []);
    assert.deepEqual(
      await warningsOf(cluster, makeWorkload('Deployment', 'web', options(surge))),
      [],
    );
    const more = { ...next(surge), spec: { ...next(surge).spec, replicas: 3 } };
    assert.equal((await warningsOf(cluster, more)).length, 1, 'one warning of a workload');
  }
});

test('claims count as a whole and by their class', async () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'big', namespace: 'default' },
    spec,
  };
  const set = makeWorkload('StatefulSet', 'db', {
    spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }] },
  });
  const pod = makePod('p', {
    spec: { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }] },
  });
  for (const [name, most] of [
    ['requests.storage', '5Gi'],
    ['std.storageclass.storage.k8s.io/requests.storage', '5Gi'],
    ['persistentvolumeclaims', '0'],
    ['std.storageclass.storage.k8s.io/persistentvolumeclaims', '0'],
    ['count/persistentvolumeclaims', '0'],
  ]) {
    const cluster = [quota({ [name]: most }, {}), DEFAULT_STORAGE_CLASS];
    const asked = name.endsWith('storage') ? '10Gi' : '1';
    const why =
      `is forbidden: exceeded quota: team, requested: ${name}=${asked}, used: ${name}=0, ` +
      `limited: ${name}=${most}`;
    for (const [object, claimName] of [
      [set, 'data-db-0'],
      [pod, 'p-v'],
      [claim, 'big'],
    ]) {
      const { kind, metadata } = object;
      // A claim alone is no workload, so another pod is asked about.
      const manifest = kind === claim.kind ? makeList(object, makePod('other')) : object;
      assert.deepEqual(await warningsOf(cluster, manifest), [
        `${kind} default/${metadata.name}: persistentvolumeclaims "${claimName}" ${why}`,
      ]);
    }
    const stored = { ...claim, metadata: { ...claim.metadata, uid: 'c' } };
    assert.deepEqual(await warningsOf([...cluster, stored], makeList(claim, makePod('other'))), []);
  }
  const ofPods = quota({ persistentvolumeclaims: '0' }, {}, { scopes: ['NotTerminating'] });
  assert.deepEqual(await warningsOf([ofPods, DEFAULT_STORAGE_CLASS], set), []);
});

test('a pod that one quota refuses does not count in another', async () => {
  const other = { ...full, metadata: { ...full.metadata, name: 'b', uid: 'b' } };
  const first = quota({ 'requests.cpu': '3' }, {});
  const [line] = await warningsOf([first, { ...other, spec: { hard: { pods: '0' } } }], web);
  assert.match(line, /exceeded quota: b, .*\(and 2 more of its pods\)$/);
});

test('capacity warns of a quota that is full before the nodes are', async () => {
  const path = await file('clone.json', makePod('web'));
  const cluster = await file('capacity.json', makeList(makeNode('a', { cpu: '3' }), full));
  const argv = ['capacity', '-f', path, '--cluster', cluster];
  const line = REFUSED.replace('ReplicaSet', 'Pod');
  assert.deepEqual(await warningsIn(argv), { code: 0, warnings: [`${path}: ${line}`] });
  const fitting = await warningsIn([...argv, '--max-limit', '1']);
  assert.deepEqual(fitting, { code: 0, warnings: [] });
  const written = await file(
    'written.json',
    makeList(makeNode('a'), full, makePod('one'), makePod('two')),
  );
  assert.deepEqual(
    await warningsIn(['capacity', '-f', path, '--cluster', written, '--max-limit', '1']),
    { code: 0, warnings: [] },
    'the pods of the cluster are not what is asked about',
  );
});

test('capacity warns of a quota that several pods use up together', async () => {
  const cluster = await file('together.json', makeList(makeNode('a', { cpu: '3' }), full));
  const pods = await file('both.json', makeList(makePod('web'), makePod('db', { cpu: '500m' })));
  for (const flags of [['--ratio', '1:1'], ['--in-order']]) {
    const argv = ['capacity', '-f', pods, '--cluster', cluster, ...flags, '-o', 'json'];
    const { stdout, stderr } = await runCli(argv);
    const { warnings, missing } = JSON.parse(stdout);
    assert.match(warnings?.[0] ?? '', /both.json: Pod default\/.*exceeded quota: /);
    for (const line of warnings) assert.ok(stderr.includes(`warning: ${line}\n`), line);
    assert.deepEqual(
      missing.map((/** @type {any} */ { kind }) => kind),
      ['LimitRange', 'PriorityClass'],
    );
  }
});

test('simulate: stored pods are counted once, and replaced ones are not', async () => {
  const stored = ['a', 'b'].map((name) => storedPod(name));
  const none = await file('stored.json', makeList(makeNode('a', { cpu: '9' }), full, ...stored));
  assert.deepEqual(await warningsIn(['simulate', none]), { code: 0, warnings: [] });
  const again = await file('again.json', makeList(makePod('a'), makePod('b'), makePod('c')));
  const twice = await warningsIn(['simulate', none, none, '-f', again]);
  assert.deepEqual(twice, { code: 0, warnings: [] });
  const more = await file('more.json', makePod('d'));
  const { warnings } = await warningsIn(['simulate', none, '-f', again, '-f', more]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /Pod default\/d: .* used: pods=3, limited: pods=3$/);
});
