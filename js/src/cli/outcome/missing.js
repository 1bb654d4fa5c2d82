/** Reports objects that decisions read and the input lacks. */
import { Dump } from '../../check/missing/dump.js';
import { missingKinds } from '../../check/missing/kinds.js';
import { EXIT } from '../terminal/problems.js';
import { sortPods } from '../cluster/sorted_pods.js';
import { say, shortList } from '../terminal/terminal.js';

/**
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Decision } from '../../engine/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Host } from '../host.js'
 * @import { Missing } from '../../check/types.js'
 */

/** Points to the command that exports all kinds. */
const HINT = '"stowage help simulate" shows the kubectl get that has every kind';

/**
 * @param {Cluster} cluster before the simulation
 * @param {{ schedulerNames: ReadonlySet<string>, decisions?: Decision[], asked?:
 *   KubernetesObject[] }} run the decisions; `asked`: further evaluated pods
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
 * Returns the hints below errors that end a command, if the input lacks a class.
 * @param {Cluster} cluster
 * @param {InputError[]} unclassed the errors of pods whose PriorityClass is missing
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
 * Prints the objects that are certainly missing to standard error. Objects that the cluster may
 * lack as well only appear in documents and with `--strict`: users cannot act on such warnings and
 * would soon ignore all of them.
 * @param {Missing[]} missing
 * @param {{ quiet: boolean, strict: boolean }} options
 * @param {Host} host
 * @returns {number | undefined} the exit code, if missing objects change it
 */
export function printMissing(missing, options, { stderr }) {
  const lines = linesOf(missing, options);
  for (const line of lines) say(stderr, line);
  return options.strict && lines.length > 0 ? EXIT.badInput : undefined;
}

/**
 * @param {Missing[]} missing
 * @param {{ quiet: boolean, strict: boolean }} options
 */
function linesOf(missing, { quiet, strict }) {
  const reported = strict ? missing : missing.filter(({ certain }) => certain);
  const level = strict ? 'error' : 'warning';
  const lines = reported.map((one) => `${level}: ${sentenceOf(one)}`);
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
