/** Says what decisions read and the input does not have. */
import { Dump } from './dump.js';
import { missingKinds } from './missing_kinds.js';
import { shortList, sortPods } from './outcome.js';
import { EXIT } from './problems.js';
import { say } from './terminal.js';

/**
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Decision } from '../engine/types.js'
 * @import { Cluster } from './cluster.js'
 * @import { Host } from './main.js'
 * @import { Missing } from '../check/types.js'
 */

/** Where the command is that gets all kinds. */
const HINT = '"stowage help simulate" shows the kubectl get that has every kind';

/**
 * @param {Cluster} cluster as it was before
 * @param {{ schedulerNames: ReadonlySet<string>, decisions?: Decision[], asked?:
 *   KubernetesObject[] }} run whose pods are decided on; `asked`: further pods that are
 * @returns {Missing[]}
 */
export function missingIn(cluster, { schedulerNames, decisions = [], asked = [] }) {
  const { pods, startTime, unclassed } = cluster;
  const sorted = sortPods(pods, new Set(schedulerNames));
  const objectOf = (/** @type {string} */ key) => pods.get(key) ?? [];
  const pending = [...new Set([...sorted.pending.flatMap(objectOf), ...asked])];
  const bound = [...sorted.bound.keys()].flatMap(objectOf);
  return missingKinds({ dump: dumpOf(cluster), pending, bound, unclassed, startTime }, decisions);
}

/**
 * What is written below the errors of an input that end a command, where the input lacks a class.
 * @param {Cluster} cluster
 * @param {InputError[]} unclassed the errors of pods whose PriorityClass is not there
 * @param {{ quiet?: boolean, strict?: boolean }} options
 * @returns {string[]}
 */
export function hintsOn(cluster, unclassed, { quiet = false, strict = false }) {
  const { startTime } = cluster;
  const dump = dumpOf(cluster);
  const missing = missingKinds({ dump, pending: [], bound: [], unclassed, startTime }, []);
  return linesOf(missing, { quiet, strict });
}

/** @param {Cluster} cluster */
function dumpOf(cluster) {
  return new Dump(
    cluster.batches.flatMap(({ objects }) => objects),
    cluster,
  );
}

/**
 * Writes to standard error what is missing for certain. What the cluster may not have either, as a
 * dump has no sign of it, is only for documents and `--strict`: a warning that cannot be heeded is
 * soon not read any more.
 * @param {Missing[]} missing
 * @param {{ quiet: boolean, strict: boolean }} options
 * @param {Host} host
 * @returns {number | undefined} the exit code, where it is another for that
 */
export function tellMissing(missing, options, { stderr }) {
  const lines = linesOf(missing, options);
  for (const line of lines) say(stderr, line);
  return options.strict && lines.length > 0 ? EXIT.badInput : undefined;
}

/**
 * @param {Missing[]} missing
 * @param {{ quiet: boolean, strict: boolean }} options
 */
function linesOf(missing, { quiet, strict }) {
  const told = strict ? missing : missing.filter(({ certain }) => certain);
  const level = strict ? 'error' : 'warning';
  const lines = told.map((one) => `${level}: ${sentenceOf(one)}`);
  return quiet || lines.length === 0 ? lines : [...lines, `note: ${HINT}`];
}

/** @param {Missing} missing */
function sentenceOf({ kind, neededBy, names, found, pods }) {
  const what = found === 0 ? `has no ${kind}` : `lacks ${kind} ${shortList(names)}`;
  const verb = neededBy.length === 1 ? 'needs' : 'need';
  const them = found === 0 && names.length > 0 ? shortList(names) : 'it';
  const count = pods.length === 1 ? '1 pod' : `${pods.length} pods`;
  const need = `${neededBy.join(', ')} ${verb} ${them}`;
  return `the input ${what}: ${need} for ${count}: ${shortList(pods)}`;
}
