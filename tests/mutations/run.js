#!/usr/bin/env node
/** Makes each mistake of the list in a copy of the sources and looks whether its tests notice. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { repository } from '../../wasm/toolchain/paths.js';
import { MUTATIONS } from './list.js';

const HELP = `Usage: npm run mutations -- [--only TEXT]...

Copies the sources to build/mutations, builds their tests natively, and makes one mistake after the
other there. Every one has to be caught by the tests that the list names. Takes some minutes.

  --only TEXT  only mistakes whose name has TEXT in it`;

const COPIED = ['CMakeLists.txt', 'CMakePresets.json', 'core', 'wasm', 'tests'];
const copy = join(repository, 'build', 'mutations');
const build = join(copy, 'build', 'native');

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(HELP);
} else {
  const { only } = values;
  const chosen = MUTATIONS.filter(({ name }) => !only || only.some((text) => name.includes(text)));
  prepare([...new Set(chosen.map(({ program }) => `${program}_test`))]);
  const missed = chosen.filter((mutation) => !isCaught(mutation));
  console.log(`${chosen.length - missed.length} of ${chosen.length} caught`);
  process.exitCode = missed.length > 0 || chosen.length === 0 ? 1 : 0;
}

/** @param {string[]} targets */
function prepare(targets) {
  mkdirSync(copy, { recursive: true });
  for (const name of COPIED) {
    cpSync(join(repository, name), join(copy, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !path.includes('node_modules'),
    });
  }
  run('cmake', ['--preset', 'native', '-DSTOWAGE_ADDON=OFF']);
  buildTests(targets);
}

/** @param {string[]} targets */
function buildTests(targets) {
  const chosen = targets.flatMap((target) => ['--target', target]);
  run('cmake', ['--build', build, '-j', String(availableParallelism()), ...chosen]);
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
}

/** @param {import('./list.js').Mutation} mutation */
function isCaught({ name, file, search, replace, program, tests }) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(search, () => replace),
  );
  try {
    buildTests([`${program}_test`]);
    const test = join(build, 'tests', 'core', program, `${program}_test`);
    const { status } = spawnSync(test, [`--gtest_filter=${tests}`], { encoding: 'utf8' });
    console.log(`${status === 0 ? 'MISSED' : 'caught'}  ${name}`);
    return status !== 0;
  } finally {
    writeFileSync(path, text);
  }
}
