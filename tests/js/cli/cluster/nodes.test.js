// Goal: a file without nodes, such as one of manifests, is reported, and not as a full cluster.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { file } = await makeFolder();
const none = await file('none.json', makeList(storedPod('there')));
const one = await file('one.json', makeList(makeNode('a')));
const web = await file('web.json', makePod('web'));
const config = await file('config.json', {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
});

test('no nodes is bad input, where a question is about a cluster', async () => {
  const loadEngine = async () => assert.fail('the engine is not needed');
  const cases = [
    ['check', '-f', web, '--cluster', none],
    ['capacity', '-f', web, '--cluster', none],
    ['explain', 'web', '-f', web, '--cluster', none],
    ['explain', 'there', none],
    ['diff', none, '--config', config],
  ];
  for (const argv of cases) {
    const { code, stdout, stderr } = await runCli(argv, { loadEngine });
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, /^error: .*none\.json: there are no nodes; a cluster is what "stowage/);
  }
  const { stderr } = await runCli(['check', '-f', web, '--cluster', '-'], {
    stdin: '[]',
    loadEngine,
  });
  assert.match(stderr, /^error: standard input: there are no nodes; /);
});

test('a simulation without nodes has kube-scheduler’s message', async () => {
  const { code, stderr } = await runCli(['simulate', web]);
  assert.deepEqual([code, stderr.includes('there are no nodes')], [1, false]);
});

test('nodes may come with the manifests', async () => {
  const { code } = await runCli(['check', '-f', web, '-f', one, '--cluster', none, '-q']);
  assert.equal(code, 0);
});
