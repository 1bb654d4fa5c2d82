// Goal: a live cluster is answered for as its dump is. Method: an API server in this process that
// serves the objects of the dump, and both ways of asking.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createApiServer } from '../../../../js/apiserver/index.js';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { makePod } from '../../support/objects.js';
import { startNative } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const { engine } = await startNative();
const loadEngine = async () => engine;
const example = new URL('../../../../examples/small-cluster/cluster.json', import.meta.url)
  .pathname;
const { file } = await makeFolder();
// With both requests: a snapshot cannot say that the cluster has no LimitRange for the pod.
const requests = { cpu: '1', memory: '1Gi' };
const web = await file(
  'web.json',
  makePod('web-new', {
    spec: { containers: [{ name: 'main', image: 'a', resources: { requests } }] },
  }),
);
const config = new URL('../../../../examples/two-configurations/binpack.yaml', import.meta.url)
  .pathname;

/** @param {object[]} objects */
function connectionsTo(objects) {
  const server = createApiServer({ objects, controllers: [] });
  const asked = /** @type {any[]} */ ([]);
  const loadKubeconfig = async (/** @type {any[]} */ ...args) => {
    asked.push(args);
    return { baseUrl: 'http://apiserver.test', fetch: server.fetch };
  };
  return { server, asked, connections: { loadKubeconfig } };
}

test('a live cluster and its dump have the same output', async (t) => {
  const { server, asked, connections } = connectionsTo(parse(await readFile(example, 'utf8')));
  t.after(() => server.dispose());
  const kubeconfig = await file('kubeconfig.json', {
    apiVersion: 'v1',
    kind: 'Config',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  });
  const live = ['--kubeconfig', kubeconfig, '--context', 'c'];
  const dump = await file(
    'dump.json',
    (await runCli(['snapshot', ...live], { connections })).stdout,
  );
  const cases = [
    [['simulate'], [dump]],
    [['simulate'], [dump, web], [web]],
    [['explain', 'pod/fill-1'], [dump]],
    [
      ['explain', 'web-new', '-f', web],
      ['--cluster', dump],
    ],
    [
      ['check', '-f', web, '-o', 'json'],
      ['--cluster', dump],
    ],
    [
      ['capacity', '-f', web],
      ['--cluster', dump],
    ],
    [['diff', '--config', config], [dump]],
  ];
  for (const [argv, stored, added = []] of cases) {
    asked.length = 0;
    const now = await runCli([...argv, '-q', ...live, ...added], { connections, loadEngine });
    const then = await runCli([...argv, '-q', ...stored], { loadEngine });
    assert.deepEqual([now.stdout, now.code], [then.stdout, then.code], now.stderr);
    assert.ok(now.stdout.length > 0);
    assert.deepEqual(asked, [[kubeconfig, { context: 'c' }]]);
  }
});

test('a cluster without nodes, or without an answer, is exit code 2', async (t) => {
  const { server, connections } = connectionsTo([]);
  t.after(() => server.dispose());
  const argv = ['check', '-f', web, '--context', 'c'];
  const none = await runCli(argv, { connections, loadEngine });
  assert.deepEqual([none.code, none.stdout], [2, '']);
  assert.match(none.stderr, /^error: the cluster has no nodes\n/);
  const gone = {
    loadKubeconfig: async () => ({
      baseUrl: 'http://apiserver.test',
      fetch: async () =>
        Response.json({ kind: 'Status', message: 'who are you', code: 401 }, { status: 401 }),
    }),
  };
  const refused = await runCli(argv, { connections: gone, loadEngine });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /^error: nodes: .*who are you/);
});

test('flags that do not go together', async () => {
  const cases = [
    [['check', '-f', web, '--cluster', example, '--context', 'c'], /--cluster does not go with/],
    [['explain', 'x', '--kubeconfig', ''], /--kubeconfig needs a value/],
    [['simulate', '--context', ''], /--context needs a value/],
    [
      ['capacity', '-f', web],
      /needs a cluster: --cluster with a file.*, or --kubeconfig or --context/,
    ],
    [['diff', '--config', config], /diff needs a cluster/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await runCli(argv, { loadEngine });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});
