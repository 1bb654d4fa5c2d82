// Goal: a snapshot, also one with other names, gives the answers of its cluster in every command.
// Method: a cluster that has something for each command to read; each command on it, on its
// snapshot and on the anonymized one must print the same JSON, once the true names are back.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { clusterCommands } from '../support/cluster_commands.js';
import { makeFolder } from '../support/folder.js';
import { makeList } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { richCluster } from '../support/rich_cluster.js';
import { runCli } from '../support/run_cli.js';

const { engine } = await startNative();
const loadEngine = async () => engine;
const { folder, file } = await makeFolder();

const cluster = await file('cluster.json', makeList(...richCluster()));
const names = join(folder, 'names.json');
const plain = await file('plain.json', await snapshot());
const anonymous = await file('anonymous.json', await snapshot('--anonymize', '--names', names));
const originals = JSON.parse(await readFile(names, 'utf8'));
const given = new Map(Object.entries(originals).map(([made, name]) => [name, made]));

const { alone, withManifests } = await clusterCommands(file);

/** @param {string[]} flags */
async function snapshot(...flags) {
  return (await runCli(['snapshot', cluster, '-q', ...flags])).stdout;
}

/**
 * Fields that tell one run from another; the whole pods that `fix` would create again; and whether
 * a claim was there before, as those of missing pods are in an anonymized snapshot.
 */
const NOT_COMPARED = new Set(['at', 'hash', 'uid', 'object', 'pending']);

/** @param {string[]} argv @param {string} path @param {(text: string) => string} [renamed] */
async function answer(argv, path, renamed = (text) => text) {
  const words = argv.map((word) => (word === 'CLUSTER' ? path : word));
  const { stdout, stderr, code } = await runCli([...words, '-o', 'json'], { loadEngine });
  assert.ok(code < 2, `${argv.join(' ')}: ${stderr}`);
  return { code, answer: parsed(renamed(stdout)) };
}

/** @param {string} text */
function parsed(text) {
  return JSON.parse(withoutClaimNumbers(text), (key, value) =>
    NOT_COMPARED.has(key) ? undefined : value,
  );
}

/** Replaces the names of the anonymized snapshot by the true ones. @param {string} text */
function named(text) {
  const made = /\b[wz]\d+\b|\b00000000(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return text.replace(made, (name) => originals[name] ?? name);
}

/** The end of the name of a template's claim depends on the pod's uid. @param {string} text */
function withoutClaimNumbers(text) {
  return text.replace(/(train-[ab]-c)-\w{5}/g, '$1');
}

const withNames = (/** @type {string[]} */ argv, /** @type {(name: string) => any} */ name) =>
  argv.map((word) => word.replace(/\{(\w+)\}/g, (_, text) => name(text)));

const titleOf = (/** @type {string[]} */ argv) => argv.join(' ').replaceAll(`${folder}/`, '');

for (const argv of alone) {
  const asked = withNames(argv, (name) => name);
  test(titleOf(asked), async () => {
    const expected = await answer(asked, cluster);
    assert.deepEqual(await answer(asked, plain), expected, 'of the snapshot');
    const made = withNames(argv, (name) => given.get(name));
    assert.deepEqual(await answer(made, anonymous, named), expected, 'of the anonymized one');
  });
}

for (const argv of withManifests)
  test(titleOf(argv), async () => {
    assert.deepEqual(await answer(argv, plain), await answer(argv, cluster));
  });
