/** Makes a scenario from existing objects: manifests, or the output of `kubectl get -o json`. */
import { missingReplicaSets } from './missing_replica_sets.js';
import { START } from './scenario.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Scenario } from './scenario.js'
 */

/** Kinds that other objects refer to come first. */
const FIRST = ['Namespace', 'PriorityClass', 'StorageClass'];

/**
 * @param {object} dump
 * @param {string} dump.title
 * @param {KubernetesObject[]} dump.objects of served kinds
 * @param {KubernetesObject} [dump.configuration]
 * @param {Map<string, number>} dump.ignored the number of objects of each kind that is not served
 * @returns {Scenario} with the objects as they are, starting at the latest time that they mention
 */
export function scenarioOfDump({ title, objects, configuration, ignored }) {
  const sets = missingReplicaSets(objects);
  const all = [...objects, ...sets];
  const isFirst = (/** @type {KubernetesObject} */ { kind = '' }) => FIRST.includes(kind);
  return {
    title,
    text: aboutDump(objects, sets, ignored),
    scheduler: configuration ? { configuration } : {},
    startTime: latestTime(objects) ?? Date.parse(START),
    seed: 0,
    kubelet: true,
    objects: [...all.filter(isFirst), ...all.filter((object) => !isFirst(object))],
    steps: [],
  };
}

/**
 * @param {Scenario} scenario of a dump
 * @returns {string} the scenario as JSON
 */
export function textOfDump({ title, text, scheduler, startTime, objects }) {
  const head = { apiVersion: 'stowage/v1', kind: 'Scenario', title, text, ...scheduler };
  const whole = { ...head, startTime: new Date(startTime).toISOString(), objects };
  return `${JSON.stringify(whole, null, 1)}\n`;
}

/**
 * @param {KubernetesObject[]} objects
 * @param {KubernetesObject[]} sets the ReplicaSets that were missing
 * @param {Map<string, number>} ignored
 */
function aboutDump(objects, sets, ignored) {
  const countOf = (/** @type {string} */ wanted) =>
    objects.filter(({ kind }) => kind === wanted).length;
  const [nodes, pods] = [countOf('Node'), countOf('Pod')];
  const parts = [counted(nodes, 'node'), counted(pods, 'pod')];
  const others = objects.length - nodes - pods;
  if (others > 0) parts.push(counted(others, 'other object'));
  const paragraphs = [`${parts.join(', ')}. Running pods keep running.`];
  if (sets.length > 0) {
    const made = counted(sets.length, 'ReplicaSet');
    paragraphs.push(
      `Recreated from their pods and Deployments, because they were missing: ${made}.`,
    );
  }
  if (ignored.size > 0) {
    const kinds = [...ignored].map(([kind, count]) => `${count} \`${kind}\``);
    paragraphs.push(`Ignored, because they are not served here: ${kinds.join(', ')}.`);
  }
  return paragraphs.join('\n\n');
}

/**
 * @param {number} count
 * @param {string} noun
 */
function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * The latest time in nodes and pods, which is the best estimate of when the dump was made.
 * @param {KubernetesObject[]} objects
 * @returns {number | undefined} milliseconds since the epoch
 */
function latestTime(objects) {
  let latest = '';
  const see = (/** @type {unknown} */ time) => {
    if (typeof time === 'string' && time > latest) latest = time;
  };
  for (const { metadata, status } of objects) {
    see(metadata.creationTimestamp);
    see(status?.startTime);
    if (!Array.isArray(status?.conditions)) continue;
    for (const condition of status.conditions) {
      see(condition?.lastTransitionTime);
      see(condition?.lastHeartbeatTime);
    }
  }
  const time = Date.parse(latest);
  return Number.isNaN(time) ? undefined : time;
}
