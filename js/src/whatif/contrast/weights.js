/** Finds the smallest change of a plugin's weight with which a node wins. */
import { schedulerNameOf } from '../../kubernetes/pod_defaults.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';

/**
 * @import { Engine } from '../../engine/engine.js'
 * @import { Evaluation, SchedulerOptions } from '../../engine/types.js'
 * @import { Flip } from '../contrast.js'
 * @import { Question } from '../fix/question.js'
 */

/** The largest weight that is tried. */
const WEIGHT_MAX = 100;

/** The most weights that are tried: each needs a scheduler of its own. */
const TRIES = 3;

/**
 * Returns the smallest changes of a plugin's weight that make a node the best, tried in a new
 * scheduler.
 * @param {Evaluation} evaluation with scores
 * @param {string} node
 * @param {{ question: Question, engine?: Engine, schedulerOptions?: SchedulerOptions,
 *   configuration?: Record<string, any> }} parts
 * @returns {Promise<Flip[]>}
 */
export async function flipsByWeights(evaluation, node, parts) {
  const { question, engine, schedulerOptions, configuration } = parts;
  if (!engine || !evaluation.feasible?.includes(node)) return [];
  const schedulerName = schedulerNameOf(question.pod.spec);
  const extenders = itemsIn(configuration?.extenders).map((extender) => extender?.urlPrefix);
  const changes = Object.keys(evaluation.scores ?? {})
    .filter((plugin) => !extenders.includes(plugin))
    .flatMap((plugin) => winningWeight(evaluation, node, plugin) ?? [])
    .sort((a, b) => Math.abs(a.weight - a.before) - Math.abs(b.weight - b.before))
    .slice(0, TRIES);
  /** @type {Flip[]} */
  const flips = [];
  for (const { plugin, weight, before } of changes) {
    const document = withWeight(configuration ?? {}, { schedulerName, plugin, weight });
    const options = { ...schedulerOptions, configuration: JSON.stringify(document) };
    if ((await nodeWith(engine, options, question)) !== node) continue;
    const verb = weight > before ? 'raise' : 'lower';
    const sentence = `${verb} the weight of ${plugin} from ${before} to ${weight}`;
    flips.push({ by: 'Weight', sentence, plugin, weight, configuration: document });
  }
  return flips;
}

/**
 * Totals are linear in a weight, so the weights with which a node has the highest total are an
 * interval.
 * @param {Evaluation} evaluation
 * @param {string} node
 * @param {string} plugin
 * @returns {{ plugin: string, weight: number, before: number } | undefined} the weight of the
 *   interval that is next to the present one
 */
export function winningWeight(
  { feasible = [], total = [], scores = {}, weights = {} },
  node,
  plugin,
) {
  const before = weights[plugin] ?? 1;
  const at = feasible.indexOf(node);
  const column = scores[plugin];
  const plain = (/** @type {number} */ index) => column[index] / before;
  let [low, high] = [1, WEIGHT_MAX];
  for (let index = 0; index < feasible.length; index++) {
    if (index === at) continue;
    // The node wins if gain × weight exceeds lead: what the other has without the plugin.
    const gain = plain(at) - plain(index);
    const lead = total[index] - column[index] - (total[at] - column[at]);
    if (gain === 0 && lead >= 0) return undefined;
    if (gain > 0) low = Math.max(low, Math.floor(lead / gain) + 1);
    if (gain < 0) high = Math.min(high, Math.ceil(lead / gain) - 1);
  }
  if (low > high || (before >= low && before <= high)) return undefined;
  return { plugin, weight: before < low ? low : high, before };
}

/**
 * Returns the configuration with another weight in the profile of a scheduler.
 * @param {any} configuration
 * @param {{ schedulerName: string, plugin: string, weight: number }} change
 */
export function withWeight(configuration, { schedulerName, plugin, weight }) {
  const profiles = itemsIn(configuration.profiles).map((profile) => profile ?? {});
  const list = profiles.length > 0 ? profiles : [{ schedulerName }];
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    ...configuration,
    profiles: list.map((profile) =>
      schedulerNameOf(profile) === schedulerName
        ? { ...profile, plugins: weighted(profile.plugins ?? {}, plugin, weight) }
        : profile,
    ),
  };
}

/**
 * A plugin that is enabled by name at Score overrides what MultiPoint says of it.
 * @param {any} plugins
 * @param {string} name
 * @param {number} weight
 */
function weighted(plugins, name, weight) {
  const score = isRecord(plugins.score) ? plugins.score : {};
  const enabled = itemsIn(score.enabled);
  const isThere = enabled.some((one) => one.name === name);
  const changed = isThere
    ? enabled.map((one) => (one.name === name ? { ...one, weight } : one))
    : [...enabled, { name, weight }];
  return { ...plugins, score: { ...score, enabled: changed } };
}

/**
 * Returns the node that the pod gets in a new scheduler with the same cluster.
 * @param {Engine} engine
 * @param {SchedulerOptions} options
 * @param {Question} question
 */
async function nodeWith(engine, options, { scheduler, pod }) {
  const { kubernetesVersion } = scheduler;
  const other = engine.createScheduler({ kubernetesVersion, ...options, log: undefined });
  try {
    other.apply(scheduler.snapshot());
    const { node } = await other.evaluateAsync(pod, { detail: 'summary', preemption: false });
    return node;
  } finally {
    other.dispose();
  }
}
