/**
 * `npm run reproduce`: builds the commit again in a clone in another folder, and compares every
 * file of the module, the bundles and the page with the build here.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { hashesIn } from './build_record.js';
import { capture, run } from './commands.js';
import { ensureEmscripten } from './emscripten.js';
import { thisMachine } from './machine.js';
import { repository } from './paths.js';
import { exitWith, say, SetupError, step } from './report.js';

const MADE = ['js/dist', 'build/web'];

/**
 * The files that differ or exist on one side only, sorted.
 *
 * @param {Record<string, string>} here  SHA-256 by name
 * @param {Record<string, string>} there
 */
export function differences(here, there) {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])].sort();
  return names.filter((name) => here[name] !== there[name]);
}

/** @param {string} root  of a clone @returns {Record<string, string>} */
function made(root) {
  const entries = MADE.flatMap((folder) =>
    Object.entries(hashesIn(join(root, folder))).map(([name, hash]) => [`${folder}/${name}`, hash]),
  );
  return Object.fromEntries(entries);
}

/** Without ccache, which would reuse objects that were compiled here. @param {string} clone */
async function buildIn(clone) {
  const { root } = await ensureEmscripten({ isDebian: thisMachine().isDebian });
  const PATH = `${root}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, CCACHE_DISABLE: '1' };
  await run('npm', ['run', 'build:web'], { cwd: clone, env });
}

async function main() {
  if (capture('git', ['-C', repository, 'status', '--porcelain']) !== '') {
    throw new SetupError('There are changes that are not committed; a clone would not have them.');
  }
  const here = made(repository);
  const folder = mkdtempSync(join(tmpdir(), 'stowage-'));
  try {
    const clone = join(folder, 'deeper/in/another-folder');
    mkdirSync(join(clone, '..'), { recursive: true });
    capture('git', ['clone', '--quiet', repository, clone]);
    await step('the same build elsewhere', 'npm run reproduce', () => buildIn(clone));
    const differing = differences(here, made(clone));
    if (differing.length > 0) throw new SetupError(`These differ:\n${differing.join('\n')}`);
    for (const [name, hash] of Object.entries(here)) say(`${hash}  ${name}`);
    say(`${Object.keys(here).length} files, the same in both folders`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main();
  } catch (error) {
    exitWith(error);
  }
}
