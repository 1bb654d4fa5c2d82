/** The pod groups of the present, and why one of them cannot start. */
import { evaluateAll, groupSentences } from '../../../js/src/whatif.js';

/**
 * @import { Scheduler } from '../../../js/src/index.js'
 * @import { GroupEvaluation } from '../../../js/src/whatif.js'
 * @import { Base } from './present.js'
 */

/**
 * A pod group. `sentences`: its state, what blocks it, and what would help, the most important
 * first. `pods`: all of them, those on nodes first; `message`: why a pod has no node. `domains`:
 * how many pods each topology domain takes. `victims`: what preemption would remove.
 * @typedef {object} PodGroupReport
 * @property {string[]} groups all groups, `namespace/name`
 * @property {string} podGroup the one that this is about; empty if there is none
 * @property {number | undefined} minCount undefined: any number of its pods may start
 * @property {string[]} sentences
 * @property {{ pod: string, node: string | null, message: string }[]} pods
 * @property {NonNullable<GroupEvaluation['topology']>['domains']} domains
 * @property {NonNullable<GroupEvaluation['preemption']>['victims']} victims
 */

/** @type {PodGroupReport} */
const NONE = {
  groups: [],
  podGroup: '',
  minCount: undefined,
  sentences: [],
  pods: [],
  domains: [],
  victims: [],
};

/**
 * @param {Base} base
 * @param {string} asked `namespace/name`; if there is no such group, the first that waits
 * @param {AbortSignal} signal
 * @returns {Promise<PodGroupReport>}
 */
export async function podGroupReport({ scheduler }, asked, signal) {
  const known = scheduler.inspect().podGroups ?? [];
  const groups = known.map(({ podGroup }) => podGroup);
  const waiting = known.find(({ unscheduled }) => unscheduled.length > 0);
  const group = known.find(({ podGroup }) => podGroup === asked) ?? waiting ?? known[0];
  if (!group) return NONE;
  const { podGroup, minCount, unscheduled, assumed, assigned } = group;
  const running = [...assumed, ...assigned].map((pod) => ({
    pod,
    node: nodeOf(scheduler, pod),
    message: '',
  }));
  const report = { ...NONE, groups, podGroup, minCount, pods: running };
  if (unscheduled.length === 0) {
    const all = running.length === 1 ? 'its pod is on a node' : 'all of its pods are on nodes';
    return { ...report, sentences: [`runs: ${all}`] };
  }
  const answer = await evaluateAll(scheduler, { podGroup }, { signal });
  return {
    ...report,
    sentences: groupSentences(answer),
    pods: [...running, ...answer.pods],
    domains: answer.topology?.domains ?? [],
    victims: answer.preemption?.victims ?? [],
  };
}

/**
 * @param {Scheduler} scheduler
 * @param {string} pod `namespace/name`
 * @returns {string | null}
 */
function nodeOf(scheduler, pod) {
  return scheduler.get('Pod', pod)?.spec.nodeName ?? null;
}
