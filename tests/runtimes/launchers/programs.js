/** The programs of the runtimes, as tests/runtimes/package.json pins them. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { which } from '../../../wasm/toolchain/commands.js';
import { SetupError } from '../../../wasm/toolchain/report.js';
import { CHROMIUM_NAMES } from '../../../wasm/toolchain/system_packages.js';

const FOLDER = new URL('../node_modules/.bin/', import.meta.url);

/**
 * @param {'bun' | 'deno' | 'node' | 'workerd'} name `node` is a current one, not this process's
 * @returns {string} its file
 * @throws {SetupError} when it is not installed
 */
export function program(name) {
  const file = fileURLToPath(new URL(name, FOLDER));
  if (!existsSync(file)) throw new SetupError(`no ${name} yet; run: npm test -- set-up`);
  return file;
}

/** @returns {string} the machine's Chromium */
export function chromiumProgram() {
  const found = CHROMIUM_NAMES.map((name) => which(name)).find((file) => file !== null);
  if (!found) throw new SetupError('no Chromium yet; run: npm test -- set-up');
  return found;
}
