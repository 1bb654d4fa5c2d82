// Goal: manifests are validated as kubectl has it done: strict in check, a warning elsewhere, and
// not at all on demand; dumps are not. Method: the commands on manifests with each kind of fault.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { file } = await makeFolder();
const cluster = await file('cluster.json', makeList(makeNode('a')));
const typo = await file(
  'typo.yaml',
  `apiVersion: v1
kind: Pod
metadata: {name: typo, namespace: shop}
spec:
  nodeselector: {disk: ssd}
  containers:
  - name: c
    image: x
    resource:
      requests:
        cpu: 64
    image: z
`,
);
const TYPOS = [
  [12, 'duplicate field "spec.containers[0].image"'],
  [9, 'unknown field "spec.containers[0].resource"; did you mean resources?'],
  [5, 'unknown field "spec.nodeselector"; did you mean nodeSelector?'],
];

/** @param {string[]} argv @param {object} [options] */
const check = (argv, options) => runCli(['check', '--cluster', cluster, ...argv], options);

test('check rejects what the API server would reject, each field with its line', async () => {
  const { code, stdout, stderr } = await check(['-f', typo]);
  assert.deepEqual([code, stdout], [2, '']);
  const lines = TYPOS.map(
    ([line, words]) =>
      `error: ${typo}: document 1, line ${line}, column 5: Pod shop/typo: strict decoding error: ` +
      words,
  );
  assert.deepEqual(
    stderr.trimEnd().split('\n').slice(0, -1),
    lines.map((line) => line.replace('line 5, column 5', 'line 5, column 3')),
  );
});

test('a wrong type, a missing field and a bad name are refused as well', async () => {
  const deployment = (/** @type {object} */ spec, name = 'web') => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { template: { metadata: { labels: { app: 'web' } }, spec: makePod('').spec }, ...spec },
  });
  const selector = { matchLabels: { app: 'web' } };
  const cases = /** @type {[object, RegExp][]} */ ([
    [deployment({ selector, replicas: '2' }), /cannot unmarshal string into Go struct field/],
    [deployment({}), /Deployment default\/web: spec\.selector: Required value/],
    [deployment({ selector }, 'Web'), /metadata\.name: Invalid value: "Web": a lowercase RFC 1123/],
    [makePod('p', { spec: { containers: [{ name: 'c' }] } }), /containers\[0\]\.image: Required/],
    [makePod('p', { metadata: { labels: { a: '!' } } }), /metadata\.labels: Invalid value: "!"/],
  ]);
  for (const [object, message] of cases) {
    const { code, stderr } = await check(['-'], { stdin: JSON.stringify(object) });
    assert.equal(code, 2, JSON.stringify(object));
    assert.match(stderr, message);
  }
  const twice = JSON.stringify(makePod('p')).replace('"spec":', '"spec":{},"spec":');
  const { code, stderr } = await check(['-'], { stdin: `{"kind":"List","items":[${twice}]}` });
  assert.equal(code, 2);
  assert.match(stderr, /strict decoding error: duplicate field "spec"\n/);
});

