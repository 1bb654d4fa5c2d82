import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeDump } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { file } = await makeFolder();
const stdin = JSON.stringify(makeDump());

test('old configurations say how they become ones of v1', async () => {
  const group = 'kubescheduler.config.k8s.io';
  const kind = 'KubeSchedulerConfiguration';
  const cases = [
    [
      { apiVersion: `${group}/v1beta3`, kind },
      /v1beta3 is not read: write \S+\/v1; since then Selector/,
    ],
    [{ apiVersion: `${group}/v1beta2`, kind }, /v1beta2 .*healthzBindAddress .*; SelectorSpread/],
    [
      { apiVersion: `${group}/v1beta1`, kind },
      /v1beta1 .*scoringStrategy .*; healthz.*; SelectorSpread/,
    ],
    [{ apiVersion: `${group}/v1alpha1`, kind }, /v1alpha1 .*scoringStrategy/],
    [
      { apiVersion: 'v1', kind: 'Policy', predicates: [] },
      /a Policy is not read: .*plugins\.filter/,
    ],
  ];
  for (const [configuration, expected] of cases) {
    for (const name of ['c.json', 'c.yaml']) {
      const path = await file(name, JSON.stringify(configuration));
      const argv = ['simulate', '-', '--config', path];
      const { code, stdout, stderr } = await runCli(argv, { stdin });
      assert.deepEqual([code, stdout], [2, '']);
      assert.ok(stderr.startsWith(`error: ${path}: `), stderr);
      assert.match(stderr, expected);
    }
  }
  const path = await file('c.yaml', `apiVersion: ${group}/v1\nkind: ${kind}\n`);
  assert.equal((await runCli(['simulate', '-', '--config', path], { stdin })).code, 1);
});

test('a flag that is misspelt is guessed', async () => {
  const cases = [
    [['simulate', '-', '--recursiv'], 'unknown flag --recursiv; did you mean --recursive?'],
    [['check', '-', '--clutser', 'x'], 'unknown flag --clutser; did you mean --cluster?'],
    [['run', '--dryrun'], 'unknown flag --dryrun; did you mean --dry-run?'],
    [['simulate', '-', '--zzzzzz'], 'unknown flag --zzzzzz'],
  ];
  for (const [argv, expected] of cases) {
    const { code, stderr } = await runCli(argv, { stdin });
    assert.deepEqual([code, stderr.split('\n')[0]], [2, `error: ${expected}`]);
  }
});
