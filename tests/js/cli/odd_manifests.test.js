// Goal: the command line reads unusual names and times correctly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPlacement } from '../../../js/src/whatif/without_placement.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';
import { startWasm } from '../support/real_engine.js';

const { engine } = await startWasm();

/** @param {string[]} argv @param {...object} objects */
const run = (argv, ...objects) =>
  runCli(argv, { stdin: JSON.stringify(makeList(...objects)), loadEngine: async () => engine });

test('no kind is called constructor', async () => {
  for (const name of ['constructor/x', '__proto__/x', 'toString/x']) {
    const { code, stderr } = await run(['explain', name, '-'], makeNode('n'), makePod('p'));
    assert.equal(code, 2, name);
    assert.ok(stderr.includes(`explain: there is no pod ${name} in the input`), stderr);
  }
});

test('a pod whose stored scheduler has no name is for the default one', async () => {
  for (const schedulerName of ['', null, undefined]) {
    const objects = [makeNode('n'), storedPod('p', { spec: { schedulerName } })];
    const simulated = await run(['simulate', '-', '-o', 'json'], ...objects);
    const outcome = JSON.parse(simulated.stdout);
    assert.deepEqual([outcome.pods[0]?.node, outcome.leftAlone], ['n', []]);
    assert.equal((await run(['explain', 'p', '-'], ...objects)).code, 0);
    const bound = storedPod('b', { spec: { schedulerName, nodeName: 'n' } });
    const pods = new Map([['default/b', bound]]);
    const cluster = { pods, batches: [], startTime: 0, workloads: [], ignoredKinds: new Map() };
    assert.equal(withoutPlacement(cluster, new Set(['default-scheduler'])).pinned, 0);
  }
});

test('pods of the year 9999 are placed as others are', async () => {
  for (const creationTimestamp of [
    '9999-12-31T23:59:59Z',
    '2256-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
  ]) {
    const far = storedPod('far', { metadata: { creationTimestamp } });
    const started = storedPod('started', {
      spec: { nodeName: 'n' },
      status: { phase: 'Running', startTime: creationTimestamp },
    });
    const { code, stderr, stdout } = await run(
      ['simulate', '-', '-o', 'json'],
      makeNode('n'),
      started,
      far,
      makePod('p'),
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      JSON.parse(stdout).pods.map((/** @type {any} */ { node }) => node),
      ['n', 'n'],
    );
  }
  assert.equal(engine.failure, null);
});
