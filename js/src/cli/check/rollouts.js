/** Finds the rollouts of manifests that would never end, by the engine's decisions. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { podsOfTemplate } from '../../check/same_template.js';
import { rolloutPlan } from '../../check/rollout_plans.js';
import { virtualClock } from '../../io/clock.js';
import { withDefaults } from '../../kubernetes/defaults.js';
import { identityOf, lastOfEach, ownedByIdentity } from '../../kubernetes/owners.js';
import { isRecord } from '../../kubernetes/values.js';
import { isPodActive } from '../../kubernetes/workloads/pods.js';
import { schedulerNameOf } from '../../kubernetes/pod_defaults.js';
import { applyCluster } from '../cluster/batches.js';
import { startOfWarning } from '../cluster/quota.js';
import { QuotaGate } from '../../check/quotas.js';
import { SETTLING } from '../../whatif/future.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Decision } from '../../engine/types.js'
 * @import { RolloutPlan } from '../../check/rollout_plans.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Workload } from '../cluster/manifests.js'
 * @import { Simulation } from '../simulation/simulation.js'
 */

/**
 * A hanging rollout: the pod that it waits for, whether that is an old one, why it has no node, and
 * the number of old pods that still run.
 * @typedef {{ pod: string, isOld: boolean, message: string, old: number }} HangingRollout
 */

/**
 * A rollout and its new pods.
 * @typedef {{ workload: Workload, plan: RolloutPlan, fresh: KubernetesObject[] }} PlannedRollout
 */

/** The number of cycles between two checks of the clock. */
const CYCLES = 200;

/**
 * Simulates all rollouts side by side in the cluster before them: each controller creates and
 * deletes pods within its limits, and the engine places the new ones. A rollout hangs if it makes
 * no progress and no other one does.
 * @param {Simulation} simulation
 * @returns {Promise<{ hanging: Map<Workload, HangingRollout>, warnings: string[] }>} `warnings`: a
 *   further one for each workload whose new pods a ResourceQuota refuses beside the old ones, which
 *   are placed all the same, or whose update strategy has a field that does not count
 */
export async function simulatedRollouts({ cluster, engine, schedulerOptions, schedulerNames }) {
  const rollouts = plannedRollouts(cluster, schedulerNames);
  if (rollouts.length === 0) return { hanging: new Map(), warnings: [] };
  const clock = virtualClock(cluster.startTime);
  const scheduler = engine.createScheduler({ ...schedulerOptions, clock });
  try {
    const before = clusterBefore(cluster, rollouts);
    applyCluster(scheduler, before);
    const run = new RolloutRun(scheduler, clock, before);
    const hanging = await run.hanging(rollouts);
    return {
      hanging,
      warnings: [...run.overQuota(rollouts), ...unusedLimits(rollouts, cluster)],
    };
  } finally {
    scheduler.dispose();
  }
}

/**
 * @param {Cluster} cluster
 * @param {Set<string>} schedulerNames
 * @returns {PlannedRollout[]}
 */
function plannedRollouts(cluster, schedulerNames) {
  const { workloads, replaced, batches, pods, startTime, validation } = cluster;
  const { statefulSetUpdates } = validation.gates;
  const nodes = batches.flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'Node'));
  const owned = ownedByIdentity(replaced);
  const present = lastOfEach(replaced);
  const taken = new Set(replaced.map(podKeyOf));
  return workloads.flatMap((workload) => {
    const { object } = workload;
    const schedulerName = schedulerNameOf(object.spec?.template?.spec);
    if (!schedulerNames.has(schedulerName) || workload.refusal !== undefined) return [];
    const identity = identityOf(object);
    const own = owned.get(identity) ?? [];
    const before = own.filter(({ kind }) => kind === 'Pod').filter(isPodActive);
    const made = workload.pods.flatMap((key) => pods.get(key) ?? []);
    // The engine has refused the others: the workload is not checked.
    if (before.length === 0 || made.length < workload.pods.length) return [];
    const sets = own.filter(({ kind, spec }) => kind === 'ReplicaSet' && isRecord(spec));
    const same = podsOfTemplate(object, {
      pods: before,
      sets,
      workload: present.get(identity),
    });
    const isStateful = object.kind === 'StatefulSet';
    const parts = {
      old: before.filter((pod) => !same.has(pod)).map(stored),
      current: before.filter((pod) => same.has(pod)).map(stored),
      fresh: made.map((pod) => (isStateful || !taken.has(podKeyOf(pod)) ? pod : renamed(pod))),
      sets,
    };
    const plan = rolloutPlan(object, parts, { nodes, now: startTime, statefulSetUpdates });
    return plan ? [{ workload, plan, fresh: parts.fresh }] : [];
  });
}

