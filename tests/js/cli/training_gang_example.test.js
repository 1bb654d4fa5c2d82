// Goal: examples/training-gang prints what its README announces, by the real engine.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FEATURE_GATES, startTraining } from '../../../examples/training-gang/script.js';
import { startNative, TARGETS } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const EXAMPLE = new URL('../../../examples/training-gang/', import.meta.url);

for (const [target, start] of Object.entries(TARGETS)) {
  test(`${target}: the script binds no pod of the training, and prints why`, async (t) => {
    const { engine } = await start();
    const scheduler = engine.createScheduler({ featureGates: FEATURE_GATES });
    t.after(() => scheduler.dispose());
    assert.deepEqual(await startTraining(scheduler), [
      'bound: notebook',
      'training: 15 of 16 pods of the group can run, 1 fewer than minCount 16; pod ' +
        'default/training-15: 0/2 nodes are available: 2 cannot allocate all claims.',
      'blocked by default/training-15; the largest minCount that would start now: 15',
      'rack a takes 15 of 16',
      'rack b takes 15 of 16',
    ]);
  });
}

test('the commands of the README: the gang does not fit, its pods alone do', async () => {
  const { engine } = await startNative();
  const readme = await readFile(new URL('README.md', EXAMPLE), 'utf8');
  const commands = [...readme.matchAll(/^stowage (.*)$/gm)].map(([, words]) => words.split(' '));
  process.chdir(fileURLToPath(EXAMPLE));
  const outcomes = [];
  for (const argv of commands)
    outcomes.push(await runCli(argv, { loadEngine: async () => engine }));
  assert.deepEqual(
    outcomes.map(({ code, stdout }) => [
      code,
      stdout.split('\n')[1].replace(/ +/g, ' ').slice(0, 42),
    ]),
    [
      [0, 'default jobset/training 16 16 Fits jobset.'],
      [1, 'default jobset/training 16 0 DoesNotFit jo'],
      [0, 'default jobset/training 16 16 Fits jobset.'],
    ],
  );
  const [, gang] = outcomes;
  assert.match(gang.stdout, /15 of 16 .*; the nearest domain example.com\/rack=a takes 15 of 16\./);
});

test('pods that have their claims already are asked as a gang without the gates', async () => {
  const { engine } = await startNative();
  process.chdir(fileURLToPath(EXAMPLE));
  const files = ['rack-a', 'rack-b', 'classes', 'notebook', 'pod-group'].map(
    (name) => `${name}.yaml`,
  );
  const argv = ['explain', 'podgroup/training', ...files];
  const { stdout } = await runCli(argv, { loadEngine: async () => engine });
  assert.match(stdout, /^default\/training cannot start: 15 of 16 pods can run/);
  assert.match(stdout, /the largest minCount that would pass now is 15/);
});
