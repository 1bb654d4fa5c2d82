// Goal: manifests that name no namespace are in that of the flag, else of the kubeconfig's context,
// else in default, as kubectl has it. Method: the commands with each of these; dumps stay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { file } = await makeFolder();
const cluster = await file('cluster.json', makeList(makeNode('a')));
const bare = await file('bare.json', makeList(makePod('bare')));
const named = await file(
  'named.json',
  makeList(makePod('named', { metadata: { namespace: 'web' } })),
);
const config = (/** @type {string} */ context) =>
  `apiVersion: v1
kind: Config
current-context: ${context}
contexts:
- {name: with, context: {cluster: c, user: u, namespace: shop}}
- {name: without, context: {cluster: c, user: u}}
`;
const shop = await file('kubeconfig', config('with'));
const none = await file('kubeconfig-without', config('without'));

/** @param {string[]} argv @param {object} [env] */
async function namespacesOf(argv, env) {
  const { stdout, stderr } = await runCli([...argv, '-o', 'json'], { env });
  assert.notEqual(stdout, '', stderr);
  const { workloads, pods, pod } = JSON.parse(stdout);
  if (workloads) return workloads.map((/** @type {any} */ it) => it.namespace);
  return pods?.map((/** @type {any} */ it) => it.namespace) ?? [pod.split('/')[0]];
}

const COMMANDS = [
  ['check', '-f', bare, '--cluster', cluster],
  ['capacity', '-f', bare, '--cluster', cluster, '--max-limit', '1'],
  ['simulate', cluster, bare],
  ['explain', 'bare', '-f', bare, '--cluster', cluster],
];

test('the flag, the context, else default: in every command', async () => {
  for (const argv of COMMANDS) {
    assert.deepEqual(await namespacesOf(argv), ['default'], argv[0]);
    assert.deepEqual(await namespacesOf([...argv, '-n', 'blue']), ['blue'], argv[0]);
    assert.deepEqual(await namespacesOf(argv, { KUBECONFIG: shop }), ['shop'], argv[0]);
    assert.deepEqual(await namespacesOf(argv, { KUBECONFIG: none }), ['default'], argv[0]);
    assert.deepEqual(
      await namespacesOf([...argv, '-n', 'blue'], { KUBECONFIG: shop }),
      ['blue'],
      argv[0],
    );
  }
});

test('a namespace that a manifest names stays, and no other flag goes with it', async () => {
  const argv = ['check', '-f', named, '--cluster', cluster];
  assert.deepEqual(await namespacesOf(argv, { KUBECONFIG: shop }), ['web']);
  assert.deepEqual(await namespacesOf([...argv, '-n', 'web']), ['web']);
  for (const [command, ...rest] of [argv, ['capacity', '-f', named, '--cluster', cluster]]) {
    const { code, stderr } = await runCli([command, ...rest, '--namespace', 'shop']);
    assert.equal(code, 2, command);
    assert.match(
      stderr,
      /the namespace from the provided object "web" does not match the namespace "shop"\. You must/,
    );
  }
  const whole = await runCli(['simulate', cluster, named, '-n', 'shop']);
  assert.equal(whole.code, 0, 'what is reported is no rule for the input');
});

test('a broken kubeconfig is reported; an absent one is not', async () => {
  const [argv] = COMMANDS;
  const broken = await file('broken', 'kind: [');
  const { code, stderr } = await runCli(argv, { env: { KUBECONFIG: broken } });
  assert.equal(code, 2);
  assert.match(stderr, /error loading config file/);
  assert.deepEqual(await namespacesOf(argv, { KUBECONFIG: '/nowhere/config' }), ['default']);
});

test('kinds outside of namespaces get none', async () => {
  const manifests = await file(
    'classes.json',
    makeList(
      {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: 'p' },
        value: 1,
      },
      makePod('bare', { spec: { priorityClassName: 'p' } }),
    ),
  );
  const argv = ['check', '-f', manifests, '--cluster', cluster, '-n', 'shop'];
  assert.deepEqual(await namespacesOf(argv), ['shop']);
});
