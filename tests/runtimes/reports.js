/** The contract's report, in this process and in the runtimes. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import * as stowage from 'stowage';

import { NODES } from './entries/cluster.js';
import { contract, record } from './entries/contract.js';
import { makeProject } from './packed.js';

const ENTRIES = new URL('entries/', import.meta.url);

/** @typedef {Awaited<ReturnType<typeof contract>>} Report */

/**
 * A project with the entries, the log of a run, and the contract's report in this process.
 *
 * @param {Record<string, URL | string>} [files] additional files
 * @returns {Promise<import('./packed.js').Project & { expected: Report }>}
 */
export async function contractProject(files = {}) {
  const log = await record(stowage);
  const expected = JSON.parse(JSON.stringify(await contract(stowage, log)));
  assertFacts(expected);
  const names = readdirSync(ENTRIES).filter((name) => name.endsWith('.js'));
  const entries = Object.fromEntries(names.map((name) => [name, new URL(name, ENTRIES)]));
  const text = `export const log = ${JSON.stringify(log)};\n`;
  return { ...makeProject({ ...entries, 'log.js': text, ...files }), expected };
}

/** Checks that the report is not trivial. @param {Report} report */
function assertFacts({ scheduled, devices, replayed, refused, disposed }) {
  assert.equal(scheduled.kubernetesVersion, 'v1.36');
  assert.ok(scheduled.applied > NODES && scheduled.placed > 100 && scheduled.refused > 10);
  assert.match(scheduled.message ?? '', /^0\/200 nodes are available: /);
  assert.deepEqual(
    devices.map(({ node }) => node),
    ['node-1'],
  );
  assert.equal(replayed.hash, scheduled.hash);
  const { text, field, option, module, alive } = refused;
  const faults = [replayed.changed, text, field, option, module, disposed];
  assert.deepEqual(
    faults.map((fault) => fault?.code),
    ['Diverged', 'InputErrors', 'InputErrors', 'InvalidConfiguration', 'LoadFailed', 'Disposed'],
  );
  assert.ok(alive);
}
