// Goal: a command says what its input lacks, in its documents and beside them, and --strict makes
// that exit code 2. The command that gets every kind is the same wherever it stands.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../../../../js/src/cli/commands.js';
import { formatManual, overview } from '../../../../js/src/cli/arguments/manual.js';
import {
  GET_ALL_KINDS,
  KINDS_BESIDES,
  NEEDED_KINDS,
} from '../../../../js/src/kubernetes/needed_kinds.js';
import {
  kindOf,
  resourceText,
  SCHEDULER_KINDS,
} from '../../../../js/src/kubernetes/watched_kinds.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const root = new URL('../../../../', import.meta.url);
const schema = JSON.parse(await readFile(new URL('js/schema/stowage-v1.json', root), 'utf8'));
const { file } = await makeFolder();

const owner = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web',
  uid: 'u',
  controller: true,
};
const ownerReferences = [owner];
const dump = makeList(
  makeNode('a'),
  storedPod('web-1', { metadata: { ownerReferences } }),
  storedPod('web-2', { metadata: { ownerReferences } }),
);
const cluster = await file('cluster.json', dump);
const whole = await file(
  'whole.json',
  makeList(dump, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'default', uid: 'u' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: makePod('x').spec },
    },
  }),
);
const config = await file('config.json', {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
});
const requests = { cpu: '1', memory: '1Gi' };
const extra = await file(
  'extra.json',
  makePod('extra', {
    spec: {
      priorityClassName: 'system-cluster-critical',
      containers: [{ name: 'c', image: 'app:v1', resources: { requests } }],
    },
  }),
);

/** @param {string} clusterFile */
const commandsOn = (clusterFile) => [
  ['simulate', clusterFile],
  ['check', '-f', extra, '--cluster', clusterFile],
  ['explain', 'web-1', clusterFile],
  ['diff', clusterFile, '--config', config],
];

const LINE =
  'warning: the input has no ReplicaSet: PodTopologySpread needs default/web for 2 pods: ' +
  'default/web-1, default/web-2\n';

test('every command reports it, in its document and on stderr', async () => {
  for (const argv of commandsOn(cluster)) {
    const { stdout, stderr } = await runCli([...argv, '-q', '-o', 'json']);
    assert.equal(stderr, LINE, argv[0]);
    const document = JSON.parse(stdout);
    assert.deepEqual(validate(schema, document), [], argv[0]);
    assert.deepEqual(
      document.missing,
      [
        {
          kind: 'ReplicaSet',
          neededBy: ['PodTopologySpread'],
          names: ['default/web'],
          found: 0,
          certain: true,
          pods: ['default/web-1', 'default/web-2'],
        },
      ],
      argv[0],
    );
    const told = await runCli(argv);
    assert.ok(told.stderr.includes(LINE), argv[0]);
    assert.match(told.stderr, /^note: "stowage help simulate" shows the kubectl get/m);
  }
});

test('--strict: exit code 2, beside the answer', async () => {
  for (const argv of commandsOn(cluster)) {
    const { code, stdout, stderr } = await runCli([...argv, '--strict']);
    assert.equal(code, 2, argv[0]);
    assert.ok(stderr.includes(LINE.replace('warning', 'error')), argv[0]);
    assert.equal(stdout, (await runCli(argv)).stdout);
  }
});

test('without missing objects there is no warning', async () => {
  for (const argv of commandsOn(whole)) {
    const plain = await runCli([...argv, '-o', 'json']);
    assert.deepEqual(JSON.parse(plain.stdout).missing, [], argv[0]);
    assert.doesNotMatch(plain.stderr, /^(warning|note|error): /m);
    assert.equal((await runCli([...argv, '--strict'])).code, plain.code);
  }
});

test('capacity: what the next pod would need', async () => {
  const claimed = await file(
    'claimed.json',
    makePod('claimed', {
      spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
    }),
  );
  const argv = ['capacity', '-f', claimed, '--cluster', cluster, '-q', '-o', 'json'];
  const { stdout, stderr } = await runCli([...argv, '--max-limit', '1']);
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const claims = document.missing.find(({ kind }) => kind === 'PersistentVolumeClaim');
  assert.deepEqual(claims.names, ['default/data']);
  assert.match(
    stderr,
    /^warning: the input has no PersistentVolumeClaim: .* need default\/data for /m,
  );
});

test('kinds that the cluster may lack are in the document, and --strict reports them', async () => {
  const bare = await file('bare.json', makePod('bare', { metadata: { labels: { app: 'x' } } }));
  const argv = ['check', '-f', bare, '--cluster', whole];
  const { code, stdout, stderr } = await runCli([...argv, '-o', 'json']);
  assert.doesNotMatch(stderr, /^(warning|note): /m);
  assert.equal(code, 0);
  assert.deepEqual(
    JSON.parse(stdout).missing.map(({ kind, certain }) => [kind, certain]),
    [
      ['LimitRange', false],
      ['PriorityClass', false],
      ['Service', false],
    ],
  );
  const strict = await runCli([...argv, '--strict']);
  assert.equal(strict.code, 2);
  assert.match(
    strict.stderr,
    /^error: the input has no LimitRange: LimitRanger needs it for 1 pod: /m,
  );
});

