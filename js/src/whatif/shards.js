/**
 * Shards: parts of a list of independent, deterministic tasks, which run on different machines.
 * The result of a shard is NDJSON: a head, a line for each task with something to report, and an
 * end with the SHA-256 of all bytes before it. Results merge in any order.
 */
import { InputError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/values.js';

/**
 * A list of tasks. `head`: what all its shards have in common, as JSON; `run` returns a report with
 * its index in `task`, or null if there is nothing to report.
 * @template {{ task: number }} Report
 * @template {object} Head
 * @typedef {object} TaskList
 * @property {Head} head
 * @property {number} length
 * @property {(index: number, options: { signal?: AbortSignal }) => Promise<Report | null>} run
 */

/**
 * One of `count` parts; `index` counts from 0.
 * @typedef {{ index: number, count: number }} Shard
 */

/**
 * What was computed, and of what. `kind`: of the tasks, such as `Sweep`. `input`: the digest of
 * everything that the reports depend on.
 * @typedef {{ kind: string, input: string, tasks: number, head: object }} Work
 */

/**
 * The result of a shard.
 * @typedef {{ work: Work, shard: Shard, reports: { task: number }[] }} ShardResult
 */

/** The `kind` of the first line and of the last. */
const HEAD = 'Shard';
const END = 'ShardEnd';

/**
 * Returns the tasks of a shard: consecutive ones, and as many as any other shard has, or one more.
 * @param {Shard} shard
 * @param {number} tasks
 * @returns {{ from: number, to: number }} without `to`
 */
export function tasksOf({ index, count }, tasks) {
  const start = (/** @type {number} */ at) => Math.floor((at * tasks) / count);
  return { from: start(index), to: start(index + 1) };
}

/**
 * Returns a digest of texts and bytes, which depends on where each of them ends.
 * @param {(string | Uint8Array)[]} parts
 * @returns {Promise<string>} `sha256:` and hexadecimal digits
 */
export async function digestOf(parts) {
  const encoder = new TextEncoder();
  const digests = [];
  for (const part of parts)
    digests.push(await sha256(typeof part === 'string' ? encoder.encode(part) : part));
  return digests.length === 1 ? digests[0] : sha256(encoder.encode(digests.join('\n')));
}

/** @param {Uint8Array} bytes */
async function sha256(bytes) {
  const owned = /** @type {Uint8Array<ArrayBuffer>} */ (bytes);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', owned));
  const digits = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'));
  return `sha256:${digits.join('')}`;
}

/**
 * Writes the result of a shard.
 * @param {ShardResult} result
 * @returns {Promise<string>}
 */
export async function shardText({ work, shard, reports }) {
  const sorted = [...reports].sort((a, b) => a.task - b.task);
  const head = { apiVersion: 'stowage/v1', kind: HEAD, ...shard, work };
  const body = `${[head, ...sorted].map((line) => JSON.stringify(line)).join('\n')}\n`;
  const digest = await digestOf([body]);
  return `${body}${JSON.stringify({ kind: END, reports: sorted.length, digest })}\n`;
}

/**
 * Reads the result of a shard.
 * @param {string} text
 * @returns {Promise<ShardResult>}
 * @throws {InputError} if it is truncated, changed, or no result of a shard
 */
export async function readShard(text) {
  const last = text.lastIndexOf('\n', text.length - 2) + 1;
  const end = parsedLine(text.slice(last));
  if (!text.endsWith('\n') || end?.kind !== END)
    throw invalid('', 'the result of a shard ends with its digest: this one is truncated');
  const body = text.slice(0, last);
  if (end.digest !== (await digestOf([body])))
    throw invalid('digest', 'the digest is another one: the result has been changed');
  const [head, ...reports] = body.trimEnd().split('\n').map(parsedLine);
  if (head?.apiVersion !== 'stowage/v1' || head.kind !== HEAD || !isRecord(head.work))
    throw invalid('kind', 'this is not the result of a shard');
  const { index, count, work } = head;
  return { work, shard: { index, count }, reports };
}

/**
 * Puts the results of all shards together, in any order.
 * @param {ShardResult[]} results
 * @returns {{ work: Work, reports: { task: number }[] }} reports in the order of their tasks
 * @throws {InputError} if a shard is missing, there twice, or of other work
 */
export function mergeShards(results) {
  if (results.length === 0) throw invalid('', 'there is no result of a shard');
  const [{ work, shard }] = results;
  /** @type {(ShardResult | undefined)[]} */
  const found = Array.from({ length: shard.count });
  for (const result of results) {
    const { index, count } = result.shard;
    const isOwn = count === shard.count && JSON.stringify(result.work) === JSON.stringify(work);
    if (!isOwn)
      throw invalid(
        'work',
        `shard ${nameOf(result.shard)} is of other work than shard ${nameOf(shard)}: ` +
          differenceOf(result, results[0]),
      );
    if (found[index]) throw invalid('index', `shard ${nameOf(result.shard)} is there twice`);
    found[index] = result;
  }
  const missing = found.flatMap((result, index) => (result ? [] : [index + 1]));
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are';
    const names = missing.slice(0, 20).join(', ');
    throw invalid('', `${missing.length} of ${shard.count} shards ${verb} missing: ${names}`);
  }
  const reports = found.flatMap((result) => result?.reports ?? []);
  return { work, reports };
}

/** Returns a shard as a person counts. @param {Shard} shard */
export function nameOf({ index, count }) {
  return `${index + 1}/${count}`;
}

/** @param {ShardResult} one @param {ShardResult} other */
function differenceOf(one, other) {
  if (one.shard.count !== other.shard.count) return 'the number of shards differs';
  if (one.work.kind !== other.work.kind) return `${one.work.kind} and ${other.work.kind}`;
  if (one.work.input !== other.work.input) return 'the cluster, the question or options differ';
  return 'they come from different versions of stowage';
}

/** @param {string} line @returns {any} undefined if it is not an object */
function parsedLine(line) {
  try {
    const value = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} field @param {string} detail */
function invalid(field, detail) {
  return new InputError({ code: 'FieldValueInvalid', kind: HEAD, field, detail });
}
