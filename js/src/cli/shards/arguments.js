/** The flags of commands that run a list of tasks: in threads, or as shards on many machines. */
import { wholeNumber } from '../arguments/arguments.js';
import { isLive } from '../input/live_cluster.js';
import { UsageError } from '../terminal/problems.js';

/** @import { Shard } from '../../whatif/shards.js' */

/**
 * @typedef {object} SharedWorkOptions
 * @property {number} workers threads
 * @property {string | undefined} results the folder of the shards' results
 * @property {Shard | undefined} shard the only one to run
 * @property {number | undefined} shards their number
 */

export const SHARDS = /** @type {const} */ ({
  workers: {
    type: 'string',
    default: '1',
    value: 'N',
    help: 'run the tasks in N threads, each with a cluster of its own (default 1)',
  },
  results: {
    type: 'string',
    value: 'DIR',
    help: 'write the result of each shard to a file in DIR, and skip shards that are finished',
  },
  shard: {
    type: 'string',
    value: 'I/N',
    help:
      'run only part I of N, from 1 (default: the index of a Kubernetes Indexed Job, Slurm array ' +
      'or AWS Batch array, else all parts one after another)',
  },
  shards: { type: 'string', value: 'N', help: 'the number of parts (default 1, or of the array)' },
});

/** More shards are refused: each is a file. */
const SHARDS_MAX = 100_000;
const WORKERS_MAX = 256;

/**
 * Returns the part of a command that its first word names; else `run`.
 * @param {string[]} positionals
 * @param {string[]} actions
 * @returns {{ action: string, named: string[] }} `named`: the other words
 */
export function actionIn([first, ...others], actions) {
  if (first !== undefined && actions.includes(first)) return { action: first, named: others };
  return { action: 'run', named: first === undefined ? [] : [first, ...others] };
}

/**
 * @param {{ workers: string, results?: string, shard?: string, shards?: string, kubeconfig?:
 *   string, context?: string, help?: boolean }} values
 * @param {{ isJob?: boolean }} [options] `isJob`: the shards run elsewhere
 * @returns {SharedWorkOptions}
 * @throws {UsageError}
 */
export function sharedWorkOptions(values, { isJob = false } = {}) {
  const { workers, results, shard, shards, help } = values;
  if (results !== undefined && isLive(values) && !help)
    throw new UsageError('--results needs a file: a live cluster differs from shard to shard');
  if (shard !== undefined && shards !== undefined)
    throw new UsageError('--shard I/N has the number of shards: --shards does not go with it');
  const given = shard === undefined ? 'shards' : 'shard';
  if ((shard ?? shards) !== undefined && results === undefined && !isJob)
    throw new UsageError(`--${given} needs --results DIR, for the results`);
  return {
    workers: between('workers', wholeNumber('workers', workers), WORKERS_MAX),
    results,
    shard: shard === undefined ? undefined : shardOf(shard),
    shards: shards === undefined ? undefined : countOf('shards', shards),
  };
}

/**
 * @param {string} flag
 * @param {string} text
 * @throws {UsageError}
 */
export function countOf(flag, text) {
  return between(flag, wholeNumber(flag, text), SHARDS_MAX);
}

/** @param {string} flag @param {number} count @param {number} most */
function between(flag, count, most) {
  if (count >= 1 && count <= most) return count;
  throw new UsageError(`--${flag} is a number from 1 to ${most}, not ${count}`);
}

/** @param {string} text @returns {Shard} */
function shardOf(text) {
  const [, part, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(part) - 1, count: Number(count) };
  if (part === undefined || shard.index < 0 || shard.index >= shard.count)
    throw new UsageError(`--shard is a part such as 1/8 or 8/8, not "${text}"`);
  return { index: shard.index, count: between('shard', shard.count, SHARDS_MAX) };
}

/** The arrays of jobs whose index is read, by the variables of their environment. */
const ARRAYS = [
  { index: 'JOB_COMPLETION_INDEX' },
  {
    index: 'SLURM_ARRAY_TASK_ID',
    count: 'SLURM_ARRAY_TASK_COUNT',
    first: 'SLURM_ARRAY_TASK_MIN',
  },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', count: 'AWS_BATCH_JOB_ARRAY_SIZE' },
];

/**
 * Returns the shards that this process runs, with `--results`.
 * @param {SharedWorkOptions} options
 * @param {Record<string, string | undefined>} env
 * @returns {Shard[] | undefined} undefined without `--results`
 * @throws {UsageError}
 */
export function shardsOf({ results, shard, shards }, env) {
  if (results === undefined) return undefined;
  if (shard) return [shard];
  const array = ARRAYS.find(({ index }) => env[index] !== undefined);
  if (!array) {
    const count = shards ?? 1;
    return Array.from({ length: count }, (_, index) => ({ index, count }));
  }
  const numbered = (/** @type {string | undefined} */ name) =>
    name === undefined || env[name] === undefined ? undefined : variable(name, env[name]);
  const arrayed = numbered(array.count);
  const count = shards ?? arrayed;
  if (count === undefined)
    throw new UsageError(
      `${array.index} is set, so --shards N is needed: it is not in the environment`,
    );
  if (arrayed !== undefined && arrayed !== count)
    throw new UsageError(`--shards is ${count}, but ${array.count} is ${arrayed}`);
  const index = variable(array.index, env[array.index]) - (numbered(array.first) ?? 0);
  if (index < 0 || index >= count)
    throw new UsageError(`${array.index} is ${env[array.index]}, but there are ${count} shards`);
  return [{ index, count }];
}

/** @param {string} name @param {string | undefined} text */
function variable(name, text = '') {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`${name} is a whole number, not "${text}"`);
}