/**
 * Returns a warning for each StatefulSet that asks in vain for more than one pod at a time.
 * @param {PlannedRollout[]} rollouts
 * @param {Cluster} cluster
 * @returns {string[]}
 */
function unusedLimits(rollouts, { validation }) {
  if (validation.gates.on.MaxUnavailableStatefulSet) return [];
  const reason =
    'the feature gate MaxUnavailableStatefulSet is off, and pods are updated one at a time';
  return rollouts.flatMap(({ workload }) => {
    const { kind, spec } = workload.object;
    const { maxUnavailable = 1 } = spec.updateStrategy?.rollingUpdate ?? {};
    if (kind !== 'StatefulSet' || maxUnavailable === 1) return [];
    return [
      `${startOfWarning(workload)}spec.updateStrategy.rollingUpdate.maxUnavailable is not used: ` +
        reason,
    ];
  });
}

/** @param {KubernetesObject} object */
function stored(object) {
  return withDefaults(object);
}

/** Renames a pod whose name an old pod still has. @param {KubernetesObject} pod */
function renamed({ metadata, ...pod }) {
  return { ...pod, metadata: { ...metadata, name: `${metadata.name}-new` } };
}

/**
 * Returns the cluster with the rollouts' old pods instead of the new ones.
 * @param {Cluster} cluster
 * @param {PlannedRollout[]} rollouts
 * @returns {Cluster}
 */
function clusterBefore(cluster, rollouts) {
  const made = new Set(rollouts.flatMap(({ workload }) => workload.pods));
  const identities = new Set(rollouts.map(({ workload }) => identityOf(workload.object)));
  const owned = ownedByIdentity(cluster.replaced);
  const restored = [...identities].flatMap((identity) => owned.get(identity) ?? []).map(stored);
  const isMade = (/** @type {KubernetesObject} */ object) =>
    object.kind === 'Pod' && made.has(podKeyOf(object));
  const kept = cluster.batches.map((batch) =>
    batch.objects.some(isMade)
      ? { name: batch.name, objects: batch.objects.filter((object) => !isMade(object)) }
      : batch,
  );
  const old = restored.filter(({ kind }) => kind === 'Pod');
  const others = [...cluster.pods].filter(([key]) => !made.has(key));
  return {
    ...cluster,
    batches: [...kept, { name: '', objects: restored }].filter(({ objects }) => objects.length > 0),
    pods: new Map([...others, ...old.map((pod) => /** @type {const} */ ([podKeyOf(pod), pod]))]),
    ignoredKinds: new Map(),
  };
}

/** Runs rollouts in one scheduler. */
class RolloutRun {
  #scheduler;
  #clock;
  /** The pods with a node. @type {Set<string>} */
  #placed = new Set();
  #gate;
  #warnings;
  /** The new pods that a quota refuses, and why. @type {Map<string, string>} */
  #refused = new Map();
  /** The pods that got or lost a node since the last step. @type {Set<string>} */
  #moved = new Set();
  /** The last message of each pod without a node. @type {Map<string, string>} */
  #messages = new Map();

