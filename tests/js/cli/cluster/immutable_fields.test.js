// Goal: a manifest that changes an immutable field of an object which the cluster has is refused as
// `kubectl apply` is, in each format, and one that does not is not. Method: `check` of manifests
// against objects as the API server in memory stores them, and against snapshots of these.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiServer } from '../../../../js/apiserver/index.js';
import { resourceOf } from '../../../../js/src/kubernetes/kinds.js';
import { snapshotOf } from '../../../../js/src/snapshot/snapshot.js';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload } from '../../support/workloads.js';

const { file } = await makeFolder();
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
let count = 0;

/**
 * Objects as a server stores them when kubectl applies them.
 * @param {any[]} manifests
 */
function applied(...manifests) {
  const { store } = createApiServer();
  return manifests.map((manifest) => {
    const { plural, namespaced } = /** @type {any} */ (resourceOf(manifest));
    const annotations = { [LAST_APPLIED]: JSON.stringify(manifest) };
    const place = namespaced ? { namespace: 'default' } : {};
    const metadata = { ...manifest.metadata, ...place, annotations };
    return store.create(plural, { ...manifest, metadata });
  });
}

/**
 * The errors of `check`, without the file and the position, and the exit code.
 * @param {any[]} cluster
 * @param {any[]} manifests
 * @param {string[]} [argv]
 * @param {{ reduced?: boolean }} [list] fields of the cluster's List
 */
async function check(cluster, manifests, argv = [], list = {}) {
  const items = makeList(makeNode('a', { cpu: '64' }), ...cluster);
  const dump = await file(`c${(count += 1)}.json`, { ...items, ...list });
  const path = await file(`m${count}.json`, makeList(...manifests));
  const result = await runCli(['check', '-f', path, '--cluster', dump, '-q', ...argv]);
  const errors = result.stderr.split('\n').filter((line) => /^error/.test(line));
  return { ...result, errors: errors.map((line) => line.replace(/^.*column \d+: /, '')) };
}

const core = (/** @type {string} */ kind, /** @type {object} */ fields) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x' },
  ...fields,
});
/** @param {string} kind @param {object} [spec] */
const written = (kind, spec = {}) => makeWorkload(kind, 'web', { spec });
/** @param {any} workload */
function reselected(workload) {
  const { spec } = workload;
  const labels = { app: 'web', b: 'c' };
  const template = { ...spec.template, metadata: { labels } };
  return { ...workload, spec: { ...spec, selector: { matchLabels: labels }, template } };
}
const claim = (/** @type {object} */ spec) =>
  core('PersistentVolumeClaim', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
  });
const volume = (/** @type {string} */ handle) =>
  core('PersistentVolume', {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'd.io', volumeHandle: handle },
    },
  });
const named = (/** @type {string} */ type, /** @type {object} */ fields) => {
  const [apiVersion, kind] = type.split(' ');
  return { apiVersion, kind, metadata: { name: 'x' }, ...fields };
};
const storageClass = (/** @type {object} */ fields) =>
  named('storage.k8s.io/v1 StorageClass', { provisioner: 'd.io', ...fields });

const deviceClaim = (/** @type {string} */ text) =>
  named('resource.k8s.io/v1 ResourceClaim', {
    spec: {
      devices: {
        requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }],
        config: [{ opaque: { driver: 'd.io', parameters: { text } } }],
      },
    },
  });

