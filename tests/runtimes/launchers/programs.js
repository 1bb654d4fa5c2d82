/** The programs of the runtimes, in the versions of wasm/toolchain/runtimes/package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { which } from '../../../wasm/toolchain/commands.js';
import { runtimes } from '../../../wasm/toolchain/paths.js';
import { SetupError } from '../../../wasm/toolchain/report.js';
import { CHROMIUM_NAMES } from '../../../wasm/toolchain/system_packages.js';

const manifest = JSON.parse(readFileSync(join(runtimes, 'package.json'), 'utf8'));

/** The name of its package for each kind of machine, and its path in the package. */
const PROGRAMS = Object.freeze({
  bun: ['@oven/bun-', 'bin/bun'],
  deno: ['@deno/', 'deno'],
  node: ['node-', 'bin/node'],
  node20: ['node20-', 'bin/node'],
  workerd: ['@cloudflare/workerd-', 'bin/workerd'],
});

/**
 * A pinned runtime, or the machine's own if there is no package for this kind of machine.
 *
 * @param {keyof typeof PROGRAMS} name `node` is a current one, never this process's
 * @returns {string} its file
 * @throws {SetupError} if there is none
 */
export function program(name) {
  const [prefix, path] = PROGRAMS[name];
  const files = Object.keys(manifest.optionalDependencies)
    .filter((dependency) => dependency.startsWith(prefix))
    .map((dependency) => join(runtimes, 'node_modules', dependency, path));
  const found = files.find((file) => existsSync(file)) ?? which(name);
  if (!found) throw new SetupError(`no ${name}: run npm test -- set-up, or put it on PATH`);
  return found;
}

/** @returns {string} the machine's Chromium */
export function chromiumProgram() {
  const found = CHROMIUM_NAMES.map((name) => which(name)).find((file) => file !== null);
  if (!found) throw new SetupError('no Chromium yet; run: npm test -- set-up');
  return found;
}
