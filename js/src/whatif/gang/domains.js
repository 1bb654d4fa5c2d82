/** The topology domains of a cluster, and how many pods of a gang each takes. */
import { blockerOf, countsOf } from './answer.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Trial, Trials } from './trials.js'
 */

/**
 * A domain in which a gang was tried. `hidden` are the nodes outside.
 * @typedef {{ domain: string, nodes: string[], hidden: string[], trial: Trial }} TriedDomain
 */

/**
 * `pods`: how many pods of the group without a node the domain takes; `message`: of the first that
 * it does not take.
 * @typedef {{ domain: string, nodes: number, pods: number, message: string }} GroupDomain
 */

/**
 * The domains of a label of nodes. `isRequired`: whether the group must be in one. `nearest` takes
 * the most pods; `missing`: how many more it would have to take.
 * @typedef {object} GroupTopology
 * @property {string} key
 * @property {boolean} isRequired
 * @property {GroupDomain[]} domains
 * @property {number} omitted the number of domains that were not tried
 * @property {GroupDomain & { missing: number, pod?: string, lacks?: string } | null} nearest `pod`:
 *   its blocking pod; `lacks`: what its nearest node lacks for that one
 */

/**
 * @typedef {{ key: string, isRequired: boolean, fault?: string, domains: TriedDomain[], omitted:
 *   number, nearest: TriedDomain | undefined }} TriedTopology
 */

/** The most domains that are tried. */
const MOST_DOMAINS = 256;

/** The start of a group's message if the scheduler reads its topology constraint. */
const OF_PLACEMENTS = /^\d+\/\d+ placements are available/;

/**
 * Tries the gang in the domains of its topology constraint. The constraint of a PodGroup is a
 * requirement only with the feature gate TopologyAwareWorkloadScheduling.
 * @param {Scheduler} scheduler
 * @param {Trials} trials
 * @returns {Promise<TriedTopology | undefined>} undefined if it has none
 */
export async function topologyOf(scheduler, trials) {
  const { topologyKey: key, podGroup } = trials.gang;
  if (key === undefined) return undefined;
  const decision = podGroup === null ? undefined : await trials.decideWithTopology();
  const { placement, message = '', result } = decision ?? {};
  const isRead = placement !== undefined || OF_PLACEMENTS.test(message);
  const { domains, omitted } = await tryDomains(scheduler, trials, key);
  return {
    key,
    isRequired: podGroup === null || isRead,
    ...(result === 'error' && { fault: message }),
    domains,
    omitted,
    nearest: nearestDomain(domains),
  };
}

/**
 * @param {Trials} trials
 * @param {TriedTopology} topology
 * @returns {Promise<GroupTopology>}
 */
export async function describedTopology(trials, topology) {
  const { key, isRequired, domains, omitted, nearest } = topology;
  return {
    key,
    isRequired,
    domains: domains.map(described),
    omitted,
    nearest: nearest ? await describedNearest(trials, nearest) : null,
  };
}

/**
 * @param {Trials} trials
 * @param {TriedDomain} nearest
 */
async function describedNearest(trials, nearest) {
  const { missing } = countsOf(trials.gang, nearest.trial);
  const { pod, nearest: lacks } = (await blockerOf(trials, nearest)) ?? {};
  return { ...described(nearest), missing, ...(pod && { pod }), ...(lacks && { lacks }) };
}

/**
 * @param {TriedDomain} tried
 * @returns {GroupDomain}
 */
function described({ domain, nodes, trial: { placings, placed } }) {
  const message = placings.find(({ isPlaced }) => !isPlaced)?.message ?? '';
  return { domain, nodes: nodes.length, pods: placed, message };
}

/**
 * Tries the gang in each domain. If pods of it are on nodes, it is bound to their domain.
 * @param {Scheduler} scheduler
 * @param {Trials} trials
 * @param {string} topologyKey
 * @returns {Promise<{ domains: TriedDomain[], omitted: number }>} in the order of the names
 */
async function tryDomains(scheduler, trials, topologyKey) {
  const nodes = scheduler.list('Node');
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const { metadata } of nodes) {
    const domain = metadata.labels?.[topologyKey];
    if (domain === undefined) continue;
    groups.set(domain, [...(groups.get(domain) ?? []), metadata.name]);
  }
  const own = domainsOf(scheduler, trials.gang.scheduled, groups);
  const names = [...groups.keys()].filter((name) => own.size === 0 || own.has(name)).sort();
  /** @type {TriedDomain[]} */
  const domains = [];
  for (const domain of names.slice(0, MOST_DOMAINS)) {
    const inside = new Set(groups.get(domain));
    const all = nodes.map(({ metadata }) => metadata.name);
    const hidden = all.filter((name) => !inside.has(name));
    domains.push({ domain, nodes: [...inside], hidden, trial: await trials.place(hidden) });
  }
  return { domains, omitted: names.length - domains.length };
}

/**
 * Returns the domain that takes the most pods; of equal ones the first.
 * @param {TriedDomain[]} domains
 * @returns {TriedDomain | undefined}
 */
function nearestDomain(domains) {
  return domains.toSorted((a, b) => b.trial.placed - a.trial.placed)[0];
}

/**
 * @param {Scheduler} scheduler
 * @param {string[]} scheduled pods with a node
 * @param {Map<string, string[]>} groups
 */
function domainsOf(scheduler, scheduled, groups) {
  const nodes = new Set(scheduled.map((pod) => scheduler.inspect({ pod }).node));
  const own = [...groups].filter(([, names]) => names.some((name) => nodes.has(name)));
  return new Set(own.map(([domain]) => domain));
}
