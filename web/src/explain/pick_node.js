/**
 * How preemption picks one of its candidates: by one criterion after the other, until one is left.
 * Counterpart: framework/preemption, pickOneNodeForPreemption, v1.36.
 */

/** @typedef {{ priority: number, startTime: number | null }} Victim `startTime` in milliseconds */

/**
 * @typedef {object} Candidate
 * @property {string} node
 * @property {number} pdbViolations
 * @property {Victim[]} victims the most important first
 */

/**
 * A criterion, and what it left. `amounts`, where they say something, are parallel to the
 * candidates; `best` is the one of those that are left.
 * @typedef {{ criterion: string, left: string[], amounts?: number[], best?: number }} PickStep
 */

/** Added to each priority, so that none is negative. */
const PRIORITY_OFFSET = 2 ** 31;

/** The lowest amount is the best one. @type {[string, (candidate: Candidate) => number][]} */
const CRITERIA = [
  ['fewest PDB violations', ({ pdbViolations }) => pdbViolations],
  ['lowest priority of the most important victim', ({ victims }) => victims[0]?.priority ?? 0],
  [
    'lowest sum of priorities, 2³¹ added to each',
    ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + PRIORITY_OFFSET, 0),
  ],
  ['fewest victims', ({ victims }) => victims.length],
];

/**
 * @param {Candidate[]} candidates
 * @param {string | null} picked of nodes that are equal in all criteria, the one that was met first
 * @returns {PickStep[]} up to the criterion that decides; of one candidate there is nothing to say.
 *   Empty, too, where the node that was picked is not the best by what is known
 */
export function pickSteps(candidates, picked) {
  /** @type {PickStep[]} */
  const steps = [];
  let left = candidates;
  const keep = (/** @type {(candidate: Candidate) => number} */ amountOf) => {
    const best = left.reduce((least, one) => Math.min(least, amountOf(one)), Infinity);
    left = left.filter((one) => amountOf(one) === best);
    return { left: left.map(({ node }) => node), best };
  };
  for (const [criterion, amountOf] of CRITERIA) {
    if (left.length <= 1) break;
    steps.push({ criterion, amounts: candidates.map(amountOf), ...keep(amountOf) });
  }
  if (left.length > 1) {
    const { left: nodes } = keep((one) => -startOf(one));
    steps.push({ criterion: 'latest start of the most important victims', left: nodes });
  }
  if (!left.some(({ node }) => node === picked)) return [];
  if (left.length > 1) steps.push({ criterion: 'the first that was met', left: [String(picked)] });
  return steps;
}

/**
 * The earliest start among the most important victims. One that did not start yet counts as
 * starting now.
 * @param {Candidate} candidate
 */
function startOf({ victims }) {
  const highest = victims.reduce((most, { priority }) => Math.max(most, priority), -Infinity);
  return victims
    .filter(({ priority }) => priority === highest)
    .reduce((least, { startTime }) => Math.min(least, startTime ?? Infinity), Infinity);
}
