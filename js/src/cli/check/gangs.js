/** Asks the pods of manifests that are to start together as gangs, for `stowage check --gang`. */
import { BatchError, InputError } from '../../kubernetes/errors.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { identityOf } from '../../kubernetes/owners.js';
import { schedulerNameOf } from '../../kubernetes/pod_defaults.js';
import { pinnedTo } from '../../kubernetes/workloads/daemon_pods.js';
import { gangsIn } from '../../manifests/gangs/gangs.js';
import { readGroup } from '../../manifests/gangs/pod_groups.js';
import { evaluateAll } from '../../whatif/gang.js';
import { runOfCronJob } from '../cluster/manifests.js';
import { runAll } from '../simulation/simulation.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Gang } from '../../manifests/gangs/gangs.js'
 * @import { GroupEvaluation } from '../../whatif/gang.js'
 * @import { GangVerdict, PodFate } from '../../check/report.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Workload } from '../cluster/manifests.js'
 * @import { Simulation } from '../simulation/simulation.js'
 */

/** The result of a pod whose gang has the reason. */
const UNSCHEDULABLE = 'Unschedulable';

/**
 * The gangs of manifests. `cluster` lacks their pods, and has one workload for each written object.
 * @typedef {{ gangs: Gang[], cluster: Cluster }} GangPlan
 */

/**
 * @typedef {object} GangAnswers
 * @property {Map<string, PodFate>} fates of the pods, by `namespace/name`
 * @property {(workload: Workload) => GangVerdict[]} of returns the gangs of a workload's pods
 * @property {Map<string, string>} notTaken the reasons why a pod cannot be read
 */

/**
 * Returns the cluster with one workload for each written object: what it unfolds to is together.
 * @param {Cluster} cluster
 * @returns {Cluster}
 */
export function asWritten(cluster) {
  return { ...cluster, workloads: merged(cluster.workloads) };
}

/**
 * @param {Cluster} cluster
 * @returns {GangPlan}
 */
export function gangPlan(cluster) {
  const pods = [...cluster.pods.values()];
  const written = rowsOf(cluster);
  const podsOf = (/** @type {Workload} */ row) =>
    row.pods.flatMap((key) => cluster.pods.get(key) ?? []);
  const gangs = gangsIn(
    written.map((row) => ({ object: row.object, pods: podsOf(row) })),
    { objects: cluster.read, pods },
  );
  const held = new Set(gangs.flatMap((gang) => gang.pods.filter(isWaiting).map(podKeyOf)));
  const isAsked = (/** @type {KubernetesObject} */ object) =>
    object.kind === 'Pod' && held.has(podKeyOf(object));
  const covered = new Set(written.flatMap((row) => row.pods));
  const workloads = written.flatMap((row) => {
    if (!readGroup(row.object)) return [row];
    const own = groupPods(row, gangs);
    if (own.some((key) => covered.has(key))) return [];
    return [{ ...row, pods: own, replicas: own.length }];
  });
  const batches = cluster.batches.map((batch) =>
    batch.objects.some(isAsked)
      ? { name: batch.name, objects: batch.objects.filter((object) => !isAsked(object)) }
      : batch,
  );
  const others = new Map([...cluster.pods].filter(([key]) => !held.has(key)));
  return { gangs, cluster: { ...cluster, batches, workloads, pods: others } };
}

/**
 * Returns the workloads of `asWritten`, and the PodGroups.
 * @param {Cluster} cluster
 * @returns {Workload[]}
 */
function rowsOf({ workloads, added }) {
  const known = new Map(workloads.map((workload) => [workload.pods, workload]));
  return merged(added.flatMap((entry) => known.get(entry.pods) ?? groupRow(entry) ?? []));
}

/** @param {Workload[]} workloads @returns {Workload[]} */
function merged(workloads) {
  /** @type {Map<KubernetesObject, Workload>} */
  const rows = new Map();
  for (const workload of workloads) {
    const row = rows.get(workload.object);
    rows.set(workload.object, row ? together(row, workload) : workload);
  }
  return [...rows.values()];
}

/** @param {Cluster['added'][number]} entry @returns {Workload | undefined} */
function groupRow(entry) {
  if (!readGroup(entry.object)) return undefined;
  return { ...entry, kept: [], replicas: 0, isKnown: true };
}

