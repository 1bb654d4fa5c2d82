/** What another release of kube-scheduler decides otherwise, and what in it does so. */
import { placementChange } from '../engine/placement_change.js';
import { InputError } from '../kubernetes/errors.js';
import { schedulerNamesIn } from '../kubernetes/pod_defaults.js';
import { releaseOf } from '../kubernetes/release.js';
import { itemsIn } from '../kubernetes/values.js';
import { documentOf } from './document.js';
import { readSource } from './upgrade/asked_pods.js';
import { causesOf } from './upgrade/causes.js';
import { PodTexts } from './upgrade/pod_text.js';
import { Releases } from './upgrade/releases.js';
import { rowsBetween } from './upgrade/rows.js';

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { SchedulerOptions } from '../engine/types.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Asked } from './upgrade/asked_pods.js'
 * @import { Answer } from './upgrade/releases.js'
 * @import { Row } from './upgrade/rows.js'
 */

/**
 * How a pod's answer differs. `Told`: it waits with both releases, with another message.
 * `OtherVictims`: it waits with both, and evicts other pods, or for another node.
 * @typedef {'Moved' | 'NewlyPending' | 'NewlyPlaced' | 'OtherVictims' | 'Told'} UpgradeChange
 */

/**
 * A pod whose answer differs. `pods`: how many are equal to it, it included. `rows`: the rows of
 * the table that do it, several only together: the new release with these as before gives the old
 * answer; if a gate is locked there, the old release with these as in the new one the new answer.
 * @typedef {object} UpgradedPod
 * @property {string} pod `namespace/name`
 * @property {number} pods
 * @property {UpgradeChange} change
 * @property {Answer} before
 * @property {Answer} after
 * @property {string[]} rows
 */

/**
 * @typedef {object} UpgradeOptions
 * @property {Engine} engine creates the schedulers of both releases, one after the other
 * @property {SchedulerOptions} [schedulerOptions] those that both have, such as `configuration`;
 *   feature gates in it are the same in both
 * @property {boolean} [everyPod] asks about each pod; default: about one of each class of equal
 *   pods
 * @property {(pod: string, object: KubernetesObject) => boolean} [isAsked] whether to ask about a
 *   pod, `namespace/name`; default: about all
 * @property {(error: InputError) => void} [onError] receives the errors of objects that cannot be
 *   read, with their `index` in the source; default: the first one is thrown
 * @property {(step: 'reading' | 'asking', done: number, total: number) => void} [progress]
 * @property {AbortSignal} [signal]
 */

/** @type {readonly UpgradeChange[]} */
const CHANGES = ['Moved', 'NewlyPending', 'NewlyPlaced', 'OtherVictims', 'Told'];

/**
 * Returns which pods another release would place, refuse or answer otherwise, in the cluster as it
 * stands, and which rows of the table of releases do so. Each pod is asked about alone: a pending
 * one as it is, a placed one as if it had just been taken off its node.
 * @param {Scheduler | KubernetesObject | Iterable<KubernetesObject>} source the cluster: a
 *   scheduler that keeps objects, a List, or objects
 * @param {{ from: string, to: string }} releases such as `1.34`
 * @param {UpgradeOptions} options
 * @throws {InputError} if a release is unknown, both are the same, or an object cannot be read
 * @throws {import('../kubernetes/errors.js').ConfigurationError} if a release refuses the
 *   configuration
 * @throws the signal's reason
 */
export function upgradeDiff(source, { from, to }, options) {
  return upgradeDiffWith(new PodTexts(), source, { from, to }, options);
}

/**
 * The same with pods that `texts` may have reduced.
 * @param {PodTexts} texts
 * @param {Parameters<typeof upgradeDiff>[0]} source
 * @param {{ from: string, to: string }} releases
 * @param {UpgradeOptions} options
 */
export async function upgradeDiffWith(texts, source, { from, to }, options) {
  const { schedulerOptions = {}, everyPod = false, isAsked, onError } = options;
  if (schedulerOptions.kubernetesVersion !== undefined || schedulerOptions.behaviour !== undefined)
    throw fixedRelease();
  const { configuration, featureGates, seed } = schedulerOptions;
  const rows = rowsBetween(options.engine, { from, to }, featureGates);
  /** The numbers of objects in the source. @type {Set<number | undefined>} */
  const unreadable = new Set();
  const report = (/** @type {InputError} */ error) => {
    unreadable.add(error.index);
    if (!onError) throw error;
    onError(error);
  };
  const reading = { everyPod, seed, texts, isAsked, onError: report };
  const { lines, asked: all } = readSource(source, { ...readFrom(configuration), ...reading });
  const indexes = new Map(all.map(({ pod, index }) => [pod, index]));
  const isReadable = (/** @type {string} */ pod) => !unreadable.has(indexes.get(pod));
  const releases = new Releases(lines, { ...options, from, to, onError: report, isReadable });
  try {
    const { asked, pods } = await compared(releases, { all, rows, isReadable });
    return answerOf({ from, to }, { asked, rows, pods });
  } finally {
    releases.dispose();
  }
}

/** @typedef {Awaited<ReturnType<typeof upgradeDiffWith>>} UpgradeDiff */

