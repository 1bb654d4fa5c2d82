/** Questions about one pod at one moment: what the scheduler says of it, and what scores are of. */
import { InputError } from '../../../js/src/index.js';
import { explainScore } from '../explain/explain_score.js';
import { imageStates } from '../explain/image_states.js';
import { pickSteps } from '../explain/pick_node.js';
import { nonZeroRequestOf, requestOf } from '../explain/pod_requests.js';
import { attemptEvaluation } from './attempt_evaluation.js';

/**
 * @import { Decision, Evaluation, KubernetesObject } from '../../../js/src/index.js'
 * @import { ScoreExplanation } from '../explain/explain_score.js'
 * @import { Facts, Held, Resource } from '../explain/facts.js'
 * @import { PickStep } from '../explain/pick_node.js'
 * @import { Moment } from '../world/attempts.js'
 * @import { AttemptEvaluation } from './attempt_evaluation.js'
 */

export class Inquiry {
  #moment;
  #name;
  #decision;
  /** @type {AttemptEvaluation | undefined} */
  #evaluation;
  /**
   * What is the same for all nodes.
   * @type {Pick<Facts, 'pod' | 'nodes' | 'feasible'> | undefined}
   */
  #shared;
  /** By node. @type {Record<string, string[]> | undefined} */
  #podNames;

  /**
   * @param {Moment} moment
   * @param {string} name of the pod, `namespace/name`
   * @param {Decision} [decision] that was made then; absent: it is asked what would be decided
   */
  constructor(moment, name, decision) {
    this.#moment = moment;
    this.#name = name;
    this.#decision = decision;
  }

  /**
   * Whether it is about this pod, then.
   * @param {Moment} moment
   * @param {string} name
   */
  isAbout({ log, line, scheduler }, name) {
    const own = this.#moment;
    const isThen = own.log === log && own.line === line && own.scheduler === scheduler;
    return isThen && this.#name === name;
  }

  /**
   * What the scheduler says of the pod, or said of it in the attempt, as a table over all nodes,
   * and what plugins would say that were not asked.
   * @returns {AttemptEvaluation}
   * @throws {InputError} when the pod is not there, and no attempt is asked about
   */
  get evaluation() {
    const decision = this.#decision;
    this.#evaluation ??= decision ? attemptEvaluation(decision, this.#askAgain()) : this.#ask();
    return this.#evaluation;
  }

  /** @returns {Evaluation} */
  #ask() {
    return this.#moment.scheduler.evaluate(this.#name, { detail: 'table', allPlugins: true });
  }

  /** @returns {Evaluation | null} null: a pod that went away, as it is passed over */
  #askAgain() {
    try {
      return this.#ask();
    } catch (error) {
      if (error instanceof InputError) return null;
      throw error;
    }
  }

  /**
   * @param {string} plugin
   * @param {string} node
   * @returns {ScoreExplanation | null} null: the plugin did not score the node
   */
  explainScore(plugin, node) {
    return explainScore(this.evaluation, { plugin, node }, () => this.#factsOf(plugin, node));
  }

  /**
   * How preemption would pick one of its candidates.
   * @returns {PickStep[]}
   */
  explainPick() {
    const { candidates = [], nominatedNode = null } = this.evaluation.preemption ?? {};
    const victimOf = (/** @type {string} */ name) => {
      const { spec, status } = this.#podNamed(name) ?? {};
      const startTime = status?.startTime ? Date.parse(status.startTime) : null;
      return { priority: spec?.priority ?? 0, startTime };
    };
    const told = candidates.map(({ node, pdbViolations, victims }) => ({
      node,
      pdbViolations,
      victims: victims.map(victimOf),
    }));
    return pickSteps(told, nominatedNode);
  }

  /**
   * @param {string} plugin
   * @param {string} node
   * @returns {Facts | undefined}
   */
  #factsOf(plugin, node) {
    const { objects, log } = this.#moment;
    const shared = this.#sharedFacts();
    const object = objects.get('nodes', '', node);
    if (!shared || !object) return undefined;
    const { configuration, featureGates } = JSON.parse(log[0]);
    return {
      ...shared,
      node: object,
      held: this.#heldBy(object, shared.pod),
      podsOn: (name) => this.#podsOn(name),
      objects: (resource) => objects.list(resource),
      args: argsOf(configuration, plugin, shared.pod.spec.schedulerName),
      featureGates,
    };
  }

  #sharedFacts() {
    const { objects } = this.#moment;
    const pod = this.#podNamed(this.#name);
    if (!pod) return undefined;
    const { table, feasible = [] } = this.evaluation;
    const nodesOf = (/** @type {string[]} */ names) =>
      names.flatMap((name) => objects.get('nodes', '', name) ?? []);
    this.#shared ??= { pod, nodes: nodesOf(table?.nodes ?? []), feasible: nodesOf(feasible) };
    return this.#shared;
  }

  /**
   * @param {KubernetesObject} node
   * @param {KubernetesObject} pod that is asked about as if it were on no node
   * @returns {Held}
   */
  #heldBy(node, pod) {
    const { scheduler, objects } = this.#moment;
    const held = scheduler.inspect({ node: node.metadata.name });
    const { requested, nonZeroRequested } = held;
    // The engine says nothing of images before its first cycle.
    const hasImages = Object.keys(held.images).length > 0;
    const images = hasImages ? held.images : imageStates(objects.list('nodes'), node);
    if (!held.pods.includes(this.#name)) return { ...held, images };
    return {
      ...held,
      images,
      requested: without(requested, pod.spec),
      nonZeroRequested: {
        milliCPU: nonZeroRequested.milliCPU - nonZeroRequestOf(pod.spec, 'cpu'),
        memory: nonZeroRequested.memory - nonZeroRequestOf(pod.spec, 'memory'),
      },
    };
  }

  /** @param {string} node */
  #podsOn(node) {
    this.#podNames ??= this.#moment.scheduler.inspect({ cache: true }).cache.nodes;
    const names = this.#podNames?.[node] ?? [];
    return names.flatMap((name) => (name === this.#name ? [] : (this.#podNamed(name) ?? [])));
  }

  /** @param {string} name `namespace/name` */
  #podNamed(name) {
    const [namespace, own] = name.split('/');
    return this.#moment.objects.get('pods', namespace, own);
  }
}

/**
 * @param {Resource} requested
 * @param {any} spec of a pod that is part of it
 * @returns {Resource}
 */
function without({ milliCPU, memory, ephemeralStorage, scalarResources }, spec) {
  return {
    milliCPU: milliCPU - requestOf(spec, 'cpu'),
    memory: memory - requestOf(spec, 'memory'),
    ephemeralStorage: ephemeralStorage - requestOf(spec, 'ephemeral-storage'),
    scalarResources: Object.fromEntries(
      Object.entries(scalarResources).map(([name, amount]) => [
        name,
        amount - requestOf(spec, name),
      ]),
    ),
  };
}

/**
 * What a plugin is configured with in the pod's profile.
 * @param {string} configuration JSON; empty: kube-scheduler's own
 * @param {string} plugin
 * @param {string} [schedulerName]
 * @returns {Record<string, any>}
 */
function argsOf(configuration, plugin, schedulerName = 'default-scheduler') {
  if (configuration.trim() === '') return {};
  const { profiles = [] } = JSON.parse(configuration);
  const profile = profiles.find(
    (/** @type {any} */ one) => (one.schedulerName ?? 'default-scheduler') === schedulerName,
  );
  const entries = profile?.pluginConfig ?? [];
  return entries.find((/** @type {any} */ { name }) => name === plugin)?.args ?? {};
}
