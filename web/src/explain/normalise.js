/** NormalizeScore: what the raw scores of all nodes make of each of them. */
import { ignoredNodes } from './pod_topology_spread.js';

/** @import { Facts, Formula } from './facts.js' */

const MOST = 100;

/**
 * @typedef {{ raw: number, raws: number[], facts: Facts }} Scored `raws` are parallel to
 *   `facts.feasible`, and `raw` is one of them
 */

/** @type {Record<string, (scored: Scored) => Formula>} */
const NORMALISED = {
  TaintToleration: ({ raw, raws }) => byHighest(raw, raws, true),
  NodeAffinity: ({ raw, raws }) => byHighest(raw, raws, false),
  InterPodAffinity: ({ raw, raws }) => betweenExtremes(raw, raws),
  PodTopologySpread: fewestFirst,
  DynamicResources: ({ raw, raws }) => byHighest(raw, raws, false),
};

/**
 * @param {string} plugin
 * @param {Scored} scored
 * @returns {Formula} of a plugin that does not normalise its scores: the raw one
 */
export function normalise(plugin, scored) {
  const { raw } = scored;
  if (Object.hasOwn(NORMALISED, plugin)) return NORMALISED[plugin](scored);
  return { lines: [`${raw}: the plugin does not normalise`], value: raw };
}

/**
 * @param {number} raw
 * @param {number[]} raws
 * @param {boolean} isReversed the lowest is the best
 * @returns {Formula}
 */
function byHighest(raw, raws, isReversed) {
  const highest = raws.reduce((most, one) => Math.max(most, one), 0);
  if (highest === 0) {
    const value = isReversed ? MOST : raw;
    return { lines: [`the highest raw score is 0: ${value} for this node`], value };
  }
  const share = Math.trunc((MOST * raw) / highest);
  const value = isReversed ? MOST - share : share;
  const text = `${MOST} × ${raw} / ${highest}`;
  return { lines: [`${isReversed ? `${MOST} − ${text}` : text} = ${value}`], value };
}

/**
 * @param {number} raw
 * @param {number[]} raws
 * @returns {Formula}
 */
function betweenExtremes(raw, raws) {
  const [least, most] = [Math.min(...raws), Math.max(...raws)];
  if (least === most) return { lines: [`all raw scores are ${raw}: 0`], value: 0 };
  const value = Math.trunc(MOST * ((raw - least) / (most - least)));
  return { lines: [`${MOST} × (${raw} − ${least}) / (${most} − ${least}) = ${value}`], value };
}

/**
 * @param {Scored} scored
 * @returns {Formula}
 */
function fewestFirst({ raw, raws, facts }) {
  const ignored = ignoredNodes(facts);
  if (ignored.has(facts.node.metadata.name))
    return { lines: ['a node without the label gets 0'], value: 0 };
  const counted = raws.filter((_, at) => !ignored.has(facts.feasible[at].metadata.name));
  const [least, most] = [Math.min(...counted), Math.max(0, ...counted)];
  if (most === 0) return { lines: [`the highest raw score is 0: ${MOST}`], value: MOST };
  const value = Math.trunc((MOST * (most + least - raw)) / most);
  return { lines: [`${MOST} × (${most} + ${least} − ${raw}) / ${most} = ${value}`], value };
}
