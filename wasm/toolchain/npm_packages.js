/** Installs the npm packages that a command runs, by the lockfile. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { run } from './commands.js';
import { repository } from './paths.js';
import { say } from './report.js';

/**
 * Whether the installed packages suffice: the same lockfile, and the test tools if they are wanted.
 *
 * @param {{lock: string, dev: boolean} | null} installed
 * @param {{lock: string, dev: boolean}} wanted
 */
export function serves(installed, wanted) {
  return installed !== null && installed.lock === wanted.lock && (installed.dev || !wanted.dev);
}

/**
 * @param {object} options
 * @param {boolean} options.dev whether to install the test tools too
 * @param {string} [options.folder]  of the package.json
 */
export async function ensureNpmPackages({ dev, folder = repository }) {
  const stamp = join(folder, 'node_modules/.stowage.json');
  const lockfile = readFileSync(join(folder, 'package-lock.json'));
  const wanted = { lock: createHash('sha256').update(lockfile).digest('hex'), dev };
  const installed = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : null;
  if (serves(installed, wanted)) return;
  say(dev ? 'installing the npm packages, test tools included' : 'installing the npm packages');
  const args = ['ci', '--no-audit', '--no-fund', dev ? '--include=dev' : '--omit=dev'];
  await run('npm', args, { cwd: folder });
  // npm makes no folder for packages that do not support this kind of machine.
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify(wanted));
}