const gold = await file(
  'gold.json',
  makePod('vip', { spec: { ...makePod('').spec, priorityClassName: 'gold' } }),
);
const bronze = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'bronze', uid: 'b' },
  value: 1,
};
const GOLD =
  'warning: the input has no PriorityClass: Priority needs gold for 1 pod: default/vip\n';
const HINT = 'note: "stowage help simulate" shows the kubectl get that has every kind\n';

/** @param {string} clusterFile */
const commandsWithGold = (clusterFile) => [
  ['simulate', clusterFile, '-f', gold],
  ['check', '-f', gold, '--cluster', clusterFile],
  ['explain', 'vip', '-f', gold, '--cluster', clusterFile],
  ['capacity', '-f', gold, '--cluster', clusterFile],
  ['diff', clusterFile, '-f', gold, '--config', config],
  ['snapshot', clusterFile, gold, '--anonymize'],
];

test('a PriorityClass that the input lacks is an error with the same hint', async () => {
  const nodes = await file('nodes.json', makeNode('a'));
  for (const argv of commandsWithGold(nodes)) {
    const { code, stderr } = await runCli(argv);
    assert.equal(code, 2, argv[0]);
    assert.match(stderr, /^error: .*gold\.json: .* no PriorityClass with name gold was found$/m);
    assert.ok(stderr.includes(GOLD + HINT), `${argv[0]}: ${stderr}`);
    const quiet = await runCli([...argv, '-q']);
    assert.ok(quiet.stderr.endsWith(GOLD), `${argv[0]}: ${quiet.stderr}`);
    if (argv[0] === 'snapshot') continue;
    const strict = await runCli([...argv, '--strict']);
    assert.ok(strict.stderr.includes(GOLD.replace('warning', 'error')), argv[0]);
  }
  for (const argv of commandsWithGold(nodes).slice(0, 2)) {
    const document = JSON.parse((await runCli([...argv, '-o', 'json'])).stdout);
    assert.deepEqual(validate(schema, document), []);
    assert.equal(document.problems.length, 1);
    assert.deepEqual(document.missing, [
      {
        kind: 'PriorityClass',
        neededBy: ['Priority'],
        names: ['gold'],
        found: 0,
        certain: true,
        pods: ['default/vip'],
      },
    ]);
  }
});

test('where the input has all PriorityClasses, the pod is at fault', async () => {
  const some = await file('some.json', makeList(makeNode('a'), bronze));
  const all = await file(
    'all.json',
    makeList(makeNode('a'), {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClassList',
      items: [bronze],
    }),
  );
  for (const argv of commandsWithGold(some)) {
    const { stderr } = await runCli(argv);
    assert.ok(stderr.includes('the input lacks PriorityClass gold: Priority needs it'), stderr);
  }
  for (const argv of commandsWithGold(all)) {
    const { code, stderr } = await runCli(argv);
    assert.equal(code, 2, argv[0]);
    assert.match(stderr, /no PriorityClass with name gold was found$/m);
    assert.doesNotMatch(stderr, /^(warning|note): /m, argv[0]);
  }
});

test('a List of one kind tells that the cluster has no more of it', async () => {
  const empty = (kind, apiVersion) => ({ apiVersion, kind: `${kind}List`, items: [] });
  const listed = await file(
    'listed.json',
    makeList(
      dump,
      empty('ReplicaSet', 'apps/v1'),
      empty('LimitRange', 'v1'),
      empty('PriorityClass', 'scheduling.k8s.io/v1'),
    ),
  );
  for (const argv of commandsOn(listed)) {
    const { stdout } = await runCli([...argv, '-o', 'json']);
    assert.deepEqual(JSON.parse(stdout).missing, [], argv[0]);
  }
});

test('the table has every kind that a scheduler watches', () => {
  const known = NEEDED_KINDS.map((needed) => resourceText(kindOf(needed)));
  assert.deepEqual(
    SCHEDULER_KINDS.map(resourceText).filter((name) => !known.includes(name)),
    [],
  );
  assert.equal(SCHEDULER_KINDS.length + KINDS_BESIDES.length, NEEDED_KINDS.length);
  for (const { kind, readBy } of NEEDED_KINDS) assert.ok(readBy.length > 0, kind);
});

test('the one command that gets them all', async () => {
  const folder = fileURLToPath(new URL('examples', root));
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.(md|js|html)$/.test(name) && !name.includes('node_modules'),
  );
  const texts = new Map(
    await Promise.all(
      ['README.md', ...files.map((name) => `examples/${name}`)].map(
        async (name) => /** @type {const} */ ([name, await readFile(new URL(name, root), 'utf8')]),
      ),
    ),
  );
  for (const { manual } of COMMANDS) texts.set(manual.name, formatManual(manual));
  texts.set('overview', overview(COMMANDS.map(({ manual }) => manual)));
  const found = [...texts].flatMap(([name, text]) =>
    [...text.matchAll(/kubectl get \S*,\S* [^|>`]*-o json/g)].map(([command]) => [name, command]),
  );
  for (const [name, command] of found) assert.equal(command, GET_ALL_KINDS, name);
  const shown = found.map(([name]) => name);
  for (const name of ['README.md', 'overview', 'simulate', 'snapshot', 'up'])
    assert.ok(shown.includes(name), name);
  assert.ok(shown.filter((name) => name.startsWith('examples/')).length >= 3);
});
