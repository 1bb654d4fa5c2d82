/** The steps of `npm test`. */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { buildPreset, testPreset } from './build.js';
import { bundle } from './bundle.js';
import { checkFormat, checkTypes } from './check.js';
import { allOf, run } from './commands.js';
import { reportPackage } from './package_size.js';
import { repository } from './paths.js';
import { SetupError } from './report.js';
import { ensurePrograms } from './setup.js';
import { readFileTimes, readProgramTimes, reportFile } from './test_times.js';
import { buildWeb } from './web.js';

/** @typedef {import('./emscripten.js').Emscripten} Emscripten */
/** @typedef {import('./test_times.js').Time} Time */

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {boolean} [onRequest] runs only if it is named
 * @property {string[]} [folders] the folders of its test files
 * @property {number} [atOnce] the number of test files that run at a time; default: one more than
 *   there are processors
 * @property {boolean} [hasBrowser] test files share a browser
 * @property {(emscripten: Emscripten) => Promise<unknown>} [prepare] builds the parts that the
 *   tests need
 * @property {(emscripten: Emscripten) => Promise<Time[] | void>} [run] replaces test files; returns
 *   the times of test programs
 */

/**
 * C++ tests that a whole run repeats in WebAssembly, where integers, memory and stack differ: those
 * of texts and numbers, tables and the boundary. The tests of the higher levels take twice as long
 * to build, and run with AddressSanitizer alone; each night all run in WebAssembly. The golden
 * decisions, traces and seeds of the step `js` prove the decisions of those levels in both.
 */
const PLATFORM_TESTS = [
  ...['base', 'loop', 'api', 'encode', 'decode', 'config', 'cel', 'table', 'framework', 'cache'],
  ...['kept_inputs', 'surface', 'small_blocks'],
];

const NATIVE_PROGRAMS = ['stowage_native', 'stowage_sim', 'stowage_cel_spec'];

/** Cheap ones come first. @type {Record<string, Step>} */
export const STEPS = {
  tidy: { title: 'tidy: the rules of the house', folders: ['tests/tidy'] },
  format: { title: 'formatting', run: () => checkFormat() },
  addon: {
    title: 'native engine, as a Node addon, the simulation, and the program of the tests of CEL',
    // To install programs takes the network, and to compile takes the processors.
    run: () =>
      allOf([buildPreset({ preset: 'native', tests: true }, NATIVE_PROGRAMS), ensurePrograms()]),
  },
  // The tests are the same as with AddressSanitizer, in a third of the time.
  native: {
    title: 'native build and tests',
    onRequest: true,
    run: () => buildAndTest('native'),
  },
  asan: { title: 'AddressSanitizer build and tests', run: () => buildAndTest('asan') },
  wasm: {
    title: 'WebAssembly build, and tests of what depends on the platform',
    run: (found) => buildAndTest('wasm', found, PLATFORM_TESTS),
  },
  'wasm-all': {
    title: 'WebAssembly build and tests',
    onRequest: true,
    run: (found) => buildAndTest('wasm', found),
  },
  types: { title: 'types and declarations', run: () => checkTypes() },
  js: {
    title: 'JavaScript tests and conformance, native and WebAssembly',
    prepare: bundle,
    // The slowest files are in the first folders, so that no processor is idle at the end.
    folders: [
      'tests/conformance',
      'tests/sim',
      'tests/bench',
      'tests/growth',
      'tests/cel',
      'tests/js',
      'tests/machines',
      'tests/toolchain',
      'tests/fuzz',
      'tests/mutations',
    ],
  },
  runtimes: {
    title: 'the packed package in runtimes and bundlers',
    prepare: async () => {
      await bundle();
      await reportPackage();
      // The package contains the page.
      await buildWeb();
    },
    folders: ['tests/runtimes'],
    hasBrowser: true,
  },
  web: {
    title: 'the playground, in Node and in a browser',
    prepare: buildWeb,
    folders: ['tests/web'],
    hasBrowser: true,
  },
  timed: {
    title: 'what has a limit of time, one after the other',
    prepare: buildWeb,
    folders: ['tests/timed'],
    atOnce: 1,
  },
};

/**
 * @param {string} name
 * @param {Emscripten} emscripten
 * @param {string[]} [only] these test files instead of all of the step's
 * @returns {Promise<Time[]>} of its test files or programs
 * @throws if a test fails; the error's `times` are those of the files that ran
 */
export async function runStep(name, emscripten, only) {
  const step = STEPS[name];
  await step.prepare?.(emscripten);
  if (step.run) return (await step.run(emscripten)) ?? [];
  const runFiles = () => runTestFiles(name, only ?? testFilesIn(step.folders ?? []), step.atOnce);
  return step.hasBrowser ? withSharedBrowser(runFiles) : runFiles();
}

/** @param {() => Promise<Time[]>} runFiles */
async function withSharedBrowser(runFiles) {
  // Imports an npm package, which the set-up has installed by now.
  const { shareBrowser } = await import('../../tests/runtimes/launchers/chromium.js');
  const close = await shareBrowser();
  try {
    return await runFiles();
  } finally {
    await close();
  }
}

/**
 * @param {'native' | 'asan' | 'wasm'} preset
 * @param {Emscripten} [emscripten]
 * @param {string[]} [only]  tests by their CMake names; all when empty
 */
async function buildAndTest(preset, emscripten, only = []) {
  const build = { preset, tests: true, emscripten };
  await buildPreset(
    build,
    only.map((name) => `${name}_test`),
  );
  const report = reportFile(`${preset}.xml`);
  return withTimes(testPreset(build, report, only), () => readProgramTimes(report, preset));
}

/** Every *.test.js below the folders. @param {string[]} folders */
function testFilesIn(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => join(folder, name))
      .sort(),
  );
  if (files.length === 0) throw new SetupError(`no tests in ${folders.join(', ')}`);
  return files;
}

/**
 * One more at once than there are processors, because tests wait for programs, servers and pages:
 * Node's own default, one fewer, would leave processors idle.
 *
 * @param {string} name @param {string[]} files @param {number} [atOnce]
 */
function runTestFiles(name, files, atOnce = availableParallelism() + 1) {
  const report = reportFile(`${name}.jsonl`);
  const options = [
    `--test-concurrency=${atOnce}`,
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=./wasm/toolchain/file_times.js', `--test-reporter-destination=${report}`],
  ];
  const tests = run(process.execPath, ['--test', ...options, ...files], { cwd: repository });
  return withTimes(tests, () => readFileTimes(report));
}

/** @param {Promise<void>} tests @param {() => Time[]} read @returns {Promise<Time[]>} */
async function withTimes(tests, read) {
  try {
    await tests;
  } catch (error) {
    throw Object.assign(/** @type {Error} */ (error), { times: read() });
  }
  return read();
}
