// Goal: a cell says whether a plugin was asked: `ok` where it was, and let the node pass; a dot
// only where it was not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startWasm } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const cluster = fileURLToPath(new URL('explained/all_plugins.json', import.meta.url));
const { engine } = await startWasm();

/** @param {string[]} argv @returns {Promise<Record<string, string>>} the last cell, by node */
async function lastCells(argv) {
  const { stdout } = await runCli(argv, { loadEngine: async () => engine });
  const [, table] = stdout.split('\n\n');
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split(/ {3,}/));
  assert.equal(rows[0].at(-1), 'NodeResourcesFit');
  return Object.fromEntries(rows.slice(1).map((cells) => [cells[0], cells.at(-1) ?? '']));
}

test('--all-plugins separates plugins that passed from plugins that did not run', async () => {
  assert.deepEqual(await lastCells(['explain', 'p', cluster]), {
    'full-plain': '.',
    'roomy-plain': '.',
    'full-ssd': 'Insufficient cpu',
  });
  const all = {
    'full-plain': 'Insufficient cpu',
    'roomy-plain': 'ok',
    'full-ssd': 'Insufficient cpu',
  };
  assert.deepEqual(await lastCells(['explain', 'p', cluster, '--all-plugins']), all);
  const explained = ['simulate', cluster, '--explain', 'p', '--all-plugins'];
  assert.deepEqual(await lastCells(explained), all);
});