/** @param {Workload} row @param {Workload} other @returns {Workload} */
function together(row, other) {
  return {
    ...row,
    pods: [...row.pods, ...other.pods],
    kept: [...row.kept, ...other.kept],
    replicas: row.replicas + other.replicas,
    refusal: row.refusal ?? other.refusal,
  };
}

/**
 * Returns the written objects that have no row, PodGroups that are asked as gangs excepted.
 * @param {Cluster} read
 * @param {Cluster} planned what `gangPlan` or `asWritten` made of it
 * @param {{ gang: boolean }} options
 * @returns {KubernetesObject[]}
 */
export function leftAsideIn(read, planned, { gang }) {
  const rows = new Set(planned.workloads.map(({ object }) => identityOf(object)));
  return read.added
    .map(({ object }) => object)
    .filter((object) => !rows.has(identityOf(object)) && !(gang && readGroup(object)));
}

/** @param {KubernetesObject} pod */
function isWaiting({ spec }) {
  return !spec?.nodeName;
}

/** @param {Workload} row of a PodGroup @param {Gang[]} gangs */
function groupPods({ object }, gangs) {
  const name = `podgroup ${podKeyOf(object)}`;
  const own = gangs.filter((gang) => gang.name === name || gang.name.startsWith(`${name}, `));
  return own.flatMap((gang) => gang.pods.map(podKeyOf));
}

/**
 * Asks the gangs one after another; the pods of one that starts stay for the next.
 * @param {Gang[]} gangs
 * @param {Simulation} simulation of the cluster without their pods, whose scheduler keeps objects
 * @param {(done: number) => void} progress
 * @returns {Promise<GangAnswers>}
 */
export async function askGangs(gangs, simulation, progress) {
  const { scheduler, schedulerNames } = simulation;
  /** @type {Map<string, PodFate>} */
  const fates = new Map();
  /** @type {Map<string, string>} */
  const notTaken = new Map();
  /** @type {{ verdict: GangVerdict, keys: Set<string> }[]} */
  const answers = [];
  for (const [at, gang] of gangs.entries()) {
    progress(at);
    const keys = new Set(gang.pods.map(podKeyOf));
    const written = gang.pods.filter(isWaiting);
    const pods = written.map((pod) => asked(pod, schedulerNames));
    const bound = gang.pods.filter((pod) => !isWaiting(pod)).map(podKeyOf);
    for (const pod of bound) fates.set(pod, { pod, result: 'Scheduled', message: '' });
    try {
      const question = { ...gang, pods: [...bound, ...pods] };
      const answer = await evaluateAll(scheduler, question);
      const verdict = gangVerdict(gang, answer, schedulerNames);
      answers.push({ verdict, keys });
      for (const pod of pods) fates.set(podKeyOf(pod), waiting(podKeyOf(pod)));
      for (const fate of fatesIn(answer, verdict)) fates.set(fate.pod, fate);
      if (verdict.starts && at < gangs.length - 1) await settle(pods, answer, simulation);
    } catch (error) {
      const [first] = error instanceof BatchError ? error.errors : [error];
      if (!(first instanceof InputError)) throw error;
      const { source = '' } = rowWith(keys, simulation.cluster) ?? {};
      simulation.cluster.problems?.addError(source, first, written[first.index ?? 0]);
      for (const key of keys) notTaken.set(key, first.message);
    }
  }
  const of = (/** @type {Workload} */ { pods }) =>
    answers.filter(({ keys }) => pods.some((pod) => keys.has(pod))).map(({ verdict }) => verdict);
  return { fates, notTaken, of };
}

/**
 * Returns the simulation of the workloads without gangs.
 * @param {Simulation} simulation
 * @param {Gang[]} gangs
 * @returns {Simulation}
 */
export function withoutGangs(simulation, gangs) {
  const { cluster } = simulation;
  const asked = new Set(gangs.flatMap((gang) => gang.pods.map(podKeyOf)));
  const workloads = cluster.workloads.filter(({ pods }) => !pods.some((pod) => asked.has(pod)));
  return { ...simulation, cluster: { ...cluster, workloads } };
}

/** @param {Set<string>} pods `namespace/name` @param {Cluster} cluster */
function rowWith(pods, { workloads }) {
  return workloads.find((row) => row.pods.some((pod) => pods.has(pod)));
}

/**
 * Returns a pod as one of the first profile, without its group.
 * @param {KubernetesObject} pod
 * @param {Set<string>} schedulerNames
 * @returns {KubernetesObject}
 */
