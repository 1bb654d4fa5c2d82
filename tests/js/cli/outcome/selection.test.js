import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { file } = await makeFolder();
const config = await file('config.json', {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
});
const labelled = (/** @type {string} */ name, /** @type {object} */ labels) =>
  storedPod(name, { metadata: { labels } });
const stdin = JSON.stringify(
  makeList(
    makeNode('a'),
    labelled('web', { app: 'web' }),
    labelled('db', { app: 'db', tier: 'x' }),
  ),
);

test('-l reports the pods with such labels; all are placed', async () => {
  const cases = [
    ['app=web', ['web']],
    ['app in (web,db)', ['web', 'db']],
    ['!tier', ['web']],
    ['tier', ['db']],
    ['app=none', []],
  ];
  for (const [selector, expected] of cases) {
    const argv = ['simulate', '-', '-l', String(selector), '-o', 'json'];
    const { code, stdout, stderr } = await runCli(argv, { stdin });
    const { pods } = JSON.parse(stdout);
    assert.deepEqual(
      pods.map((/** @type {any} */ { name }) => name),
      expected,
      String(selector),
    );
    assert.equal(code, 0);
    assert.equal(stderr.startsWith('no pending pods with such labels\n'), expected.length === 0);
  }
  const compared = await runCli(['diff', '-', '-l', 'tier=x', '--config', config], { stdin });
  assert.match(compared.stderr, /^0 of 1 pod differ\n/);
});

test('a selector that is none is a wrong command line', async () => {
  for (const argv of [
    ['simulate', '-'],
    ['diff', '-', '--config', config],
  ]) {
    const { code, stdout, stderr } = await runCli([...argv, '-l', 'a in ('], { stdin });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^error: --selector: /);
  }
});
