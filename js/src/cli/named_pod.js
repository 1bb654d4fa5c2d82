/** The pod that a person means. */
import { itemsIn } from '../values.js';
import { keyOf } from './cluster.js';
import { didYouMean, namesNear } from './near_names.js';
import { UsageError } from './problems.js';

/**
 * @import { KubernetesObject } from '../types.js'
 * @import { Cluster } from './cluster.js'
 */

/**
 * The kinds that have pods, by all that kubectl calls them.
 * @type {Readonly<Record<string, string>>}
 */
const KINDS = Object.freeze({
  ...spellings('Deployment', 'deploy'),
  ...spellings('ReplicaSet', 'rs'),
  ...spellings('ReplicationController', 'rc'),
  ...spellings('StatefulSet', 'sts'),
  ...spellings('DaemonSet', 'ds'),
  ...spellings('Job', 'job'),
  ...spellings('CronJob', 'cj'),
});

const POD = /^(po|pods?)\//;

/**
 * The pod that is to be explained: `name`, `namespace/name`, each with `pod/` in front, or the
 * first one of `kind/name` that is pending, else its first one.
 * @param {string} text as the user named it
 * @param {{ cluster: Cluster, namespace?: string, schedulerNames: Set<string>, asked: string }}
 *   surroundings `asked`: what the user asked with, for messages
 * @returns {string} `namespace/name`
 * @throws {UsageError} when it is not there, or cannot be explained
 */
export function podToExplain(text, { cluster, namespace, schedulerNames, asked }) {
  const pod = podNamed(text, { cluster, namespace, asked });
  if (namespace !== undefined && !pod.startsWith(`${namespace}/`))
    throw new UsageError(`${asked}: pod ${pod} is not in namespace ${namespace}`);
  const { schedulerName = 'default-scheduler' } = cluster.pods.get(pod)?.spec ?? {};
  if (schedulerNames.has(schedulerName)) return pod;
  const ours = [...schedulerNames].join(', ');
  throw new UsageError(
    `${asked}: pod ${pod} is for the scheduler ${schedulerName}, this one is ${ours}`,
  );
}

/**
 * @param {string} text
 * @param {{ cluster: Cluster, namespace?: string, asked: string }} surroundings
 * @returns {string}
 */
function podNamed(text, { cluster, namespace, asked }) {
  const { pods } = cluster;
  const name = text.replace(POD, '');
  if (pods.has(name)) return name;
  const [, type, workload] = /^([^/.]+)[^/]*\/([^/]+)$/.exec(name) ?? [];
  const kind = KINDS[type?.toLowerCase()];
  if (kind) return podOf(kind, workload, { cluster, namespace, asked });
  const isThere = (/** @type {string} */ key) =>
    namespace === undefined || key.startsWith(`${namespace}/`);
  const found = [...pods.keys()].filter((key) => key.endsWith(`/${name}`) && isThere(key));
  if (found.length === 1) return found[0];
  if (found.length > 1) throw new UsageError(`${asked}: ${text} may be ${found.join(' or ')}`);
  const near = podsNear(name, [...pods.keys()].filter(isThere));
  throw new UsageError(
    `${asked}: there is no pod ${name} in ${whereIn(namespace)}${didYouMean(near)}`,
  );
}

/**
 * Pods of the namespace that was named with names like that, and those of that name elsewhere.
 * @param {string} name or `namespace/name`
 * @param {string[]} keys of all that it may be
 */
function podsNear(name, keys) {
  const namespace = name.includes('/') ? namespaceIn(name) : undefined;
  const own = keys.filter((key) => namespace === undefined || namespaceIn(key) === namespace);
  const near = namesNear(nameIn(name), own.map(nameIn));
  const similar = near.flatMap((each) => own.filter((key) => nameIn(key) === each));
  return [...similar, ...keys.filter((key) => nameIn(key) === nameIn(name))].slice(0, 3);
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {{ cluster: Cluster, namespace?: string, asked: string }} surroundings
 * @returns {string}
 */
function podOf(kind, name, { cluster, namespace, asked }) {
  const isThere = (/** @type {string} */ key) =>
    namespace === undefined || key.startsWith(`${namespace}/`);
  const all = podsByWorkload(cluster, kind);
  const found = [...all].filter(([key]) => nameIn(key) === name && isThere(key));
  const type = kind.toLowerCase();
  if (found.length > 1) {
    const keys = found.map(([key]) => key).join(' or ');
    throw new UsageError(`${asked}: ${type}/${name} may be ${keys}; --namespace tells which`);
  }
  if (found.length === 0) {
    const near = namesNear(name, [...all.keys()].filter(isThere).map(nameIn));
    const hint = didYouMean(near.map((each) => `${type}/${each}`));
    throw new UsageError(
      `${asked}: there is no pod of ${type}/${name} in ${whereIn(namespace)}${hint}`,
    );
  }
  const [[, pods]] = found;
  return pods.find((pod) => !cluster.pods.get(pod)?.spec?.nodeName) ?? pods[0];
}

/**
 * The pods of all workloads of one kind, by the workload's `namespace/name`.
 * @param {Cluster} cluster
 * @param {string} kind
 * @returns {Map<string, string[]>}
 */
function podsByWorkload({ pods, batches, workloads }, kind) {
  const owners = new Map(
    batches.flatMap(({ objects }) =>
      objects
        .filter((object) => object.kind === 'ReplicaSet' || object.kind === 'Job')
        .map((object) => [`${object.kind} ${keyOf(object)}`, controllerOf(object)]),
    ),
  );
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [pod, object] of pods) {
    const owner = ownersOf(object, owners).find((each) => each.kind === kind);
    if (owner) add(found, `${namespaceIn(pod)}/${owner.name}`, pod);
  }
  for (const { object, pods: made, refusal } of workloads)
    if (object.kind === kind && !found.has(keyOf(object)) && refusal === undefined)
      for (const pod of made) add(found, keyOf(object), pod);
  return found;
}

/**
 * Who made a pod, and who made that. Where a dump has no ReplicaSets, their names tell: they are
 * those of the Deployment and the hash of its template.
 * @param {KubernetesObject} pod
 * @param {Map<string, { kind: string, name: string } | undefined>} owners
 * @returns {{ kind: string, name: string }[]}
 */
function ownersOf(pod, owners) {
  const owner = controllerOf(pod);
  if (!owner) return [];
  const { namespace = 'default', labels } = pod.metadata;
  const above = owners.get(`${owner.kind} ${namespace}/${owner.name}`);
  if (above) return [owner, above];
  const suffix = `-${labels?.['pod-template-hash']}`;
  return owner.kind === 'ReplicaSet' && owner.name.endsWith(suffix)
    ? [owner, { kind: 'Deployment', name: owner.name.slice(0, -suffix.length) }]
    : [owner];
}

/**
 * @param {KubernetesObject} object
 * @returns {{ kind: string, name: string } | undefined}
 */
function controllerOf({ metadata }) {
  return itemsIn(metadata?.ownerReferences).find((owner) => owner?.controller);
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

/** @param {string} key */
function nameIn(key) {
  return key.slice(key.indexOf('/') + 1);
}

/** @param {string} key */
function namespaceIn(key) {
  return key.slice(0, key.indexOf('/'));
}

/** @param {string | undefined} namespace */
function whereIn(namespace) {
  return namespace === undefined ? 'the input' : `namespace ${namespace}`;
}

/**
 * @param {string} kind
 * @param {string} short
 */
function spellings(kind, short) {
  const word = kind.toLowerCase();
  return { [short]: kind, [word]: kind, [`${word}s`]: kind };
}
