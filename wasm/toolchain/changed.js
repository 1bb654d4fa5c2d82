/**
 * `npm test -- --changed`: selects the steps that a change needs. A path that matches no rule needs
 * every step.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { capture, CommandError } from './commands.js';
import { repository } from './paths.js';
import { SetupError } from './report.js';
import { STEPS } from './test_steps.js';

/** They take seconds, and any file may break them. */
const ALWAYS = ['tidy', 'format'];

/** Steps whose tests run the engine. */
const OF_THE_ENGINE = ['js', 'runtimes', 'web', 'timed'];
const OF_CPP = ['addon', 'asan', 'wasm'];

/**
 * The steps that read the files of a folder, besides those that always run. The first match
 * applies.
 *
 * @type {[RegExp, string[]][]}
 */
export const RULES = [
  [/^(core|wasm|web|tests)\/.*\.md$/, []],
  [/^\.github\//, ['js']],
  [/^(README|CHANGELOG|js\/README)\.md$/, ['js', 'runtimes']],
  [/^core\//, [...OF_CPP, ...OF_THE_ENGINE]],
  [/^wasm\/[^/]+\.(cc|h)$/, [...OF_CPP, ...OF_THE_ENGINE]],
  [/^js\//, ['types', ...OF_THE_ENGINE]],
  [/^web\//, ['types', ...OF_THE_ENGINE]],
  [/^examples\//, ['types', ...OF_THE_ENGINE]],
  [/^tests\/(core|wasm)\//, ['asan', 'wasm']],
  [/^tests\/(bench|cel|fuzz|sim|support)\/.*\.(cc|h)$/, [...OF_CPP, 'js']],
  // The fuzzers' seeds are made from the golden cases.
  [/^tests\/conformance\/golden\//, ['asan', 'wasm', 'js', 'web']],
  [/^tests\/conformance\//, ['types', 'js', 'web']],
  [/^tests\/(bench|support)\/.*\.js$/, ['types', ...OF_THE_ENGINE]],
  [/^tests\/(cel|sim)\/.*\.js$/, ['types', 'js']],
  [/^tests\/fuzz\//, ['asan', 'wasm', 'js']],
  [/^tests\/js\//, ['js', 'runtimes', 'timed']],
  [/^tests\/(growth|mutations)\//, ['js']],
  [/^tests\/machines\//, ['types', 'js']],
  [/^tests\/toolchain\//, ['types', 'js']],
  [/^tests\/tidy\//, ['types']],
  [/^tests\/runtimes\//, ['types', 'runtimes', 'web', 'timed']],
  [/^tests\/web\//, ['web', 'timed']],
  [/^tests\/timed\//, ['timed']],
];

/**
 * @typedef {object} Choice
 * @property {string[] | null} only test files; null: all tests of the step
 * @property {string[]} because the changed files that need the step; empty if it always runs
 */

/**
 * @param {string[]} files changed files, relative to the repository
 * @param {(file: string) => boolean} [isThere]  false: it was removed
 * @returns {Map<string, Choice>} by step, in the order in which they run; empty if nothing changed
 */
export function stepsFor(files, isThere = (file) => existsSync(join(repository, file))) {
  /** @type {Map<string, Choice>} */
  const choices = new Map();
  const choose = (/** @type {string} */ step, /** @type {string} */ file, isWhole = true) => {
    const { only, because } = choices.get(step) ?? { only: [], because: [] };
    const files = only && !isWhole ? [...only, file] : null;
    choices.set(step, { only: files, because: [...because, file] });
  };
  for (const file of files) {
    const home = homeOf(file);
    if (!home) stepsOf(file).forEach((step) => choose(step, file));
    else if (isThere(file)) choose(home, file, false);
    if (home && typeChecked(file)) choose('types', file);
  }
  if (files.length > 0) {
    for (const step of ALWAYS) choices.set(step, { only: null, because: [] });
  }
  return new Map(
    Object.keys(STEPS).flatMap((step) => {
      const choice = choices.get(step);
      return choice ? [[step, choice]] : [];
    }),
  );
}

/** The step that runs a test file, which no other file imports. @param {string} file */
function homeOf(file) {
  if (!file.endsWith('.test.js')) return undefined;
  const isIn = (/** @type {string} */ folder) => file.startsWith(`${folder}/`);
  return Object.keys(STEPS).find((name) => STEPS[name].folders?.some(isIn));
}

/** @param {string} file */
function typeChecked(file) {
  return stepsOf(file).includes('types');
}

/** @param {string} file */
function stepsOf(file) {
  const rule = RULES.find(([path]) => path.test(file));
  return rule?.[1] ?? Object.keys(STEPS).filter((name) => !STEPS[name].onRequest);
}

/**
 * Whether tests of the chosen steps run the engine, which must then be built.
 * @param {Map<string, unknown>} choices  by step
 */
export function needsEngine(choices) {
  return OF_THE_ENGINE.some((step) => choices.has(step));
}

/**
 * The files that differ from the point where the branch left `main`: committed, not committed, and
 * new files.
 *
 * @returns {string[]} relative to the repository
 * @throws {SetupError} if there is no `main` to compare with
 */
export function changedFiles() {
  const base = mergeBase();
  const git = (/** @type {string[]} */ ...args) =>
    capture('git', ['-C', repository, ...args])
      .split('\0')
      .filter(Boolean);
  const tracked = git('diff', '--name-only', '--no-renames', '-z', base);
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...tracked, ...added])].sort();
}

function mergeBase() {
  for (const main of ['main', 'origin/main']) {
    try {
      return capture('git', ['-C', repository, 'merge-base', 'HEAD', main]).trim();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
    }
  }
  throw new SetupError('--changed compares with the branch main, and there is none');
}

/** @param {Map<string, Choice>} choices @returns {string} steps and reasons, a line per step */
export function choicesText(choices) {
  if (choices.size === 0) return 'nothing differs from main';
  const lines = [...choices].map(([step, { only, because }]) => {
    const what = only ? `${step}: ${only.join(' ')}` : step;
    if (only) return what;
    const [first, ...others] = because;
    if (!first) return `${step}: always`;
    return `${step}: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
  });
  return lines.map((line) => `   ${line}`).join('\n');
}
