/** The files with the results of shards. A file exists only when it is complete. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../kubernetes/errors.js';
import { mergeShards, nameOf, readShard, shardText } from '../../whatif/shards.js';
import { BadInputError, unwritable } from '../terminal/problems.js';

/** @import { Shard, ShardResult, Work } from '../../whatif/shards.js' */

/** The ending of a result's name; files that are being written have another one. */
const ENDING = '.ndjson';

/**
 * Returns the file of a shard.
 * @param {string} folder
 * @param {Work} work
 * @param {Shard} shard
 */
export function shardFile(folder, { kind }, { index, count }) {
  const digits = String(count).length;
  const part = String(index + 1).padStart(digits, '0');
  return join(folder, `${kind.toLowerCase()}-${part}-of-${count}${ENDING}`);
}

/**
 * Writes the result of a shard: under another name first, so that a reader, and a process that
 * goes on after a crash, find all of it or nothing.
 * @param {string} folder created if it does not exist
 * @param {ShardResult} result
 * @throws {BadInputError}
 */
export async function writeShard(folder, result) {
  const path = shardFile(folder, result.work, result.shard);
  const unfinished = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(unfinished, 'wx');
    try {
      await file.writeFile(await shardText(result));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw unwritable(path, error);
  }
}

/**
 * Whether the result of a shard is there. A damaged one does not count.
 * @param {string} folder
 * @param {Work} work
 * @param {Shard} shard
 * @returns {Promise<boolean>}
 * @throws {BadInputError} if the file belongs to other work: it is not overwritten
 */
export async function isFinished(folder, work, shard) {
  const path = shardFile(folder, work, shard);
  const found = await textOf(path);
  if (found === undefined) return false;
  /** @type {ShardResult} */
  let result;
  try {
    result = await readShard(found);
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
  if (JSON.stringify(result.work) === JSON.stringify(work)) return true;
  const what = `shard ${nameOf(shard)} of another cluster or question is there`;
  throw new BadInputError([`${path}: ${what}: use another --results`]);
}

/**
 * @param {string} path
 * @returns {Promise<string | undefined>} undefined if there is no such file
 * @throws {BadInputError}
 */
async function textOf(path) {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') return undefined;
    throw new BadInputError([`${path}: ${message}`]);
  }
}

/**
 * Reads the results of shards and puts them together.
 * @param {string[]} names files, and folders of them
 * @param {string} kind of the work
 * @returns {Promise<{ work: Work, reports: { task: number }[] }>}
 * @throws {BadInputError} if one is missing, damaged, there twice, or of other work
 */
export async function readMerged(names, kind) {
  /** @type {string[]} */
  const faults = [];
  /** @type {ShardResult[]} */
  const results = [];
  for (const path of (await Promise.all(names.map(filesIn))).flat()) {
    try {
      const result = await readShard(await readFile(path, 'utf8'));
      if (result.work.kind === kind) results.push(result);
      else faults.push(`${path}: this is a shard of ${result.work.kind}, not of ${kind}`);
    } catch (error) {
      faults.push(`${path}: ${/** @type {Error} */ (error).message}`);
    }
  }
  if (faults.length > 0) throw new BadInputError(faults);
  try {
    return mergeShards(results);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new BadInputError([`${names.join(', ')}: ${error.message}`]);
  }
}

/** @param {string} name @returns {Promise<string[]>} */
async function filesIn(name) {
  try {
    if (!(await stat(name)).isDirectory()) return [name];
    const files = await readdir(name);
    return files
      .filter((file) => file.endsWith(ENDING))
      .sort()
      .map((file) => join(name, file));
  } catch (error) {
    throw new BadInputError([`${name}: ${/** @type {Error} */ (error).message}`]);
  }
}
