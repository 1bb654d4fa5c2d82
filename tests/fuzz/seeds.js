#!/usr/bin/env node
/**
 * Makes the fuzzers' seeds from the golden files and from CEL's conformance tests: a folder of
 * inputs for each, and a dictionary of the inputs' words. `node tests/fuzz/seeds.js FOLDER [MOST]`
 * writes them, at most MOST for each target.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { tests as celTests } from '@bufbuild/cel-spec/testdata/conformance.js';

const GOLDEN = fileURLToPath(new URL('../conformance/golden/', import.meta.url));
/** Mutations of a longer input rarely have an effect. */
export const SEED_BYTES_MAX = 16_384;
/** The number that is read in a minute or two. */
const SEEDS_MAX = 1500;
const WORD_BYTES_MAX = 60;
const WORD_SCENARIOS_MIN = 10;

/**
 * @typedef {{configuration: object, featureGates?: object, objects?: any[], steps: any[]}} Scenario
 */

/** Every recorded scenario. @returns {Generator<Scenario>} */
function* scenarios() {
  for (const folder of ['decisions', 'traces']) {
    for (const name of readdirSync(join(GOLDEN, folder)).sort()) {
      const text = gunzipSync(readFileSync(join(GOLDEN, folder, name))).toString();
      for (const line of text.split('\n').filter(Boolean)) yield JSON.parse(line);
    }
  }
}

const line = (/** @type {unknown} */ value) => `${JSON.stringify(value)}\n`;

/** The pods that a scenario schedules. @param {Scenario} scenario @returns {any[]} */
const podsOf = ({ steps }) =>
  steps.flatMap(({ pod, object }) => pod ?? (object?.kind === 'Pod' ? object : []));

/** A step in the words of sequences_fuzzer.cc. @param {any} step @returns {string} */
function actionsOf(step) {
  const { pod, retry, apply = [], delete: deleted = [], type, object, op } = step;
  if (type) return line({ type, object });
  if (op) return op === 'advance' ? 'r30\n' : 'r01\na00\n';
  if (!pod && !retry) {
    const gone = deleted.map((/** @type {any} */ { apiVersion, kind, namespace, name }) => ({
      type: 'DELETED',
      object: { apiVersion, kind, metadata: { namespace, name } },
    }));
    return [...apply, ...gone].map(line).join('');
  }
  const name = retry ?? `${pod.metadata.namespace}/${pod.metadata.name}`;
  return `${pod ? line(pod) : ''}${line({ type: 'SCHEDULE_ONE', pod: name })}r01\n`;
}

/** The expressions of CEL's conformance tests. @param {any} suite @returns {string[]} */
function expressionsOf(suite) {
  const own = (suite.tests ?? []).map((/** @type {any} */ { original }) => original.expr);
  return [...own, ...(suite.suites ?? []).flatMap(expressionsOf)];
}

/** Inputs that come from no scenario. @type {Record<string, () => string[]>} */
const OTHER_INPUTS = {
  expressions: () => expressionsOf(celTests),
  // Any bytes are choices.
  evaluations: () => expressionsOf(celTests),
};

/**
 * Inputs of each target, from one scenario.
 * @type {Record<string, (one: Scenario) => string[]>}
 */
export const TARGETS = {
  expressions: () => [],
  evaluations: () => [],
  configuration: ({ configuration, featureGates = {} }) => [
    line({ featureGates, detail: 'nodes' }) + JSON.stringify(configuration),
  ],
  batches: ({ objects = [], steps }) => [
    objects.map(line).join('') + podsOf({ configuration: {}, steps }).map(line).join(''),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
    ...steps.flatMap(({ type, object }) => (type ? line({ type, object }) : [])),
  ],
  sequences: ({ configuration, objects = [], steps }) =>
    ['0000', '1000'].map(
      (options) =>
        `${options}${JSON.stringify(configuration)}\n` +
        objects.map(line).join('') +
        steps.map(actionsOf).join(''),
    ),
  queries: (scenario) => [
    ...podsOf(scenario).map(
      (pod) => line({ detail: 'table', classify: true }) + JSON.stringify(pod),
    ),
    ...['{"cache":true}', '{"node":"n1"}', '{"pod":"default/p1"}', '{"metrics":true}'],
  ],
};

/**
 * The shape of an input: the input without names and numbers. One input of each shape is enough.
 */
const shapeOf = (/** @type {string} */ text) =>
  text.replace(/"[^"]*"(?!:)/g, '""').replace(/\d+/g, '0');

/** The names and short texts of a value. @param {unknown} value @param {Set<string>} words */
function addWords(value, words) {
  if (typeof value === 'string' && value.length <= WORD_BYTES_MAX) words.add(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) words.add(`${JSON.stringify(name)}:`);
    addWords(member, words);
  }
}

/**
 * In libFuzzer's format: the words that many scenarios have and that are no names of their objects.
 *
 * @param {Scenario[]} all
 */
function dictionaryOf(all) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { configuration, objects = [], steps } of all) {
    /** @type {Set<string>} */
    const words = new Set();
    addWords([configuration, objects, podsOf({ configuration, steps })], words);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const common = [...counts].filter(([, count]) => count >= WORD_SCENARIOS_MIN);
  const plain = common.map(([word]) => word).filter((word) => /^[ -~]*$/.test(word));
  return plain.map((word) => `"${word.replace(/[\\"]/g, '\\$&')}"\n`).join('');
}

/**
 * @param {string} folder gets a folder per target, and words.dict
 * @param {{most?: number}} [options] the most inputs of a target
 * @returns {Record<string, number>} the number of inputs of each target
 */
export function writeSeeds(folder, { most = SEEDS_MAX } = {}) {
  const all = [...scenarios()];
  /** @type {Record<string, number>} */
  const counts = {};
  for (const [target, inputsOf] of Object.entries(TARGETS)) {
    const texts = [...all.flatMap(inputsOf), ...(OTHER_INPUTS[target]?.() ?? [])];
    const short = texts.filter((text) => text.length <= SEED_BYTES_MAX);
    const inputs = new Map(short.map((text) => [shapeOf(text), text]));
    const stride = Math.ceil(inputs.size / most);
    const chosen = [...inputs.values()].filter((_, at) => at % stride === 0);
    rmSync(join(folder, target), { recursive: true, force: true });
    mkdirSync(join(folder, target), { recursive: true });
    for (const text of chosen) {
      const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
      writeFileSync(join(folder, target, name), text);
    }
    counts[target] = chosen.length;
  }
  writeFileSync(join(folder, 'words.dict'), dictionaryOf(all));
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, most] = process.argv.slice(2);
  console.log(JSON.stringify(writeSeeds(folder, most ? { most: Number(most) } : {})));
}
