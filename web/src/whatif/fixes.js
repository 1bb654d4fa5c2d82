/** Ways to give a pending pod a node, and the actions that make them. */
import { StowageError } from '../../../js/src/index.js';
import { resourceOf } from '../../../js/src/kubernetes.js';
import { commandsFor, evaluateAll, fix, groupSentences } from '../../../js/src/whatif.js';
import { patchesOf } from '../editor/merge_patches.js';
import { recreationOfPod } from '../editor/recreated_pod.js';
import { nodesOf } from './nodes.js';

/**
 * @import { KubernetesObject, Scheduler } from '../../../js/src/index.js'
 * @import { KubectlChange, Offer } from '../../../js/src/whatif.js'
 * @import { ObjectReference } from '../world/cluster_writes.js'
 * @import { Action, World } from '../world/world.js'
 * @import { Base } from './present.js'
 */

/**
 * A way, with its commands for kubectl. `isOffered`: whether the page can make it.
 * @typedef {Pick<Offer, 'sentence' | 'node' | 'evicts' | 'changes'> & { commands: string[],
 *   isOffered: boolean }} Way
 */

/**
 * `node`: the one that the pod gets without any change. `message` says why it gets none. `group`:
 * sentences about its pod group, if it is in one that cannot start.
 * @typedef {{ pod: string, node: string | null, message: string, isNever: boolean, ways: Way[],
 *   group: string[] }} Fixes
 */

/** Longer chains of owners are mistakes. */
const MOST_OWNERS = 8;

/**
 * @param {Base} base
 * @param {string} pod `namespace/name`
 * @param {{ world: World, signal: AbortSignal }} options
 * @returns {Promise<Fixes>}
 */
export async function fixesOf(base, pod, { world, signal }) {
  const { scheduler } = base;
  const object = scheduler.get('Pod', pod);
  if (!object) throw new StowageError('NotFound', `there is no pod ${pod}`);
  if (object.spec.nodeName)
    return { pod, node: object.spec.nodeName, message: '', isNever: false, ways: [], group: [] };
  const group = await groupOf(object, scheduler, signal);
  const { node, message, fits, offers } = await fix(scheduler, pod, {
    workload: workloadOf(object, world),
    pools: nodesOf(base).pools,
    priorityClasses: scheduler.list('PriorityClass'),
    signal,
  });
  const ways = offers.map(({ sentence, node: then, evicts, changes }) => ({
    ...{ sentence, node: then, evicts, changes },
    commands: changes.flatMap(commandsFor),
    isOffered: changes.every(isOffered),
  }));
  return { pod, node, message, isNever: fits === 'Never', ways, group };
}

/**
 * Why the pod group of a pod cannot start.
 * @param {KubernetesObject} pod
 * @param {Scheduler} scheduler
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>} empty if it can, or the pod is in none
 */
async function groupOf({ metadata, spec }, scheduler, signal) {
  const name = spec.schedulingGroup?.podGroupName;
  if (!name || !scheduler.inspect().podGroups) return [];
  const podGroup = `${metadata.namespace}/${name}`;
  const answer = await evaluateAll(scheduler, { podGroup }, { signal });
  const [first, ...others] = groupSentences(answer);
  return answer.result === 'scheduled' ? [] : [`Pod group ${podGroup} ${first}`, ...others];
}

/**
 * The actions that make a way in the world.
 * @param {readonly KubectlChange[]} changes
 * @param {World} world
 * @returns {Promise<Action[]>}
 */
export async function actionsOfWay(changes, world) {
  /** @type {Action[]} */
  const actions = [];
  for (const change of changes) {
    if (change.action === 'delete') actions.push({ do: 'delete', objects: [change.target] });
    else if (change.action === 'create') actions.push({ do: 'apply', objects: [change.object] });
    else if (change.object) actions.push(...recreationOfPod(change.object));
    else actions.push(...(await patchOf(change.target, change.patch, world)));
  }
  return actions;
}

/**
 * A strategic merge patch as a merge patch, which a scenario can express.
 * @param {ObjectReference} target
 * @param {object} patch
 * @param {World} world
 */
async function patchOf(target, patch, world) {
  const { before, after } = await world.preview(target, patch);
  const written = (/** @type {KubernetesObject} */ { apiVersion, kind, metadata, spec }) => {
    const { namespace, name, labels, annotations } = metadata;
    return { apiVersion, kind, metadata: { namespace, name, labels, annotations }, spec };
  };
  return patchesOf(written(before), written(after));
}

/** @param {KubectlChange} change */
function isOffered(change) {
  return change.action !== 'patch' || change.inPlace || change.object !== undefined;
}

/**
 * The topmost workload of a pod that the world has: patches of its template reach the pod.
 * @param {KubernetesObject} pod
 * @param {World} world
 */
function workloadOf(pod, { server: { store } }) {
  const { namespace } = pod.metadata;
  /** @type {{ apiVersion: string, kind: string, namespace: string, name: string } | undefined} */
  let top;
  let owned = pod;
  for (let level = 0; level < MOST_OWNERS; level += 1) {
    /** @type {any[]} */
    const owners = owned.metadata.ownerReferences ?? [];
    const owner = owners.find(({ controller }) => controller);
    const resource = owner && resourceOf(owner);
    const object = resource?.isWorkload && store.get(resource.plural, namespace, owner.name);
    if (!object) break;
    top = { apiVersion: owner.apiVersion, kind: owner.kind, namespace, name: owner.name };
    owned = object;
  }
  return top;
}
