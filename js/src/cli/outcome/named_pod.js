/** Finds the pod that the user names. */
import { podKeyOf, splitKey } from '../../kubernetes/keys.js';
import { RESOURCES } from '../../kubernetes/kinds.js';
import { Owners } from '../../kubernetes/owners.js';
import { schedulerNameOf } from '../../kubernetes/pod_defaults.js';
import { didYouMean, namesNear } from '../terminal/near_names.js';
import { UsageError } from '../terminal/problems.js';

/**
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { PodOutcome } from './outcome.js'
 */

/** The kinds that have pods, by each name that kubectl accepts. @type {Map<string, string>} */
const KINDS = new Map(
  RESOURCES.filter(({ kind, isWorkload }) => isWorkload || kind === 'CronJob').flatMap(
    ({ kind, singular, plural, shortNames }) =>
      [singular, plural, ...shortNames].map((name) => /** @type {const} */ ([name, kind])),
  ),
);

const POD = /^(po|pods?)\//;

/**
 * Returns the pods that the user may mean: `name`, `namespace/name`, each with `pod/` in front, or
 * all of `kind/name`, from which `firstToExplain` chooses.
 * @param {string} text the user's text
 * @param {{ cluster: Cluster, namespace?: string, schedulerNames: Set<string>, asked: string }}
 *   surroundings `asked`: the argument or flag, for messages
 * @returns {string[]} `namespace/name` each, at least one
 * @throws {UsageError} if the pod does not exist, or cannot be explained
 */
export function podsToExplain(text, { cluster, namespace, schedulerNames, asked }) {
  const pods = podsNamed(text, { cluster, namespace, asked });
  const pod = firstToExplain(pods, { cluster, outcomes: [] });
  if (namespace !== undefined && !pod.startsWith(`${namespace}/`))
    throw new UsageError(`${asked}: pod ${pod} is not in namespace ${namespace}`);
  const schedulerName = schedulerNameOf(cluster.pods.get(pod)?.spec);
  if (schedulerNames.has(schedulerName)) return pods;
  const ours = [...schedulerNames].join(', ');
  throw new UsageError(
    `${asked}: pod ${pod} is for the scheduler ${schedulerName}, this one is ${ours}`,
  );
}

/**
 * Returns the first pod of a workload that found no node, else the first that was pending, else the
 * first.
 * @param {string[]} pods
 * @param {{ cluster: Cluster, outcomes: PodOutcome[] }} simulation `outcomes`: the outcomes of pods
 * @returns {string}
 */
export function firstToExplain(pods, { cluster, outcomes }) {
  const without = new Set(
    outcomes.filter(({ result }) => result !== 'Scheduled').map(({ pod }) => pod),
  );
  const wasPending = (/** @type {string} */ pod) => !cluster.pods.get(pod)?.spec?.nodeName;
  return pods.find((pod) => without.has(pod)) ?? pods.find(wasPending) ?? pods[0];
}

/**
 * @param {string} text
 * @param {{ cluster: Cluster, namespace?: string, asked: string }} surroundings
 * @returns {string[]}
 */
function podsNamed(text, { cluster, namespace, asked }) {
  const { pods } = cluster;
  const name = text.replace(POD, '');
  if (pods.has(name)) return [name];
  const [, type, workload] = /^([^/.]+)[^/]*\/([^/]+)$/.exec(name) ?? [];
  const kind = KINDS.get(type?.toLowerCase());
  if (kind) return podsOfWorkload(kind, workload, { cluster, namespace, asked });
  const isThere = (/** @type {string} */ key) =>
    namespace === undefined || key.startsWith(`${namespace}/`);
  const found = [...pods.keys()].filter((key) => key.endsWith(`/${name}`) && isThere(key));
  if (found.length === 1) return found;
  if (found.length > 1) throw new UsageError(`${asked}: ${text} may be ${found.join(' or ')}`);
  const near = podsNear(name, [...pods.keys()].filter(isThere));
  throw new UsageError(
    `${asked}: there is no pod ${name} in ${whereIn(namespace)}${didYouMean(near)}`,
  );
}

/**
 * Returns pods of the named namespace with similar names, and pods of that name in other
 * namespaces.
 * @param {string} name or `namespace/name`
 * @param {string[]} keys of all candidates
 */
function podsNear(name, keys) {
  const namespace = name.includes('/') ? splitKey(name).namespace : undefined;
  const own = keys.filter(
    (key) => namespace === undefined || splitKey(key).namespace === namespace,
  );
  const near = namesNear(
    splitKey(name).name,
    own.map((key) => splitKey(key).name),
  );
  const similar = near.flatMap((each) => own.filter((key) => splitKey(key).name === each));
  return [...similar, ...keys.filter((key) => splitKey(key).name === splitKey(name).name)].slice(
    0,
    3,
  );
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {{ cluster: Cluster, namespace?: string, asked: string }} surroundings
 * @returns {string[]}
 */
function podsOfWorkload(kind, name, { cluster, namespace, asked }) {
  const isThere = (/** @type {string} */ key) =>
    namespace === undefined || key.startsWith(`${namespace}/`);
  const all = podsByWorkload(cluster, kind);
  const found = [...all].filter(([key]) => splitKey(key).name === name && isThere(key));
  const type = kind.toLowerCase();
  if (found.length > 1) {
    const keys = found.map(([key]) => key).join(' or ');
    throw new UsageError(`${asked}: ${type}/${name} may be ${keys}; --namespace tells which`);
  }
  if (found.length === 0) {
    const near = namesNear(
      name,
      [...all.keys()].filter(isThere).map((key) => splitKey(key).name),
    );
    const hint = didYouMean(near.map((each) => `${type}/${each}`));
    throw new UsageError(
      `${asked}: there is no pod of ${type}/${name} in ${whereIn(namespace)}${hint}`,
    );
  }
  return found[0][1];
}

/**
 * Returns the pods of all workloads of one kind, by the workload's `namespace/name`.
 * @param {Cluster} cluster
 * @param {string} kind
 * @returns {Map<string, string[]>}
 */
function podsByWorkload({ pods, batches, workloads }, kind) {
  const owners = new Owners(batches.flatMap(({ objects }) => objects));
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [pod, object] of pods) {
    const owner = owners.chainOf(object).find((each) => each.kind === kind);
    if (owner) add(found, `${splitKey(pod).namespace}/${owner.name}`, pod);
  }
  for (const { object, pods: made, refusal } of workloads)
    if (object.kind === kind && !found.has(podKeyOf(object)) && refusal === undefined)
      for (const pod of made) add(found, podKeyOf(object), pod);
  return found;
}

/**
 * @param {Map<string, string[]>} lists
 * @param {string} key
 * @param {string} item
 */
function add(lists, key, item) {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** @param {string | undefined} namespace */
function whereIn(namespace) {
  return namespace === undefined ? 'the input' : `namespace ${namespace}`;
}