/**
 * Asks both releases, and for what the differences are due to.
 * @param {Releases} releases
 * @param {{ all: Asked[], rows: Row[], isReadable: (pod: string) => boolean }} question
 * @returns {Promise<{ asked: Asked[], pods: UpgradedPod[] }>} those that could be read, and those
 *   of them whose answers differ
 */
async function compared(releases, { all, rows, isReadable }) {
  const names = all.map(({ pod }) => pod);
  const before = await releases.before(names);
  const after = await releases.after(names);
  const asked = all.filter(({ pod }) => isReadable(pod));
  const different = asked.filter(({ pod }) => changeOf(before.get(pod), after.get(pod)));
  const changes = new Map(
    different.map(({ pod }) => [pod, changeOf(before.get(pod), after.get(pod))]),
  );
  const isOf = (/** @type {Map<string, Answer>} */ answers) => {
    return (/** @type {string} */ pod, /** @type {Answer} */ answer) =>
      isAlike(answer, answers.get(pod), changes.get(pod));
  };
  const causes = await causesOf([...changes.keys()], rows, {
    back: (some, group) => releases.agreeing(some, 'back', group, isOf(before)),
    forth: (some, group) => releases.agreeing(some, 'forth', group, isOf(after)),
  });
  const pods = different.map((one) =>
    upgraded(one, { before, after, rows: causes.get(one.pod) ?? [] }),
  );
  return { asked, pods };
}

/**
 * @param {{ from: string, to: string }} releases
 * @param {{ asked: Asked[], rows: Row[], pods: UpgradedPod[] }} found
 */
function answerOf({ from, to }, { asked, rows, pods }) {
  const release = releaseOf(to);
  const sum = (/** @type {{ pods: number }[]} */ some) =>
    some.reduce((total, one) => total + one.pods, 0);
  const counts = (/** @type {UpgradedPod[]} */ some) => ({
    pods: sum(some),
    moved: sum(some.filter(({ change }) => change === 'Moved')),
    newlyPending: sum(some.filter(({ change }) => change === 'NewlyPending')),
    newlyPlaced: sum(some.filter(({ change }) => change === 'NewlyPlaced')),
    otherVictims: sum(some.filter(({ change }) => change === 'OtherVictims')),
    told: sum(some.filter(({ change }) => change === 'Told')),
  });
  const { pods: differ, ...changes } = counts(pods);
  const summary = { pods: sum(asked), asked: asked.length, differ, ...changes };
  const of = (/** @type {string} */ name) => pods.filter((pod) => pod.rows.includes(name));
  return documentOf(
    'UpgradeDiff',
    { kubernetesVersion: release },
    {
      from: releaseOf(from),
      to: release,
      summary,
      rows: rows
        .map(({ name, kind, text }) => ({ name, kind, text, ...counts(of(name)) }))
        .filter((row) => row.pods > 0),
      pods: pods.toSorted((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change)),
    },
  );
}

/**
 * @param {Asked} asked
 * @param {{ before: Map<string, Answer>, after: Map<string, Answer>, rows: string[] }} answers
 * @returns {UpgradedPod}
 */
function upgraded({ pod, pods }, { before, after, rows }) {
  const [was, is] = [before, after].map((one) => /** @type {Answer} */ (one.get(pod)));
  const change = /** @type {UpgradeChange} */ (changeOf(was, is));
  return { pod, pods, change, before: was, after: is, rows };
}

/**
 * @param {Answer | undefined} before
 * @param {Answer | undefined} after
 * @returns {UpgradeChange | undefined}
 */
function changeOf(before, after) {
  const change = placementChange(before?.node ?? null, after?.node ?? null);
  if (change) return change;
  if (JSON.stringify(before?.preemption) !== JSON.stringify(after?.preemption))
    return 'OtherVictims';
  return before?.message === after?.message ? undefined : 'Told';
}

/**
 * Whether an answer is like another in what a change is about: messages do not matter to a pod that
 * moves.
 * @param {Answer} answer
 * @param {Answer | undefined} other
 * @param {UpgradeChange | undefined} change
 */
function isAlike(answer, other, change) {
  const difference = changeOf(answer, other);
  if (difference === undefined || change === 'Told') return difference === undefined;
  if (change === 'OtherVictims') return difference === 'Told';
  return answer.node === other?.node;
}

/**
 * Returns the names of the schedulers of a KubeSchedulerConfiguration, and whether its extenders
 * read whole pods.
 * @param {SchedulerOptions['configuration']} configuration
 */
function readFrom(configuration) {
  const bytes = configuration instanceof Uint8Array;
  const text = bytes ? new TextDecoder().decode(configuration) : configuration;
  const document = typeof text === 'string' && text !== '' ? parsed(text) : text;
  const { extenders } = /** @type {any} */ (document || {});
  return {
    schedulerNames: schedulerNamesIn(document),
    whole: itemsIn(extenders).length > 0,
  };
}

/**
 * The engine reports what is wrong with the text.
 * @param {string} text
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fixedRelease() {
  const field = 'schedulerOptions';
  const detail = 'must not have kubernetesVersion or behaviour: the question has the releases';
  return new InputError({ code: 'FieldValueForbidden', field, value: '', detail });
}