test('a key given twice is refused in objects of every kind', async () => {
  const kinds = /** @type {[string, string][]} */ ([
    ['example.com/v1', 'Widget'],
    ['argoproj.io/v1alpha1', 'Rollout'],
    ['v1', 'ConfigMap'],
    ['batch/v1', 'Job'],
  ]);
  const pod = JSON.stringify(makePod('p'));
  for (const [apiVersion, kind] of kinds) {
    const head = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x}`;
    const twice = `${head}\nspec: {a: 1}\nspec: {a: 2}\n---\n${pod}`;
    const { code, stderr } = await check(['-'], { stdin: twice });
    assert.equal(code, 2, kind);
    assert.match(
      stderr,
      new RegExp(`: ${kind} .*x: strict decoding error: duplicate field "spec"`),
    );
    const lax = await check(['-', '--validate=ignore'], { stdin: twice });
    assert.doesNotMatch(lax.stderr, /duplicate/, kind);
  }
});

test('a value that its field does not support is named with the object and the field', async () => {
  const template = { metadata: { labels: { app: 'web' } }, spec: makePod('').spec };
  const workload = { selector: { matchLabels: { app: 'web' } }, template };
  const object = (/** @type {string} */ type, /** @type {object} */ fields) => {
    const [apiVersion, kind] = type.split(' ');
    return { apiVersion, kind, metadata: { name: 'x' }, ...fields };
  };
  const expression = { scopeName: 'PriorityClass', operator: 'Foo' };
  const cases = /** @type {[object, string, string][]} */ ([
    [
      object('apps/v1 Deployment', {
        spec: { ...workload, strategy: { rollingUpdate: { maxSurge: '1x' } } },
      }),
      'Deployment default/x',
      'spec.strategy.rollingUpdate.maxSurge: Invalid value: "1x": a valid percent string must be ',
    ],
    [
      object('apps/v1 StatefulSet', { spec: { ...workload, updateStrategy: { type: 'Foo' } } }),
      'StatefulSet default/x',
      'spec.updateStrategy: Invalid value: {"Type":"Foo","RollingUpdate":null}: must be ',
    ],
    [
      object('policy/v1 PodDisruptionBudget', { spec: { minAvailable: '101%' } }),
      'PodDisruptionBudget default/x',
      'spec.minAvailable: Invalid value: "101%": must not be greater than 100%',
    ],
    [
      object('scheduling.k8s.io/v1 PriorityClass', { value: 1, preemptionPolicy: 'Foo' }),
      'PriorityClass x',
      'preemptionPolicy: Unsupported value: "Foo": supported values: "PreemptLowerPriority", ',
    ],
    [
      object('v1 ResourceQuota', { spec: { scopeSelector: { matchExpressions: [expression] } } }),
      'ResourceQuota default/x',
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "Foo": not a valid selector ',
    ],
  ]);
  for (const [value, who, words] of cases) {
    const path = await file('unsupported.json', value);
    const place = `${path}: document 1, line 1, column \\d+: `;
    const checked = await check(['-f', path]);
    assert.equal(checked.code, 2, checked.stderr);
    const [error] = checked.stderr.split('\n');
    assert.match(error, new RegExp(`^error: ${place}`));
    assert.ok(error.includes(`: ${who}: ${words}`), error);
    const served = await runCli(['up', '-f', path, '--port', '0']);
    assert.equal(served.code, 2, served.stderr);
    assert.ok(served.stderr.includes(` is invalid: ${words}`), served.stderr);
    const simulated = await runCli(['simulate', cluster, '-f', path, '-q']);
    assert.equal(simulated.code, 0, simulated.stderr);
    assert.ok(simulated.stderr.startsWith(`warning: ${path}: line 1: ${who}: ${words}`));
  }
});

test('--validate chooses the mode of validation', async () => {
  for (const mode of ['warn', 'ignore', 'false']) {
    const { code, stderr } = await check(['-f', typo, '-q', `--validate=${mode}`]);
    assert.equal(code, 0, mode);
    const warned = stderr.split('\n').filter((line) => line.startsWith('warning: '));
    assert.equal(warned.length, mode === 'warn' ? TYPOS.length : 0, stderr);
  }
  assert.equal((await check(['-f', typo, '--validate=true'])).code, 2);
  const wrong = await check(['-f', typo, '--validate=loud']);
  assert.match(wrong.stderr, /^error: --validate is one of strict, warn, ignore, not "loud"/);
});

test('other commands warn, once for a fault of many objects', async () => {
  const argvs = [
    ['simulate', cluster, '-f', typo],
    ['explain', 'typo', '-f', typo, '--cluster', cluster],
    ['capacity', '-f', typo, '--cluster', cluster, '--max-limit', '1'],
  ];
  for (const argv of argvs) {
    const { stderr } = await runCli(argv);
    assert.match(stderr, /^warning: .*line 5: Pod shop\/typo: strict decoding error: unknown /m);
    assert.equal((await runCli([...argv, '--validate=strict'])).code, 2, argv[0]);
  }
  const odd = (/** @type {string} */ name) => makePod(name, { spec: { prioritty: 1 } });
  const { stderr, stdout } = await runCli(['simulate', '-', '-o', 'json'], {
    stdin: JSON.stringify(makeList(makeNode('a'), odd('p'), odd('q'), odd('r'))),
  });
  assert.match(
    stderr,
    /^warning: .*"spec\.prioritty"; did you mean priority\? \(and in 2 more objects\)$/m,
  );
  assert.equal(JSON.parse(stdout).warnings.length, 1);
});

test('stored objects and unknown kinds are not validated', async () => {
  const newer = storedPod('newer', { spec: { fieldOfNextYear: true } });
  const dump = await file('dump.json', makeList(makeNode('a'), newer));
  const custom = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 't' }, odd: 1 };
  const manifest = await file('fine.json', makeList(makePod('p'), custom));
  const checked = await runCli(['check', '-f', manifest, '--cluster', dump, '-q']);
  assert.deepEqual([checked.code, checked.stderr], [0, '']);
  assert.doesNotMatch((await runCli(['simulate', dump])).stderr, /warning/);
});

test('an object whose name is no string is named by its kind', async () => {
  const text = 'apiVersion: v1\nkind: Pod\nmetadata: { name: {{ .Values.name }} }\nspec: {}\n';
  const { code, stderr } = await check(['-f', '-'], { stdin: text });
  assert.equal(code, 2);
  const line = 'document 1, line 3, column 19: Pod: metadata.name: Invalid value: ';
  assert.ok(stderr.startsWith(`error: standard input: ${line}`), stderr);
});

test('files that configure programs are refused, and --skip-invalid skips them', async () => {
  const web = await file('both/web.json', makePod('web'));
  const kustomization = await file(
    'both/kustomization.yaml',
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [web.json]\n',
  );
  const folder = web.slice(0, web.lastIndexOf('/'));
  const { code, stdout, stderr } = await check(['-f', folder]);
  assert.equal(code, 2);
  assert.match(stdout, /pod\/web +1 +1 +Fits/);
  assert.match(
    stderr,
    /: no matches for kind "Kustomization" .*: "kubectl kustomize" prints objects$/m,
  );
  const skipped = await check(['-f', folder, '--skip-invalid']);
  assert.equal(skipped.code, 0);
  assert.match(
    skipped.stderr,
    /^warning: skipped: 1 file holds no object: .*kustomization\.yaml$/m,
  );
  assert.equal((await check(['-f', kustomization])).code, 2);
});

test('tolerations may compare numbers if their feature gate is on', async () => {
  const comparing = (/** @type {string} */ operator) =>
    makePod(`with-${operator.toLowerCase()}`, {
      spec: { tolerations: [{ key: 'sla', operator, value: '900', effect: 'NoSchedule' }] },
    });
  const taints = [{ key: 'sla', value: '950', effect: 'NoSchedule' }];
  const nodes = await file('sla.json', makeList(makeNode('a', { spec: { taints } })));
  const path = await file('gt.json', comparing('Gt'));
  const gate = 'TaintTolerationComparisonOperators';
  const asked = (/** @type {string[]} */ gates, command = 'check') =>
    runCli([command, '-f', path, '--cluster', nodes, ...gates]);
  const on = await asked(['--feature-gates', `${gate}=true`]);
  assert.match(on.stdout, /with-gt +1 +1 +Fits/);
  assert.deepEqual([on.code, (await asked(['--feature-gates', 'AllAlpha=true'])).code], [0, 0]);
  const counted = await asked(['--feature-gates', `${gate}=true`], 'capacity');
  assert.doesNotMatch(counted.stderr, /Unsupported value/);
  for (const gates of [[], ['--feature-gates', `AllAlpha=true,${gate}=false`]])
    assert.match((await asked(gates)).stderr, /Unsupported value: "Gt"/);
  const like = await file('like.json', comparing('Like'));
  const other = await check(['-f', like, '--feature-gates', `${gate}=true`]);
  assert.match(other.stderr, /Unsupported value: "Like"/);
});

test('a comparison with something else than an integer is refused', async () => {
  const tolerations = [{ key: 'sla', operator: 'Gt', value: 'high', effect: 'NoSchedule' }];
  const path = await file('high.json', makePod('high', { spec: { tolerations } }));
  const gates = ['--feature-gates', 'TaintTolerationComparisonOperators=true'];
  const { code, stderr } = await check(['-f', path, ...gates]);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /spec\.tolerations\[0\]\.value: Invalid value: "high": must be a valid decim/,
  );
});

test('the node affinity of a volume may change if its feature gate is on', async () => {
  const volume = (/** @type {string} */ zone, /** @type {object} */ metadata = {}) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v', ...metadata },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'd', volumeHandle: 'h' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] },
          ],
        },
      },
    },
  });
  const own = makeList(makeNode('a'), volume('a', { uid: 'u' }));
  const path = await file('volumes.json', own);
  const moved = await file('moved.json', makeList(volume('b'), makePod('p')));
  const asked = (/** @type {string[]} */ ...gates) =>
    runCli(['check', '--cluster', path, '-f', moved, ...gates]);
  assert.match((await asked()).stderr, /spec\.nodeAffinity: Invalid value: .*field is immutable/);
  const { code, stderr } = await asked('--feature-gates', 'MutablePVNodeAffinity=true');
  assert.equal(code, 0, stderr);
});

test('fields of features that are off are dropped, as the API server does', async () => {
  const containers = [{ name: 'c', image: 'i', resources: { claims: [{ name: 'r' }] } }];
  const resourceClaims = [{ name: 'r', resourceClaimTemplateName: 't' }];
  const exactly = { deviceClassName: 'gpu', capacity: { requests: { memory: '1Gi' } } };
  const version = { apiVersion: 'resource.k8s.io/v1' };
  const template = {
    ...version,
    kind: 'ResourceClaimTemplate',
    metadata: { name: 't', namespace: 'default' },
    spec: { spec: { devices: { requests: [{ name: 'r', exactly }] } } },
  };
  const pool = { name: 'a', resourceSliceCount: 1, generation: 1 };
  const capacity = { memory: { value: '2Gi' } };
  const slice = {
    ...version,
    kind: 'ResourceSlice',
    metadata: { name: 's', uid: 's' },
    spec: { driver: 'd', nodeName: 'a', pool, devices: [{ name: 'd0', capacity }] },
  };
  const gpu = { ...version, kind: 'DeviceClass', metadata: { name: 'gpu', uid: 'g' }, spec: {} };
  const devices = await file('devices.json', makeList(makeNode('a'), gpu, slice));
  const pod = makePod('trainer', { spec: { containers, resourceClaims } });
  const path = await file('trainer.json', makeList(template, pod));
  const old = ['--kubernetes-version', '1.35'];
  for (const flags of [[], old, [...old, '--validate', 'ignore']]) {
    const { code, stdout } = await runCli(['check', '--cluster', devices, '-f', path, ...flags]);
    assert.match(stdout, /pod\/trainer +1 +1 +Fits/, flags.join(' '));
    assert.equal(code, 0);
  }
});

test('a constraint without matchLabelKeys counts all pods that it selects', async () => {
  const zones = ['a', 'b'].map((zone) =>
    makeNode(zone, { labels: { zone }, spec: { unschedulable: zone === 'b' } }),
  );
  const constraint = {
    maxSkew: 1,
    topologyKey: 'zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
    matchLabelKeys: ['revision'],
  };
  const old = storedPod('old', {
    metadata: { labels: { app: 'web', revision: '1' } },
    spec: { nodeName: 'a' },
  });
  const path = await file('zones.json', makeList(...zones, old));
  const pod = makePod('next', {
    metadata: { labels: { app: 'web', revision: '2' } },
    spec: { topologySpreadConstraints: [constraint] },
  });
  const next = await file('next.json', pod);
  const asked = (/** @type {string[]} */ ...gates) =>
    runCli(['check', '--cluster', path, '-f', next, ...gates]);
  assert.match((await asked()).stdout, /pod\/next +1 +1 +Fits/);
  const gates =
    'MatchLabelKeysInPodTopologySpread=false,MatchLabelKeysInPodTopologySpreadSelectorMerge=false';
  assert.match((await asked('--feature-gates', gates)).stdout, /pod\/next +1 +0 +DoesNotFit/);
});
