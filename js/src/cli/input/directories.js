/** Finds the files of directories that contain manifests. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** @import { Dirent } from 'node:fs' */

/** Names of files with manifests. */
export const MANIFEST = /\.(ya?ml|json|ndjson|jsonl)(\.gz)?$/i;

/**
 * The files of a directory that `kubectl cluster-info dump` wrote: nodes, and by namespace pods.
 */
const DUMP = Object.freeze({
  nodes: /^nodes\.(json|yaml)(\.gz)?$/,
  pods: /^pods\.(json|yaml)(\.gz)?$/,
});

const FILES = '.yaml, .yml, .json, .ndjson or .jsonl file';

/**
 * Gets the unreadable names, with the reason.
 * @typedef {(name: string, error: unknown) => void} OnError
 */

/**
 * Returns a file, or the files of a directory, by name. Subdirectories are read if requested, and
 * in dumps of `kubectl cluster-info dump`.
 * @param {string} name
 * @param {boolean} recursive
 * @param {OnError} onError
 * @returns {Promise<string[]>}
 */
export async function filesOf(name, recursive, onError) {
  try {
    if (!(await stat(name)).isDirectory()) return [name];
    const entries = await entriesOf(name);
    const isWhole = recursive || (await isDump(name, entries));
    const files = await filesIn(name, entries, isWhole, onError);
    if (files.length > 0) return files;
    const hint = isWhole ? '' : '; -R reads its directories too';
    onError(name, new Error(`there is no ${FILES} in it${hint}`));
  } catch (error) {
    onError(name, error);
  }
  return [];
}

/**
 * @param {string} directory
 * @param {Dirent[]} entries
 * @param {boolean} recursive
 * @param {OnError} onError
 * @returns {Promise<string[]>}
 */
async function filesIn(directory, entries, recursive, onError) {
  const files = entries.map(async (entry) => {
    const path = join(directory, entry.name);
    if (!entry.isDirectory()) return MANIFEST.test(entry.name) ? [path] : [];
    if (!recursive) return [];
    try {
      return await filesIn(path, await entriesOf(path), recursive, onError);
    } catch (error) {
      onError(path, error);
      return [];
    }
  });
  return (await Promise.all(files)).flat();
}

/**
 * @param {string} directory
 * @param {Dirent[]} entries
 */
async function isDump(directory, entries) {
  if (!entries.some(({ name }) => DUMP.nodes.test(name))) return false;
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const inside = await readdir(join(directory, entry.name)).catch(() => []);
    if (inside.some((name) => DUMP.pods.test(name))) return true;
  }
  return false;
}

/** @param {string} directory */
async function entriesOf(directory) {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
