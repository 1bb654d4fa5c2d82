/** Configures, builds and tests a preset of CMakePresets.json. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { run, which } from './commands.js';
import { emscriptenEnvironment } from './debian_emscripten.js';
import { repository } from './paths.js';

/**
 * @typedef {{preset: 'native' | 'asan' | 'wasm' | 'wasm-counts' | 'fuzz', tests: boolean,
 *   emscripten?: import('./emscripten.js').Emscripten}} Build
 *   tests: whether test targets are built; emscripten: for the presets of WebAssembly
 */

/**
 * The compiler cache is shared by all clones, precompiled headers included. It learns from the
 * compiler which files a source includes (CCACHE_DEPEND): to preprocess each source first takes a
 * quarter of em++'s time when nothing is in the cache.
 *
 * @param {string} clone  its folder
 */
export function settingsOf(clone) {
  return {
    CMAKE_GENERATOR: process.env.CMAKE_GENERATOR ?? (which('ninja') ? 'Ninja' : 'Unix Makefiles'),
    CCACHE_BASEDIR: clone,
    CCACHE_DEPEND: '1',
    CCACHE_NOHASHDIR: '1',
    CCACHE_SLOPPINESS: 'pch_defines,time_macros,include_file_mtime,include_file_ctime',
  };
}

/** @param {Build} build */
function environment({ emscripten }) {
  const base =
    emscripten && emscripten.origin !== 'machine'
      ? emscriptenEnvironment(process.env)
      : process.env;
  const root = emscripten ? { STOWAGE_EMSCRIPTEN_ROOT: emscripten.root } : {};
  return { ...base, ...root, ...settingsOf(repository) };
}

/**
 * The settings of a build folder that cannot change within it.
 *
 * @param {Build} build
 * @param {string} generator
 * @param {string | Buffer} presets the content of CMakePresets.json, whose settings CMake caches
 */
export function configuredWith({ emscripten }, generator, presets) {
  const digest = createHash('sha256').update(presets).digest('hex').slice(0, 12);
  const compiler = emscripten?.stamp ?? 'system compiler';
  return `${generator}, ${compiler}, ${repository}, presets ${digest}`;
}

/**
 * Builds the files that changed. A folder of another generator, compiler or preset is deleted
 * first.
 *
 * @param {Build} build
 * @param {string[]} [targets]  all when empty
 */
export async function buildPreset(build, targets = []) {
  const { preset, tests } = build;
  const folder = join(repository, 'build', preset);
  const env = environment(build);
  const stamp = join(folder, 'stowage-configured.json');
  const earlier = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : null;
  const presets = readFileSync(join(repository, 'CMakePresets.json'));
  const wanted = {
    tools: configuredWith(build, env.CMAKE_GENERATOR, presets),
    tests: tests || earlier?.tests === true,
  };
  if (earlier?.tools !== wanted.tools) rmSync(folder, { recursive: true, force: true });
  if (earlier?.tools !== wanted.tools || earlier.tests !== wanted.tests) {
    const option = `-DSTOWAGE_TESTS=${wanted.tests ? 'ON' : 'OFF'}`;
    await run('cmake', ['--preset', preset, option], { cwd: repository, env });
    mkdirSync(folder, { recursive: true });
    writeFileSync(stamp, JSON.stringify(wanted));
  }
  const chosen = targets.flatMap((target) => ['--target', target]);
  const jobs = String(availableParallelism());
  await run('cmake', ['--build', folder, '-j', jobs, ...chosen], {
    cwd: repository,
    env,
    onLine: process.stdout.isTTY ? undefined : printUnlessIdle,
  });
}

/** @param {string} line */
function printUnlessIdle(line) {
  if (line !== 'ninja: no work to do.') console.log(line);
}

/**
 * Runs the preset's GoogleTest executables.
 *
 * @param {Build} build
 * @param {string} report  the JUnit file to write, by its absolute path
 * @param {string[]} [only]  tests by their CMake names; all when empty
 */
export async function testPreset(build, report, only = []) {
  const jobs = String(availableParallelism());
  const chosen = only.length > 0 ? ['--tests-regex', `^(${only.join('|')})$`] : [];
  const args = ['--preset', build.preset, '-j', jobs, '--output-junit', report, ...chosen];
  await run('ctest', args, { cwd: repository, env: environment(build) });
}
