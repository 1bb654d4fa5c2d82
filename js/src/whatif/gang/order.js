/** Looks for an order of placement in which a gang can start. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { JOB_NAME_LABELS, JOB_UID_LABELS } from '../../kubernetes/workloads/job_labels.js';
import { placeInTurn } from './placing.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Trials } from './trials.js'
 */

/**
 * Orders of placement: all pods of one template, then all of the next. `helps` is null if it is
 * unknown: there are too many templates, or the limit of placements was reached.
 * @typedef {object} GroupOrder
 * @property {{ pod: string, pods: number }[]} templates the pods that differ in nothing but their
 *   names, by the first of them
 * @property {number} orders the number of orders of the templates
 * @property {number} tried how many of them were tried, or share a beginning that fails
 * @property {boolean | null} helps
 * @property {{ pod: string, pods: number }[]} [order] the one that helps
 */

/** The most templates whose orders are tried. */
const MOST_TEMPLATES = 8;

/** The most placements of single pods. */
const MOST_PLACEMENTS = 20_000;

/** Labels that controllers give each pod another value of. */
const INDEXES = new Set([
  ...JOB_UID_LABELS,
  ...JOB_NAME_LABELS,
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/job-completion-index',
  'jobset.sigs.k8s.io/job-global-index',
  'jobset.sigs.k8s.io/job-index',
  'jobset.sigs.k8s.io/job-key',
  'leaderworkerset.sigs.k8s.io/worker-index',
  'statefulset.kubernetes.io/pod-name',
]);

/**
 * Tries the orders of the templates, on all nodes or in one domain after another.
 * @param {Trials} trials
 * @param {{ pods: KubernetesObject[], needed: number, scopes: string[][], signal?: AbortSignal }}
 *   parts `pods`: in the order that failed; `needed`: how many must be placed; `scopes`: the nodes
 *   to hide
 * @returns {Promise<GroupOrder>}
 */
export async function findOrder(trials, { pods, needed, scopes, signal }) {
  const templates = templatesIn(pods);
  const orders = factorial(templates.length);
  const said = { templates: templates.map(summary), orders };
  if (templates.length > MOST_TEMPLATES) return { ...said, tried: 0, helps: null };
  if (templates.length === 1) return { ...said, tried: 1, helps: false };
  const search = new OrderSearch(needed, signal);
  for (const hidden of scopes) {
    const found = await trials.withoutGang(hidden, (fork) => search.start(fork, templates));
    const { tried } = search;
    if (found) return { ...said, tried, helps: true, order: found.map(summary) };
    if (search.isSpent) return { ...said, tried, helps: null };
  }
  return { ...said, tried: orders, helps: false };
}

/**
 * Up to this number of nodes every cycle looks at all of them, so that what it decides depends on
 * nothing but the pods that are there.
 */
const MOST_NODES_WITHOUT_SAMPLING = 100;

/** The nodes of the pods of each template that was tried, by its first pod. */
/** @typedef {Record<string, string[]>} Placed */

/** Tries orders depth first; a beginning that leaves too few pods ends all orders that share it. */
class OrderSearch {
  #needed;
  #signal;
  #placements = 0;
  /** The beginnings after which no order helps, by what they place. @type {Set<string>} */
  #hopeless = new Set();
  tried = 0;

  /** @param {number} needed @param {AbortSignal} [signal] */
  constructor(needed, signal) {
    this.#needed = needed;
    this.#signal = signal;
  }

  get isSpent() {
    return this.#placements >= MOST_PLACEMENTS;
  }

  /**
   * @param {Scheduler} fork
   * @param {KubernetesObject[][]} templates
   * @returns {Promise<KubernetesObject[][] | undefined>} an order of them
   */
  start(fork, templates) {
    this.tried = 0;
    this.#hopeless.clear();
    const isSampled = fork.inspect().cache.nodes > MOST_NODES_WITHOUT_SAMPLING;
    return this.#extend(fork, templates, { placed: {}, isSampled });
  }

