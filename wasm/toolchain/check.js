/**
 * Types and formatting. `--write` formats instead of checking, `--declarations` writes the
 * package's declarations and does nothing else.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { allOf, capture, run, which } from './commands.js';
import { ensureNpmPackages } from './npm_packages.js';
import { repository } from './paths.js';
import { exitWith, say, step } from './report.js';

/** Its versions differ in what they make of the same rules. */
const CLANG_FORMAT_MAJOR = '14';

/** Strict types, and the package's declarations in js/types. A compiler uses one processor. */
export async function checkTypes() {
  // Examples and tests import the package by its name, and so read its declarations.
  await writeDeclarations();
  await allOf([compile('js/tsconfig.tools.json'), compile('web/tsconfig.json')]);
}

/** The package's own types, checked and written to js/types, without those of files that went. */
async function writeDeclarations() {
  const folder = join(repository, 'js/types');
  rmSync(folder, { recursive: true, force: true });
  await compile('js/tsconfig.json');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    writeFileSync(file, forOldCompilers(readFileSync(file, 'utf8')));
  }
}

/**
 * Declarations for compilers before 5.7, where arrays of bytes have no parameter for their buffer.
 * @param {string} text
 */
export function forOldCompilers(text) {
  return text.replace(/\bUint8Array<ArrayBuffer(?:Like)?>/g, 'Uint8Array');
}

/** @param {string} project */
function compile(project) {
  return run('node_modules/.bin/tsc', ['-p', project], { cwd: repository });
}

/** The two formatters use a processor each. @param {{write?: boolean}} [options] */
export function checkFormat({ write = false } = {}) {
  return allOf([formatJavaScript(write), formatCpp(write)]);
}

/** @param {boolean} write */
function formatJavaScript(write) {
  const js = tracked('*.js', '*.jsx', '*.ts');
  const mode = write ? ['--write', '--log-level=warn'] : ['--check', '--log-level=warn'];
  return run('node_modules/.bin/prettier', [...mode, ...js], { cwd: repository });
}

/** @param {boolean} write */
async function formatCpp(write) {
  const version = which('clang-format') && capture('clang-format', ['--version']);
  if (!version || !version.includes(`version ${CLANG_FORMAT_MAJOR}.`)) {
    say(`C++ formatting not checked: that takes clang-format ${CLANG_FORMAT_MAJOR}`);
    return;
  }
  const cc = tracked('*.cc', '*.h');
  if (cc.length === 0) return;
  await run('clang-format', [...(write ? ['-i'] : ['--dry-run', '-Werror']), ...cc], {
    cwd: repository,
  });
}

/** Tracked files and new ones that are not ignored. @param {string[]} patterns */
function tracked(...patterns) {
  const args = ['-C', repository, 'ls-files', '-z', '-co', '--exclude-standard', '--', ...patterns];
  return capture('git', args).split('\0').filter(Boolean);
}

/** @param {string[]} flags */
async function main(flags) {
  const write = flags.includes('--write');
  await ensureNpmPackages({ dev: true });
  if (flags.includes('--declarations')) {
    await step('declarations', 'npm run check', writeDeclarations);
    return;
  }
  await step('formatting', 'npm run format', () => checkFormat({ write }));
  if (!write) await step('types', 'npm run check', checkTypes);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    exitWith(error);
  }
}
