/**
 * The kubectl with which tests drive the embedded API server. Debian 12's own is years old, so that
 * of a newer suite is unpacked into a folder of the project: a program that needs only a libc.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { capture, which } from './commands.js';
import { SUITES } from './debian_emscripten.js';
import { toolchain } from './paths.js';
import { PrivateApt, unpack } from './private_apt.js';
import { say, SetupError } from './report.js';
import { isAtLeast, parseVersion } from './versions.js';

const KUBECTL_MIN = '1.32.0';

/**
 * @typedef {{program: string, version: string, origin: string}} Kubectl
 *   program: its file; origin: a suite's name or 'machine'
 */

/** @typedef {{architecture: string, folder: string}} Place  Debian's word; where to unpack */

const installed = join(toolchain, 'kubectl');

/**
 * The version of a kubectl, or the reason why it is unusable.
 *
 * @param {string} text  what `kubectl version --client` prints
 * @returns {{version: string, fault: null} | {version: null, fault: string}}
 */
export function clientVersion(text) {
  const version = parseVersion(/^Client Version: v(\S+)/m.exec(text)?.[1] ?? '');
  if (!version) return { version: null, fault: 'names no version' };
  // Google's wrapper starts whichever of its programs is closest to the server's version.
  if (/-dispatcher\b/.test(text)) return { version: null, fault: 'stands for other versions' };
  if (isAtLeast(version, KUBECTL_MIN)) return { version, fault: null };
  return { version: null, fault: `is ${version}, and ${KUBECTL_MIN} is needed` };
}

/**
 * The result of an earlier run in `folder`, or null.
 *
 * @param {string} [folder]
 * @returns {Kubectl | null}
 */
export function finishedKubectl(folder = installed) {
  const file = join(folder, 'installed.json');
  if (!existsSync(file)) return null;
  const { origin, version, program } = JSON.parse(readFileSync(file, 'utf8'));
  const path = origin === 'machine' ? program : join(folder, program);
  return existsSync(path) ? { program: path, version, origin } : null;
}

/** The kubectl that the set-up chose. @returns {string} its file */
export function kubectlProgram() {
  const found = finishedKubectl();
  if (!found) throw new SetupError('There is no kubectl yet; run: npm test -- set-up');
  return found.program;
}

/**
 * Chooses a kubectl: Debian's if there is one, because its output is known, otherwise the
 * machine's.
 *
 * @param {{isDebian: boolean, architecture: string, folder?: string, env?: NodeJS.ProcessEnv,
 *   fetch?: typeof unpackKubectl}} options
 * @returns {Promise<Kubectl>}
 */
export async function ensureKubectl({
  isDebian,
  architecture,
  folder = installed,
  env = process.env,
  fetch = unpackKubectl,
}) {
  const earlier = finishedKubectl(folder);
  if (earlier) return earlier;
  /** @type {string[]} */
  const faults = [];
  for (const suite of isDebian ? SUITES : []) {
    try {
      return await fetch(suite, { architecture, folder });
    } catch (error) {
      faults.push(`Debian ${suite}: ${error instanceof Error ? error.message : error}`);
      say(faults[faults.length - 1]);
    }
  }
  const own = ownKubectl(env, faults);
  if (own) return remember(folder, { ...own, origin: 'machine' });
  const reasons = faults.map((fault) => `\n${fault}`).join('');
  throw new SetupError(`Put a kubectl of ${KUBECTL_MIN} or newer on PATH.${reasons}`);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} faults the reasons why there is none are added
 */
function ownKubectl(env, faults) {
  const program = which('kubectl', env);
  if (!program) return null;
  const { version, fault } = clientVersion(capture(program, ['version', '--client'], { env }));
  if (version) return { program, version };
  faults.push(`${program} ${fault}`);
  return null;
}

/**
 * Unpacks the suite's kubectl below `folder` and reads its version.
 *
 * @param {string} suite
 * @param {Place} place
 * @returns {Promise<Kubectl>}
 */
async function unpackKubectl(suite, { architecture, folder }) {
  const apt = new PrivateApt({ folder: join(folder, 'apt'), suite, architecture });
  await apt.update();
  const files = await apt.download(['kubectl']);
  const root = join(folder, 'root');
  rmSync(root, { recursive: true, force: true });
  await unpack(files, root);
  apt.forget();
  const program = 'root/usr/bin/kubectl';
  const { version, fault } = clientVersion(capture(join(folder, program), ['version', '--client']));
  if (!version) throw new SetupError(`its kubectl ${fault}`);
  return remember(folder, { program, version, origin: suite });
}

/** @param {string} folder @param {Kubectl} record  a suite's program is relative to the folder */
function remember(folder, record) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'installed.json'), `${JSON.stringify(record, null, 2)}\n`);
  const found = finishedKubectl(folder);
  if (!found) throw new SetupError(`${record.program} is gone.`);
  say(`kubectl ${found.version}: ${found.program}`);
  return found;
}
