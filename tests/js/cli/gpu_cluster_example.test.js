// Goal: examples/gpu-cluster prints the devices that its README announces, by the real engine.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { placeWorkloads } from '../../../examples/gpu-cluster/script.js';
import { startNative, TARGETS } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const EXAMPLE = new URL('../../../examples/gpu-cluster/', import.meta.url);

for (const [target, start] of Object.entries(TARGETS)) {
  test(`${target}: five pods get the devices that they claim, or the reason`, async (t) => {
    const { engine } = await start();
    const scheduler = engine.createScheduler();
    t.after(() => scheduler.dispose());
    assert.deepEqual(await placeWorkloads(scheduler), [
      'default/notebook  a100-1  partition: gpu-0-mig-3g20gb-0',
      'default/training  h100-1  gpu: gpu-1, nic: pci-0000-20-1b-0',
      'default/inference  h100-1  gpu/any: gpu-0',
      'default/transcoding  0/3 nodes are available: 3 cannot allocate all claims. still not ' +
        'schedulable, preemption: 0/3 nodes are available: 3 Preemption is not helpful for ' +
        'scheduling.',
      'default/memory-test  flex-1  gpu: 0000-4d-00-0',
    ]);
  });
}

test('the commands of the README place four pods, and explain the fifth', async () => {
  const { engine } = await startNative();
  const readme = await readFile(new URL('README.md', EXAMPLE), 'utf8');
  const commands = [...readme.matchAll(/^stowage (.*)$/gm)].map(([, words]) => words.split(' '));
  assert.deepEqual(
    commands.map(([name]) => name),
    ['simulate', 'explain'],
  );
  process.chdir(fileURLToPath(EXAMPLE));
  const options = { loadEngine: async () => engine };
  const simulated = await runCli(commands[0], options);
  assert.match(simulated.stderr, /^placed 4, pending 1/m);
  const explained = await runCli(commands[1], options);
  assert.match(explained.stdout, /^flex-1 +refused .*cannot allocate all claims/m);
});
