/**
 * Checks types and formatting. `--write` formats instead; `--declarations` only writes the
 * package's declarations.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { allOf, capture, run, which } from './commands.js';
import { ensureNpmPackages } from './npm_packages.js';
import { repository } from './paths.js';
import { exitWith, say, step } from './report.js';

/** Other versions format differently with the same rules. */
const CLANG_FORMAT_MAJOR = '14';

/**
 * Checks types strictly and writes the package's declarations to js/types. Each compiler uses one
 * processor.
 */
export async function checkTypes() {
  // Examples and tests import the package by its name, and so need its declarations.
  await writeDeclarations();
  await allOf([compile('js/tsconfig.tools.json'), compile('web/tsconfig.json')]);
}

/**
 * Checks the package's own types and writes them to js/types, after deleting what an earlier run
 * wrote.
 */
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
 * Rewrites the declarations for compilers before 5.7, in which typed arrays have no type parameter
 * for their buffer.
 * @param {string} text
 */
function forOldCompilers(text) {
  return text.replace(/\bUint8Array<ArrayBuffer(?:Like)?>/g, 'Uint8Array');
}

/** @param {string} project */
function compile(project) {
  return run('node_modules/.bin/tsc', ['-p', project], { cwd: repository });
}

/** Runs the formatters in parallel. @param {{write?: boolean}} [options] */
export function checkFormat({ write = false } = {}) {
  return allOf([formatJavaScript(write), formatCpp(write)]);
}

/**
 * Prettier uses one processor, so each gets a share of the files.
 * @param {boolean} write
 */
function formatJavaScript(write) {
  const js = tracked('*.js', '*.jsx', '*.ts');
  const mode = write ? ['--write', '--log-level=warn'] : ['--check', '--log-level=warn'];
  const shares = sharesOf(js, availableParallelism());
  return allOf(
    shares.map((files) =>
      run('node_modules/.bin/prettier', [...mode, ...files], { cwd: repository }),
    ),
  );
}

/**
 * Deals files out one by one, so that folders of large files are shared too.
 * @param {string[]} files
 * @param {number} count the number of shares; fewer files make fewer
 */
function sharesOf(files, count) {
  const shares = Array.from({ length: count }, (_, share) =>
    files.filter((_, index) => index % count === share),
  );
  return shares.filter((share) => share.length > 0);
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

/** Tracked files, and new ones that are not ignored. @param {string[]} patterns */
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
