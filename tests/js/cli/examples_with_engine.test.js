import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** @param {string} program */
async function linesOf(program) {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: root });
  return stdout.trimEnd().split('\n');
}

test('the GPU bin-packing plugin fills the fullest node of the pool', async () => {
  const lines = await linesOf('examples/plugins/gpu_bin_packing.js');
  const words = lines.map((line) => line.split('  '));
  const nodes = words.map(([, , node]) => node);
  const [first, , third, fourth, fifth] = nodes;
  assert.match(nodes[1], /^h[12]$/, 'the other pool');
  assert.match(first, /^a[12]$/);
  assert.equal(third, first);
  assert.notEqual(fourth, first, 'eight GPUs need a node of their own');
  assert.equal(fifth, first);
});

test('the cost plugin takes the cheapest node that fits', async () => {
  const [web, api, db, thrifty] = await linesOf('examples/plugins/cost_per_hour.js');
  assert.equal(web, 'default/web  spot');
  assert.equal(api, 'default/api  small');
  assert.equal(db, 'default/db  big');
  const [pod, message] = thrifty.split('  ');
  assert.equal(pod, 'default/thrifty');
  const why = '1 node(s) cost more per hour than the pod allows, 2 Insufficient cpu.';
  assert.ok(message.startsWith(`0/3 nodes are available: ${why} `), message);
});

test('the pods of a group start together or not at all', async () => {
  const [waiting, ...results] = await linesOf('examples/plugins/wait_for_all.js');
  const names = waiting.replace('waiting: ', '').split(', ').sort();
  assert.deepEqual(names, ['default/pair-0', 'default/trio-0', 'default/trio-1']);
  const why = 'rejected due to timeout after waiting 1m0s at plugin WaitForAll';
  assert.deepEqual(results.sort(), [
    'default/pair-0  bound',
    'default/pair-1  bound',
    `default/trio-0  bindFailed  ${why}`,
    `default/trio-1  bindFailed  ${why}`,
  ]);
});
