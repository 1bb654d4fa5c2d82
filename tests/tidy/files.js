/** The repository's own text: tracked files, and new ones that are not ignored. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

const PACKED = /\.(gz|br|zst|png|jpg|ico|wasm|woff2)$/;

/** @returns {string[]} paths relative to the repository */
export function allFiles() {
  const args = ['-C', repository, 'ls-files', '-z', '-co', '--exclude-standard'];
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ls-files: ${stderr}`);
  const files = stdout.split('\0').filter(Boolean);
  return [...new Set(files)].filter(exists).sort();
}

/** @param {string} path */
export function exists(path) {
  return existsSync(join(repository, path));
}

/** @param {string} path */
export function read(path) {
  return readFileSync(join(repository, path), 'utf8');
}

/** Whether a person may read it. @param {string} path */
export function isText(path) {
  return !PACKED.test(path);
}

/**
 * A rule's findings in the files that it is for, as 'path:line: what'.
 *
 * @param {(path: string) => boolean} isMeant
 * @param {(path: string, text: string) => Finding[]} rule
 */
export function findings(isMeant, rule) {
  const files = allFiles().filter(isMeant);
  return files.flatMap((path) =>
    rule(path, read(path)).map(({ line, what }) => `${path}:${line}: ${what}`),
  );
}

/**
 * Fails with the findings as a list to go through.
 *
 * @param {string[]} found
 */
export function assertNone(found) {
  const error = new Error(`${found.length} to mend:\n  ${found.join('\n  ')}`);
  error.stack = error.message;
  if (found.length > 0) throw error;
}

/** @typedef {{line: number, what: string}} Finding */

/**
 * One finding for every line that a pattern matches.
 *
 * @param {string} text
 * @param {{pattern: RegExp, what: string}[]} patterns
 * @returns {Finding[]}
 */
export function matchLines(text, patterns) {
  return text
    .split('\n')
    .flatMap((line, row) =>
      patterns
        .filter(({ pattern }) => pattern.test(line))
        .map(({ what }) => ({ line: row + 1, what })),
    );
}