  /**
   * @param {Scheduler} scheduler with the cluster
   * @param {ReturnType<typeof virtualClock>} clock of the scheduler
   * @param {Cluster} cluster
   */
  constructor(scheduler, clock, { pods, read, warnings }) {
    this.#warnings = warnings;
    this.#gate = new QuotaGate(read);
    this.#scheduler = scheduler;
    this.#clock = clock;
    for (const [key, { spec }] of pods) if (spec?.nodeName) this.#placed.add(key);
  }

  /**
   * @param {PlannedRollout[]} rollouts
   * @returns {Promise<Map<Workload, HangingRollout>>}
   */
  async hanging(rollouts) {
    const isPlaced = (/** @type {KubernetesObject} */ pod) => this.#placed.has(podKeyOf(pod));
    await this.#settle();
    for (;;) {
      const moved = this.#moved;
      this.#moved = new Set();
      const steps = rollouts.map(({ plan }) => plan.next(isPlaced, moved));
      const planned = {
        create: steps.flatMap((step) => step.create),
        remove: steps.flatMap((step) => step.remove),
      };
      const { create, remove } = this.#gate.pass(planned);
      const isOver = [planned.create, planned.remove, create].every(({ length }) => length === 0);
      if (isOver) {
        const refused = this.#gate.open();
        for (const [pod, refusal] of refused) {
          this.#refused.set(podKeyOf(pod), refusal);
          create.push(pod);
        }
        if (refused.size === 0) break;
      }
      for (const pod of remove) this.#move(podKeyOf(pod), false);
      for (const pod of create) if (pod.spec.nodeName) this.#move(podKeyOf(pod), true);
      this.#scheduler.apply([
        ...remove.map((object) => ({ type: /** @type {const} */ ('DELETED'), object })),
        ...create.map((object) => ({ type: /** @type {const} */ ('ADDED'), object })),
      ]);
      await this.#settle();
    }
    return new Map(
      rollouts.flatMap(({ workload, plan }) => {
        const [pod] = plan.waiting(isPlaced);
        if (!pod) return [];
        const [key, old] = [podKeyOf(pod), plan.old()];
        const message = this.#messages.get(key) ?? '';
        const isOld = old.includes(pod);
        return [[workload, { pod: key, isOld, message, old: old.filter(isPlaced).length }]];
      }),
    );
  }

  /**
   * @param {PlannedRollout[]} rollouts
   * @returns {string[]}
   */
  overQuota(rollouts) {
    return rollouts.flatMap(({ workload, fresh }) => {
      const [first, ...more] = fresh.flatMap((pod) => this.#refused.get(podKeyOf(pod)) ?? []);
      const start = startOfWarning(workload);
      const isKnown = this.#warnings.some((line) => line.startsWith(start));
      if (first === undefined || isKnown) return [];
      const rest = more.length > 0 ? ` (and ${more.length} more of its pods)` : '';
      return [`${start}${first}${rest}`];
    });
  }

  /** Runs the scheduler until no pod moves any more. */
  async #settle() {
    const until = this.#clock.now() + SETTLING;
    for (;;) {
      const some = await this.#scheduler.schedule({ maxAttempts: CYCLES, until });
      if (some.length === 0) return;
      some.forEach((decision) => this.#note(decision));
    }
  }

  /** @param {string} pod @param {boolean} isPlaced */
  #move(pod, isPlaced) {
    if (isPlaced) this.#placed.add(pod);
    else this.#placed.delete(pod);
    this.#moved.add(pod);
  }

  /** @param {Decision} decision */
  #note({ pod, node, message = '', preemption }) {
    if (node) this.#move(pod, true);
    else this.#messages.set(pod, message);
    for (const victim of preemption?.victims ?? []) {
      this.#move(victim, false);
      this.#messages.set(victim, `evicted for ${pod}`);
    }
  }
}
