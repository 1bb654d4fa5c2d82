// Goal: examples/gpu-cluster prints the devices that its README announces, by the real engine.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { placeWorkloads } from '../../../examples/gpu-cluster/script.js';
import { makeFolder } from '../support/folder.js';
import { startNative, TARGETS } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const { file } = await makeFolder();
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

test('both targets explain the refused claim with the same words', async (t) => {
  const answers = [];
  for (const start of Object.values(TARGETS)) {
    const { engine } = await start();
    const scheduler = engine.createScheduler();
    t.after(() => scheduler.dispose());
    await placeWorkloads(scheduler);
    const { culprits = [] } = scheduler.evaluate('default/transcoding', { culprits: true });
    assert.deepEqual(
      culprits.map(({ node, deviceRequests = [] }) => [node, deviceRequests[0].refused[0].rule]),
      [
        ['flex-1', 'inUse'],
        ['a100-1', 'classSelector'],
        ['h100-1', 'classSelector'],
      ],
    );
    assert.deepEqual(culprits[0].deviceRequests?.[0].refused[0].pods, ['default/memory-test']);
    answers.push(culprits);
  }
  assert.deepEqual(answers[0], answers[1]);
});

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
  assert.match(explained.stdout, /^No node can serve request gpu of claim .*, 6 are not of the /m);
  const devices = explained.stdout.slice(explained.stdout.indexOf('Devices of each node'));
  const claim = 'default/transcoding-gpu-\\w+';
  const [, head, flex, ...others] = devices.trimEnd().split('\n');
  assert.match(head, /^NODE +CLAIM +REQUEST +ASKED +DEVICES +CLASS +TAINT +MOST REFUSED BY$/);
  const taint = 'taint: gpu.intel.com/unhealthy=memory:NoSchedule';
  assert.match(flex, new RegExp(`^flex-1 +${claim} +gpu +1 +1 +1 +0 +${taint}$`));
  for (const other of others)
    assert.match(other, new RegExp(`^.100-1 +${claim} +gpu +1 +3 +0 +0 +class: device.driver == `));
  assert.equal(others.length, 2);
  const node = await runCli([...commands[1], '--node', 'flex-1'], options);
  assert.match(node.stdout, /^DynamicResources refuses flex-1: .*\n\nNODE [^]*\nflex-1 .*taint: /);
});

test('check names the request that no node can serve', async () => {
  const { engine } = await startNative();
  const files = ['a100-1', 'h100-1', 'flex-1', 'classes', 'templates'];
  const cluster = await Promise.all(
    files.map((name) => readFile(new URL(`${name}.yaml`, EXAMPLE), 'utf8')),
  );
  const argv = ['check', fileURLToPath(new URL('pods.yaml', EXAMPLE)), '--cluster'];
  const path = await file('cluster.yaml', cluster.join('\n---\n'));
  const options = { loadEngine: async () => engine };
  const { code, stdout } = await runCli([...argv, path], options);
  assert.equal(code, 1);
  const named = /^default +pod\/transcoding .* No node can serve request gpu of claim default\//m;
  assert.match(stdout, named);
  const { workloads } = JSON.parse((await runCli([...argv, path, '-o', 'json'], options)).stdout);
  const unserved = workloads.flatMap((/** @type {any} */ one) => one.unserved ?? []);
  assert.equal(unserved.length, 1);
  assert.match(unserved[0], /: of 7 devices on 3 nodes, 6 are not of the class, 1 is in use by /);
});
