/** Says a GroupEvaluation in sentences, for people. */

/** @import { GroupEvaluation } from '../gang.js' */

/** How a pod would fare without the others of its group. */
const ALONE = Object.freeze({
  Now: 'without the others of the group it would get a node',
  WithPreemption: 'without the others of the group it would need preemption',
  NotNow: 'it would get no node without the others of the group either',
  Never: 'no node could take it, even an empty one',
});

/** @type {Readonly<Record<GroupEvaluation['result'], string>>} */
const RESULTS = Object.freeze({
  scheduled: 'starts now',
  waitsForPreemption: 'waits for preemption',
  unschedulable: 'cannot start',
  gated: 'is not tried',
  error: 'fails',
});

/** The sentence about a PodGroup if TopologyAwareWorkloadScheduling is off. */
const NOT_READ = 'its topology constraint is not read, because the feature gate is off';

/** The most names that a sentence lists. */
const SHOWN = 5;

/**
 * Returns what is to be said about a group, the most important first: the group, the largest
 * minCount, the blocking pod, orders, the nearest topology domain, and preemption.
 * @param {GroupEvaluation} evaluation
 * @returns {string[]} the first begins with the group's result
 */
export function groupSentences(evaluation) {
  return [
    groupSentence(evaluation),
    ...minimumSentences(evaluation),
    ...blockerSentences(evaluation),
    ...orderSentences(evaluation),
    ...topologySentences(evaluation),
    ...preemptionSentences(evaluation),
  ];
}

/** @param {GroupEvaluation} evaluation */
function groupSentence({ result, message, group }) {
  const { pods, scheduled, placed, minCount, missing } = group;
  const lack = missing > 0 ? `, ${missing} fewer than minCount ${minCount}` : '';
  const running = scheduled > 0 ? ` (${scheduled} already on nodes)` : '';
  const counts = `${scheduled + placed} of ${pods} pods can run${running}${lack}`;
  // The message of a group that is held back ends with the counts.
  const why = message.split(`: ${scheduled + placed} of `)[0];
  const isTried = result !== 'error' && result !== 'gated';
  return `${RESULTS[result]}: ${isTried ? '' : `${why}; `}${counts}`;
}

/** @param {GroupEvaluation} evaluation */
function minimumSentences({ group, largestMinCount }) {
  if (group.missing === 0) return [];
  if (largestMinCount === 0) return ['no minCount would pass now'];
  return [`the largest minCount that would pass now is ${largestMinCount}`];
}

/** @param {GroupEvaluation} evaluation */
function blockerSentences({ blocker }) {
  if (!blocker) return [];
  const { pod, position, message, nearest, alone } = blocker;
  return [
    `the blocking pod is ${pod}, number ${position} in the order of placement: ${message}`,
    ...(nearest ? [`nearest node of ${pod}: ${nearest}`] : []),
    ...(alone ? [ALONE[alone]] : []),
  ];
}

/** @param {GroupEvaluation} evaluation */
function orderSentences({ order }) {
  if (!order) return [];
  const { templates, orders, tried, helps, order: found = [] } = order;
  if (templates.length === 1) return ['its pods are alike: their order does not matter'];
  const first = found.map(({ pod, pods }) => (pods > 1 ? `${pod} and ${pods - 1} alike` : pod));
  if (helps) return [`in another order it would start: ${first.join(', ')}`];
  if (helps === false) return [`none of the ${orders} orders of its templates helps`];
  return [`whether another order helps is not known: ${tried} of ${orders} were tried`];
}

/** @param {GroupEvaluation} evaluation */
function topologySentences({ topology }) {
  if (!topology) return [];
  const { key, isRequired, domains, omitted, nearest } = topology;
  if (!nearest) return [`no node has the label ${key}`];
  const { domain, pods, missing, message, pod, lacks } = nearest;
  const of = `${domains.length} domains of ${key}${omitted > 0 ? ` (${omitted} not tried)` : ''}`;
  const most = `of ${of} ${domain} takes the most pods: ${pods}`;
  if (missing === 0) return [isRequired ? most : `${most}; ${NOT_READ}`];
  const lack = `${most}, ${missing} too few`;
  // The blocking pod of a group that must be in one domain is the nearest domain's.
  if (isRequired || pod === undefined) return [isRequired ? lack : `${lack}; ${NOT_READ}`];
  return [`${lack}; ${pod}: ${lacks ?? message}`, NOT_READ];
}

/** @param {GroupEvaluation} evaluation */
function preemptionSentences({ preemption }) {
  if (!preemption) return [];
  const { victims, starts } = preemption;
  const names = victims.slice(0, SHOWN).map(({ pod, priority }) => `${pod} (priority ${priority})`);
  const more = victims.length > SHOWN ? ` and ${victims.length - SHOWN} more` : '';
  const all = `${names.join(', ')}${more}`;
  return starts
    ? [`preemption would have to remove ${all}: then the group starts`]
    : [`preemption would remove ${all}, and the group could still not start`];
}
