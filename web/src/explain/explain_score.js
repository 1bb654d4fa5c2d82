/** One score of one node: what the plugin said, why, and what became of it in the total. */
import { dynamicResources } from './dynamic_resources.js';
import { imageLocality } from './image_locality.js';
import { interPodAffinity } from './inter_pod_affinity.js';
import { nodeAffinity } from './node_affinity.js';
import { nodeResourcesBalancedAllocation } from './node_resources_balanced_allocation.js';
import { nodeResourcesFit } from './node_resources_fit.js';
import { normalise } from './normalise.js';
import { podTopologySpread } from './pod_topology_spread.js';
import { taintToleration } from './taint_toleration.js';

/**
 * @import { Evaluation } from '../../../js/src/engine/types.js'
 * @import { Facts, Formula } from './facts.js'
 */

/**
 * `isTold`: the formula is given with its operands; else the lines say what is known.
 * @typedef {object} ScoreExplanation
 * @property {string} plugin
 * @property {string} node
 * @property {Formula & { isTold: boolean }} raw
 * @property {Formula & { isTold: boolean }} normalised
 * @property {Formula} weighted
 */

/** @type {Record<string, (facts: Facts) => Formula | null>} */
const FORMULAS = {
  NodeResourcesFit: nodeResourcesFit,
  NodeResourcesBalancedAllocation: nodeResourcesBalancedAllocation,
  TaintToleration: taintToleration,
  NodeAffinity: nodeAffinity,
  InterPodAffinity: interPodAffinity,
  PodTopologySpread: podTopologySpread,
  ImageLocality: imageLocality,
  DynamicResources: dynamicResources,
};

/** What the raw score is made of where the operands are not known here. */
const WORDS = new Map([
  [
    'VolumeBinding',
    'the mean, over the storage classes of the volumes that it would take here, of ' +
      'shape(requested × 100 / capacity)',
  ],
  ['DynamicResources', 'how early in its list of alternatives each claim is met here'],
]);

/**
 * @param {Evaluation} evaluation
 * @param {{ plugin: string, node: string }} cell
 * @param {() => Facts | undefined} factsOf undefined: they are not known any more
 * @returns {ScoreExplanation | null} null: the plugin did not score the node
 */
export function explainScore(evaluation, { plugin, node }, factsOf) {
  const { feasible = [], rawScores, scores, weights } = evaluation;
  const at = feasible.indexOf(node);
  const raws = rawScores?.[plugin];
  const weighted = scores?.[plugin]?.[at];
  if (!raws || weighted === undefined) return null;
  const weight = weights?.[plugin] ?? 1;
  const value = weighted / weight;
  const facts = factsOf();
  return {
    plugin,
    node,
    raw: rawOf(plugin, raws[at], facts),
    normalised: normalisedOf(plugin, { raw: raws[at], raws, value }, facts),
    weighted: { lines: [`${value} × weight ${weight} = ${weighted}`], value: weighted },
  };
}

/**
 * @param {string} plugin
 * @param {number} raw as the engine says
 * @param {Facts | undefined} facts
 */
function rawOf(plugin, raw, facts) {
  const hasFormula = facts !== undefined && Object.hasOwn(FORMULAS, plugin);
  const formula = hasFormula ? FORMULAS[plugin](facts) : undefined;
  if (formula?.value === raw) return { ...formula, isTold: true };
  const words = WORDS.get(plugin) ?? (hasFormula ? '' : `what plugin ${plugin} answers`);
  const lines = words ? [`${words}: ${raw}`] : [`${raw}: its operands cannot be told here`];
  return { lines, value: raw, isTold: false };
}

/**
 * @param {string} plugin
 * @param {{ raw: number, raws: number[], value: number }} scored `value` as the engine says
 * @param {Facts | undefined} facts
 */
function normalisedOf(plugin, { raw, raws, value }, facts) {
  const formula = facts && normalise(plugin, { raw, raws, facts });
  if (formula?.value === value) return { ...formula, isTold: true };
  return { lines: [`the plugin makes ${value} of ${raw}`], value, isTold: false };
}
