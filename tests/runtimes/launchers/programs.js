/** The programs of the runtimes, as wasm/toolchain/runtimes/package.json pins them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { which } from '../../../wasm/toolchain/commands.js';
import { runtimes } from '../../../wasm/toolchain/paths.js';
import { SetupError } from '../../../wasm/toolchain/report.js';
import { CHROMIUM_NAMES } from '../../../wasm/toolchain/system_packages.js';

const FOLDER = join(runtimes, 'node_modules/.bin');

/**
 * @param {'bun' | 'deno' | 'node' | 'workerd'} name `node` is a current one, not this process's
 * @returns {string} its file
 * @throws {SetupError} when it is not installed
 */
export function program(name) {
  const file = join(FOLDER, name);
  if (!existsSync(file)) throw new SetupError(`no ${name} yet; run: npm test -- set-up`);
  return file;
}

/** @returns {string} the machine's Chromium */
export function chromiumProgram() {
  const found = CHROMIUM_NAMES.map((name) => which(name)).find((file) => file !== null);
  if (!found) throw new SetupError('no Chromium yet; run: npm test -- set-up');
  return found;
}
