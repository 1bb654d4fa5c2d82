#!/usr/bin/env node
/** Applies each mutation of the list to a copy of the sources and checks that its tests fail. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { settingsOf } from '../../wasm/toolchain/build.js';
import { repository } from '../../wasm/toolchain/paths.js';
import { MUTATIONS } from './list.js';

/** @typedef {import('./list.js').Mutation} Mutation */

const HELP = `Usage: npm run mutations -- [--only TEXT]...

Copies the sources to build/mutations, builds their tests natively, and makes one mistake after the
other there. Every one has to be caught by the tests that the list names. Takes some minutes.

  --only TEXT  only mistakes whose name has TEXT in it`;

/** A mistake may let a test loop; without one the tests take seconds. Milliseconds. */
const PATIENCE = 120_000;

const COPIED = ['CMakeLists.txt', 'CMakePresets.json', 'core', 'wasm', 'tests'];
const copy = join(repository, 'build', 'mutations');
const build = join(copy, 'build', 'native');
// A compiler cache may read a file after its mistake is gone, and then keeps the wrong object.
const env = { ...process.env, ...settingsOf(copy), CCACHE_DISABLE: '1' };

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(HELP);
} else {
  const { only } = values;
  const chosen = MUTATIONS.filter(({ name }) => !only || only.some((text) => name.includes(text)));
  prepare(chosen);
  const caught = chosen.filter(isCaught).length;
  console.log(`${caught} of ${chosen.length} caught`);
  process.exitCode = caught === chosen.length && caught > 0 ? 0 : 1;
}

/** Checks that the tests pass without any mutation. @param {Mutation[]} chosen */
function prepare(chosen) {
  mkdirSync(copy, { recursive: true });
  for (const name of COPIED) follow(join(repository, name), join(copy, name));
  const configured = run('cmake', ['--preset', 'native', '-DSTOWAGE_ADDON=OFF']);
  if (configured.status !== 0) throw new Error(configured.output);
  for (const mutation of chosen) {
    const { status, output } = buildAndTest(mutation);
    if (status !== 'passed') throw new Error(`${mutation.tests} without any mistake: ${output}`);
  }
}

/**
 * Writes only files that differ, so that only those are built again.
 * @param {string} from @param {string} to
 */
function follow(from, to) {
  if (!statSync(from).isDirectory()) {
    const text = readFileSync(from);
    if (!existsSync(to) || !readFileSync(to).equals(text)) writeFileSync(to, text);
    return;
  }
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from).filter((name) => name !== 'node_modules');
  for (const name of names) follow(join(from, name), join(to, name));
  for (const name of readdirSync(to)) {
    if (!names.includes(name)) rmSync(join(to, name), { recursive: true });
  }
}

/** @param {Mutation} mutation */
function isCaught(mutation) {
  const path = join(copy, mutation.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(mutation.search, () => mutation.replace),
  );
  try {
    const { status, output } = buildAndTest(mutation);
    if (status === 'not built') throw new Error(`${mutation.name}: ${output}`);
    console.log(`${status === 'failed' ? 'caught' : 'MISSED'}  ${mutation.name}`);
    return status === 'failed';
  } finally {
    writeFileSync(path, text);
  }
}

/** @param {Mutation} mutation */
function buildAndTest({ program, tests }) {
  const target = `${basename(program)}_test`;
  const jobs = String(availableParallelism());
  const built = run('cmake', ['--build', build, '-j', jobs, '--target', target]);
  if (built.status !== 0) return { status: 'not built', output: built.output };
  const path = join(build, 'tests', 'core', program, target);
  const { status, output } = run(path, [`--gtest_filter=${tests}`], { timeout: PATIENCE });
  return { status: status === 0 ? 'passed' : 'failed', output };
}

/** @param {string} command @param {string[]} args @param {{ timeout?: number }} [limit] */
function run(command, args, limit) {
  const options = { cwd: copy, env, encoding: /** @type {const} */ ('utf8'), ...limit };
  const { status, stdout, stderr } = spawnSync(command, args, options);
  return { status, output: `${stdout}${stderr}` };
}
