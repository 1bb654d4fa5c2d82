/** Compares formulas with what the engine says: every plugin, every node that was scored. */

/** @import { Inquiry } from '../../../web/src/worker/inquiry.js' */

/** Their formula is told in words alone. */
const IN_WORDS = new Set(['VolumeBinding']);

/** How many formulas were checked, by plugin. @typedef {Map<string, number>} Checked */

/**
 * @param {Inquiry} inquiry
 * @param {Checked} checked gets what is checked here
 * @returns {string[]} those that come to another number than the engine's
 */
export function wrongScores(inquiry, checked) {
  const { scores = {}, feasible = [] } = inquiry.evaluation;
  /** @type {string[]} */
  const wrong = [];
  for (const plugin of Object.keys(scores)) {
    for (const node of feasible) {
      const explanation = inquiry.explainScore(plugin, node);
      const { raw, normalised } = explanation ?? {};
      checked.set(plugin, (checked.get(plugin) ?? 0) + 1);
      const isTold = (raw?.isTold || IN_WORDS.has(plugin)) && normalised?.isTold;
      if (!isTold) wrong.push(`${plugin} on ${node}: ${JSON.stringify(explanation)}`);
    }
  }
  return wrong;
}