/** The stored manifest, the changed one, and the words of the refusal. */
const CHANGES = /** @type {[any, any, RegExp][]} */ ([
  ...['Deployment', 'ReplicaSet', 'DaemonSet'].map((kind) => [
    written(kind),
    reselected(written(kind)),
    /^\w+ default\/web: spec\.selector: Invalid value: .*: field is immutable$/,
  ]),
  [
    written('StatefulSet', { serviceName: 'a' }),
    written('StatefulSet', { serviceName: 'b' }),
    /^StatefulSet default\/web: spec: Forbidden: updates to statefulset spec for fields /,
  ],
  [
    written('StatefulSet'),
    written('StatefulSet', { podManagementPolicy: 'Parallel' }),
    /spec: Forbidden: updates to statefulset spec/,
  ],
  [
    written('StatefulSet', { volumeClaimTemplates: [claim({})] }),
    written('StatefulSet', { volumeClaimTemplates: [claim({ storageClassName: 'slow' })] }),
    /spec: Forbidden: updates to statefulset spec/,
  ],
  [
    written('Job'),
    makeWorkload('Job', 'web', { cpu: '2' }),
    /^Job default\/web: spec\.template: Invalid value: .*: field is immutable$/,
  ],
  [
    written('Job', { completions: 2 }),
    written('Job', { completions: 3 }),
    /spec\.completions: .*imm/,
  ],
  [
    claim({}),
    claim({ accessModes: ['ReadOnlyMany'] }),
    /^Pers.* default\/x: spec: Forbidden: spec is/,
  ],
  [volume('a'), volume('b'), /^Pers.* x: spec\.persistentvolumesource: Forbidden/],
  [
    storageClass({}),
    storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }),
    /Mode: .*immutable/,
  ],
  [
    named('scheduling.k8s.io/v1 PriorityClass', { value: 1 }),
    named('scheduling.k8s.io/v1 PriorityClass', { value: 2 }),
    /^PriorityClass x: value: /,
  ],
  [
    named('node.k8s.io/v1 RuntimeClass', { handler: 'a' }),
    named('node.k8s.io/v1 RuntimeClass', { handler: 'b' }),
    /^RuntimeClass x: handler: .*immutable$/,
  ],
]);
/** Changes of fields that no snapshot has. @type {typeof CHANGES} */
const WHOLE_ONLY = [
  [
    claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'a' } }),
    claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'b' } }),
    /^Pers.* default\/x: spec: Forbidden: spec is immutable/,
  ],
  [
    deviceClaim('a'),
    deviceClaim('b'),
    /^ResourceClaim default\/x: spec: Invalid value: .*field is immutable$/,
  ],
  [
    storageClass({ parameters: { type: 'a' } }),
    storageClass({ parameters: { type: 'b' } }),
    /parameters: Forbidden: updates to parameters are forbidden/,
  ],
  [
    core('Service', { spec: { ports: [{ port: 80 }] } }),
    core('Service', { spec: { ports: [{ port: 80 }], clusterIP: '10.0.9.9' } }),
    /^Service default\/x: spec\.clusterIPs\[0\]: .*may not change once set$/,
  ],
  [
    core('ConfigMap', { immutable: true, data: { a: 'b' } }),
    core('ConfigMap', { immutable: true, data: { a: 'c' } }),
    /^ConfigMap default\/x: data: Forbidden: field is immutable when `immutable` is set$/,
  ],
  [
    makePod('web'),
    makePod('web', { cpu: '2' }),
    /^Pod default\/web: spec: Forbidden: pod updates may not change fields other than /,
  ],
];

test('a change of an immutable field is refused, in the words of the API server', async () => {
  for (const [before, after, words] of [...CHANGES, ...WHOLE_ONLY]) {
    const cluster = applied(before);
    const { code, errors } = await check(cluster, [after]);
    assert.deepEqual([code, errors.length], [2, 1], `${after.kind}: ${errors.join('\n')}`);
    assert.match(errors[0], words);
    const same = await check(cluster, [before]);
    assert.deepEqual(same.errors, [], `${before.kind} as it is`);
    assert.deepEqual((await check([], [after])).errors, [], `a new ${after.kind}`);
  }
});

test('a snapshot answers as the cluster', async () => {
  for (const [before, after, words] of CHANGES) {
    const { items, reduced } = snapshotOf(applied(before));
    const { code, errors } = await check(items, [after], [], { reduced });
    assert.deepEqual([code, errors.length], [2, 1], `${after.kind}: ${errors.join('\n')}`);
    assert.match(errors[0], words);
  }
  for (const [before] of [...CHANGES, ...WHOLE_ONLY]) {
    const { items, reduced } = snapshotOf(applied(before));
    const { errors } = await check(items, [before], [], { reduced });
    assert.deepEqual(errors, [], before.kind);
  }
});