  /**
   * @param {Scheduler} fork
   * @param {KubernetesObject[][]} rest the templates that are left
   * @param {{ placed: Placed, isSampled: boolean }} beginning
   * @returns {Promise<KubernetesObject[][] | undefined>} an order of `rest`
   */
  async #extend(fork, rest, { placed, isSampled }) {
    for (const template of rest) {
      const others = rest.filter((other) => other !== template);
      const found = await fork.transaction(async (next) => {
        const nodes = await this.#place(next, template);
        const beginning = { placed: { ...placed, [podKeyOf(template[0])]: nodes }, isSampled };
        const count = Object.values(beginning.placed).flat().length;
        if (count >= this.#needed) {
          this.tried += 1;
          return [template, ...others];
        }
        const key = keyOf(beginning.placed);
        const isKnown = !isSampled && this.#hopeless.has(key);
        if (isKnown || count + sizeOf(others) < this.#needed) {
          this.tried += factorial(others.length);
          return undefined;
        }
        const end = await this.#extend(next, others, beginning);
        if (end) return [template, ...end];
        if (!this.isSpent) this.#hopeless.add(key);
        return undefined;
      });
      if (found || this.isSpent) return found;
    }
    return undefined;
  }

  /**
   * Places the pods of a template up to the first that finds no node: the others find none either.
   * @param {Scheduler} fork
   * @param {KubernetesObject[]} template
   * @returns {Promise<string[]>} the nodes
   */
  async #place(fork, template) {
    const placings = await placeInTurn(fork, template, {
      signal: this.#signal,
      stop: ({ isPlaced }) => !isPlaced,
    });
    this.#placements += placings.length;
    return placings.flatMap(({ node }) => node ?? []).sort();
  }
}

/** @param {Placed} placed */
function keyOf(placed) {
  return JSON.stringify(Object.entries(placed).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {KubernetesObject[][]} templates */
function sizeOf(templates) {
  return templates.reduce((sum, pods) => sum + pods.length, 0);
}

/**
 * Returns the pods by template, in the order of their first pods.
 * @param {KubernetesObject[]} pods
 * @returns {KubernetesObject[][]}
 */
function templatesIn(pods) {
  const compared = labelKeysIn(pods);
  /** @type {Map<string, KubernetesObject[]>} */
  const templates = new Map();
  for (const pod of pods) {
    const key = templateKey(pod, compared);
    const same = templates.get(key);
    if (same) same.push(pod);
    else templates.set(key, [pod]);
  }
  return [...templates.values()];
}

/**
 * The text of everything that may matter for a pod's placement, except its name.
 * @param {KubernetesObject} pod
 * @param {string} compared the text in which label keys are looked for
 */
function templateKey({ metadata, spec }, compared) {
  const labels = Object.entries(metadata.labels ?? {}).filter(
    ([name]) => !INDEXES.has(name) || compared.includes(JSON.stringify(name)),
  );
  const { hostname: _, containers, initContainers, ...rest } = spec;
  const compute = [containers, initContainers].map(withoutCommand);
  return sortedJson([metadata.namespace, Object.fromEntries(labels), rest, compute]);
}

/**
 * Returns the selectors of the pods as text.
 * @param {KubernetesObject[]} pods
 */
function labelKeysIn(pods) {
  const selectors = pods.map(({ spec }) => [spec.affinity, spec.topologySpreadConstraints]);
  return [...new Set(selectors.map((one) => JSON.stringify(one)))].join();
}

/** @param {any[]} [containers] */
function withoutCommand(containers = []) {
  return containers.map(({ env: _, args: __, command: ___, name: ____, ...rest }) => rest);
}

/** @param {unknown} value @returns {string} */
function sortedJson(value) {
  return JSON.stringify(value, (_, member) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** @param {KubernetesObject[]} pods */
function summary(pods) {
  return { pod: podKeyOf(pods[0]), pods: pods.length };
}

/** @param {number} count @returns {number} */
function factorial(count) {
  return count < 2 ? 1 : count * factorial(count - 1);
}