function asked(pod, schedulerNames) {
  const { schedulingGroup: _, ...spec } = pod.spec;
  const [first] = schedulerNames;
  const schedulerName = schedulerNames.has(spec.schedulerName) ? spec.schedulerName : first;
  return { ...pod, spec: { ...spec, schedulerName } };
}

/**
 * @param {Gang} gang
 * @param {GroupEvaluation} answer
 * @param {Set<string>} schedulerNames
 * @returns {GangVerdict}
 */
function gangVerdict({ name, pods, topologyKey, notModelled }, answer, schedulerNames) {
  const { result, group, blocker, topology, preemption } = answer;
  const evicted = result === 'waitsForPreemption' ? preemption : null;
  const starts = result === 'scheduled' || evicted !== null;
  const foreign = new Set(
    pods.map(({ spec }) => schedulerNameOf(spec)).filter((one) => !schedulerNames.has(one)),
  );
  const others = [...foreign].map((one) => `the plugins of the scheduler ${one}`);
  const { domain, pods: taken } = topology?.nearest ?? {};
  return {
    name,
    starts,
    pods: group.pods,
    placed: group.scheduled + (evicted?.placed ?? group.placed),
    minCount: group.minCount,
    largestMinCount: answer.largestMinCount,
    message: starts ? '' : answer.message,
    ...(topologyKey && { topologyKey }),
    ...(topologyKey && domain !== undefined && { nearestDomain: { domain, pods: Number(taken) } }),
    ...(!starts && blocker && { blocker: blockerOf(blocker) }),
    ...(!starts && answer.order && { order: orderOf(answer.order) }),
    evicts: (evicted?.victims ?? []).map(({ pod }) => pod),
    notModelled: [...notModelled, ...others],
  };
}

/** @param {NonNullable<GroupEvaluation['order']>} order */
function orderOf({ helps, order = [] }) {
  return { helps, pods: order.map(({ pod }) => pod) };
}

/** @param {NonNullable<GroupEvaluation['blocker']>} blocker */
function blockerOf({ pod, message, nearest }) {
  return { pod, message, ...(nearest && { nearest }) };
}

/** @param {string} pod @returns {PodFate} */
function waiting(pod) {
  return { pod, result: UNSCHEDULABLE, message: '' };
}

/**
 * If the gang evicts, the answer does not say which of its pods get a node: the first count.
 * @param {GroupEvaluation} answer
 * @param {GangVerdict} verdict
 * @returns {PodFate[]}
 */
function fatesIn({ result, pods, group }, { starts, evicts, placed }) {
  const first = result === 'waitsForPreemption' ? placed - group.scheduled : 0;
  return pods.map(({ pod, node, message }, at) => {
    const isPlaced = starts && (node !== null || at < first);
    return {
      pod,
      result: isPlaced ? 'Scheduled' : UNSCHEDULABLE,
      message: starts && !isPlaced ? message : '',
      ...(at === 0 && evicts.length > 0 && { evicted: evicts }),
    };
  });
}

/**
 * Places the pods of a gang that starts, each on the node of the answer.
 * @param {KubernetesObject[]} pods
 * @param {GroupEvaluation} answer
 * @param {Simulation} simulation
 */
async function settle(pods, answer, { scheduler, cluster, decisions }) {
  const isLater = answer.result === 'waitsForPreemption';
  /** @type {Map<string, string | null>} */
  const nodes = isLater ? new Map() : new Map(answer.pods.map(({ pod, node }) => [pod, node]));
  if (isLater) removeAll(scheduler, answer.preemption?.victims ?? []);
  const placed = pods.filter((pod) => nodes.get(podKeyOf(pod)) !== null);
  scheduler.apply(placed.map((pod) => pinned(pod, nodes.get(podKeyOf(pod)))));
  await runAll(scheduler, cluster, (decision) => decisions.push(decision));
}

/** @param {KubernetesObject} pod @param {string | null | undefined} node */
function pinned(pod, node) {
  if (!node) return pod;
  return { ...pod, spec: { ...pod.spec, affinity: pinnedTo(pod.spec.affinity, node) } };
}

/** @param {Scheduler} scheduler @param {{ pod: string }[]} victims */
function removeAll(scheduler, victims) {
  for (const { pod } of victims) {
    const object = scheduler.get('Pod', pod);
    if (object) scheduler.remove(object);
  }
}