test('what-if says it of the objects that it applies', async () => {
  for (const [before, after, words] of [...CHANGES, ...WHOLE_ONLY]) {
    const dump = await file('w.json', makeList(makeNode('a', { cpu: '64' }), ...applied(before)));
    const manifest = await file('applied.json', after);
    const changes = await file('changes.json', {
      apiVersion: 'stowage/v1',
      kind: 'Changes',
      changes: [{ type: 'apply', object: after }],
    });
    for (const from of [
      ['--apply', manifest],
      ['-f', changes],
    ]) {
      const argv = ['whatif', '--cluster', dump, ...from];
      const strict = await runCli([...argv, '--validate', 'strict']);
      const said = strict.stderr.replace(
        /^error: \S+( changes\[0\]:)? (document.*column \d+: )?/,
        '',
      );
      assert.deepEqual([strict.code, strict.stdout], [2, ''], from[0]);
      assert.match(said.trimEnd(), words);
      const { code, stderr } = await runCli(argv);
      assert.ok(code < 2, stderr);
      assert.match(stderr, /^warning: .*(immutable|Forbidden|may not change)/m, from[0]);
    }
  }
});

test('every format has the refusal, and the workload is no verdict', async () => {
  const [before, after] = [written('Deployment'), reselected(written('Deployment'))];
  for (const format of ['json', 'junit', 'sarif', 'github', 'table']) {
    const { code, stdout, stderr } = await check(applied(before), [after], ['-o', format]);
    assert.equal(code, 2, format);
    assert.match(format === 'table' ? stderr : stdout, /spec\.selector: Invalid value/, format);
  }
  const warned = await check(applied(before), [after], ['--validate', 'warn']);
  assert.match(warned.stderr, /warning: .*field is immutable/);
  assert.equal(warned.code, 0);
});

test('what only the cluster has stays, and what the manifest before had goes away', async () => {
  const [set] = applied(written('StatefulSet', { serviceName: 'db' }));
  const { [LAST_APPLIED]: _, ...annotations } = set.metadata.annotations;
  const foreign = { ...set, metadata: { ...set.metadata, annotations } };
  assert.deepEqual((await check([foreign], [written('StatefulSet')])).errors, []);
  assert.match((await check([set], [written('StatefulSet')])).errors.join(), /spec: Forbidden/);
});

test('an exported Job is one with the stored Job, and no other one can be made of it', async () => {
  const [stored] = applied(written('Job'));
  const { uid, resourceVersion: _, ...metadata } = stored.metadata;
  const { status: __, ...exported } = stored;
  const anonymous = { ...exported, metadata };
  const withUid = { ...exported, metadata: { ...metadata, uid } };
  for (const manifest of [anonymous, withUid]) {
    assert.deepEqual((await check([stored], [manifest])).errors, []);
    const { code, errors } = await check([], [manifest]);
    assert.equal(code, 2);
    assert.match(errors.join(), /template\.metadata\.labels\[controller-uid\]: Invalid value/);
    assert.match(errors.join(), /spec\.selector: .*`selector` not auto-generated/);
    const [again] = applied(written('Job'));
    const later = await check(
      [{ ...again, metadata: { ...again.metadata, uid: 'later' } }],
      [manifest],
    );
    assert.equal(later.code, 2);
  }
});

test('a pod that tolerates something is applied again', async () => {
  const tolerations = [{ key: 'gpu', operator: 'Exists' }];
  const pod = makePod('web', { spec: { tolerations } });
  const [stored] = applied(pod);
  assert.equal(stored.spec.tolerations.length, 3);
  const bound = { ...stored, spec: { ...stored.spec, nodeName: 'a' } };
  assert.deepEqual((await check([bound], [pod])).errors, []);
});

test('a list that has a key twice is no change', async () => {
  const ports = ['TCP', 'UDP'].map((protocol) => ({ containerPort: 53, protocol }));
  const containers = [{ name: 'main', image: 'app:v1', ports }];
  const pod = makePod('dns', { spec: { containers } });
  assert.deepEqual((await check(applied(pod), [pod])).errors, []);
});

test('what was wrong with the stored object is no fault of the manifest', async () => {
  const [stored] = applied(written('Deployment'));
  const foreign = { ...stored, spec: { ...stored.spec, revisionHistoryLimit: -1 } };
  assert.deepEqual((await check([foreign], [written('Deployment')])).errors, []);
});
