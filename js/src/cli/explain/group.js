/** Explains a pod group: `stowage explain podgroup/NAME`. */
import { printable } from '../../engine/printable.js';
import { namespaceOf, podKeyOf, splitKey } from '../../kubernetes/keys.js';
import { evaluateAll } from '../../whatif/gang.js';
import { groupSentences } from '../../whatif/gang/sentences.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { atDecision } from './explanation.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { didYouMean, namesNear } from '../terminal/near_names.js';
import { EXIT, UsageError } from '../terminal/problems.js';
import { formatTable, painter, say } from '../terminal/terminal.js';

/**
 * @import { Decision } from '../../engine/types.js'
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { GroupEvaluation } from '../../whatif/gang.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { ExplainOptions } from './arguments.js'
 * @import { Host } from '../host.js'
 * @import { Simulation } from '../simulation/simulation.js'
 */

const GROUP = /^podgroups?(?:\.[^/]*)?\/(.+)$/i;

/**
 * A group of the input. `object` is undefined if only its pods are there.
 * @typedef {{ key: string, object: KubernetesObject | undefined, pods: string[] }} NamedGroup
 */

/**
 * Returns the group that the user names.
 * @param {string} text `podgroup/NAME` or `podgroup/NAMESPACE/NAME`
 * @param {Cluster} cluster
 * @param {string | undefined} namespace
 * @returns {NamedGroup | undefined} undefined if the text names no group
 * @throws {UsageError} if there is no such group
 */
export function groupNamed(text, cluster, namespace) {
  const name = GROUP.exec(text)?.[1];
  if (name === undefined) return undefined;
  const objects = cluster.read.filter(({ kind }) => kind === 'PodGroup');
  const members = [...cluster.pods.values()].filter(groupOf);
  const keys = new Set([...objects.map(keyOfGroup), ...members.map((pod) => groupOf(pod) ?? '')]);
  const found = [...keys].filter((key) => {
    const own = splitKey(key);
    if (namespace !== undefined && own.namespace !== namespace) return false;
    return key === name || own.name === name;
  });
  if (found.length > 1)
    throw new UsageError(`explain: ${text} may be ${found.join(' or ')}; --namespace tells which`);
  if (found.length === 0) {
    const near = namesNear(
      splitKey(name).name,
      [...keys].map((key) => splitKey(key).name),
    );
    throw new UsageError(`explain: there is no PodGroup ${name} in the input${didYouMean(near)}`);
  }
  const [key] = found;
  const object = objects.findLast((one) => keyOfGroup(one) === key);
  return { key, object, pods: members.filter((pod) => groupOf(pod) === key).map(podKeyOf) };
}

/** @param {KubernetesObject} object */
function keyOfGroup(object) {
  return `${namespaceOf(object)}/${object.metadata.name}`;
}

/**
 * @param {KubernetesObject} pod
 * @returns {string | undefined} `namespace/name`
 */
function groupOf(pod) {
  const name = pod.spec?.schedulingGroup?.podGroupName;
  return name ? `${namespaceOf(pod)}/${name}` : undefined;
}

/**
 * @param {NamedGroup} group
 * @param {Simulation} simulation whose scheduler keeps objects
 * @param {ExplainOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function explainGroup(group, simulation, options, host) {
  const { decisions, cluster, scheduler } = simulation;
  const hasGate = scheduler.inspect().podGroups !== undefined;
  const before = turnOf(group, decisions, hasGate);
  const answer = await atDecision(before, simulation, (present) =>
    evaluateAll(present, hasGate ? { podGroup: group.key } : asGang(group, present)),
  );
  const asked = group.pods.flatMap((pod) => cluster.pods.get(pod) ?? []);
  const missing = missingIn(cluster, { ...simulation, asked });
  if (options.output === 'table') {
    host.stdout.write(textOf(group, answer, options, host));
    for (const line of options.quiet ? [] : omittedLines(answer, options)) say(host.stderr, line);
    if (!hasGate && !options.quiet) say(host.stderr, WITHOUT_GATE);
  } else {
    const document = { ...answer, podGroup: group.key, missing, warnings: cluster.warnings };
    host.stdout.write(options.output === 'json' ? jsonText(document) : yamlText(document));
  }
  const code = answer.result === 'scheduled' ? EXIT.yes : EXIT.no;
  return printMissing(missing, options, host) ?? code;
}

const WITHOUT_GATE =
  'the feature gate GenericWorkload is off, so that kube-scheduler places these pods one by one: ' +
  'they were asked as a gang';

/**
 * Asks the pods of a group in a cluster that knows no groups.
 * @param {NamedGroup} group
 * @param {Scheduler} scheduler
 */
function asGang({ object, pods, key }, scheduler) {
  const there = pods.filter((pod) => scheduler.get('Pod', pod));
  if (there.length === 0) throw new UsageError(`explain: the PodGroup ${key} has no pods`);
  const { schedulingPolicy, schedulingConstraints } = object?.spec ?? {};
  const isBasic = schedulingPolicy && !schedulingPolicy.gang;
  const minCount = isBasic ? 1 : schedulingPolicy?.gang?.minCount;
  return { pods: there, minCount, topologyKey: schedulingConstraints?.topology?.[0]?.key };
}

/**
 * Returns the index of the decision before which a group is explained: the first of the cycle in
 * which it started, or else of its last cycle; without the gate, the first about any of its pods.
 * @param {NamedGroup} group
 * @param {Decision[]} decisions
 * @param {boolean} hasGate
 * @returns {number} -1 if there is none
 */
function turnOf({ pods }, decisions, hasGate) {
  const own = new Set(pods);
  const isOwn = (/** @type {Decision} */ { pod, result }) => own.has(pod) && result !== 'gated';
  if (!hasGate) return decisions.findIndex(isOwn);
  const started = decisions.findIndex((decision) => isOwn(decision) && decision.node !== null);
  let first = started < 0 ? decisions.findLastIndex(isOwn) : started;
  const seen = new Set();
  while (first >= 0 && isOwn(decisions[first]) && !seen.has(decisions[first].pod))
    seen.add(decisions[first--].pod);
  return seen.size > 0 ? first + 1 : -1;
}

/**
 * @param {NamedGroup} group
 * @param {GroupEvaluation} answer
 * @param {ExplainOptions} options
 * @param {Host} host
 */
function textOf({ key }, answer, options, host) {
  const [first, ...others] = groupSentences(answer).map(printable);
  const title = painter(options.color, host)(printable(key), 'bold');
  const lines = others.map((line) => `- ${line}\n`).join('');
  const tables = [domainTable(answer, options), podTable(answer, options)].filter(Boolean);
  return [`${title} ${first}\n${lines}`, ...tables].join('\n');
}

/**
 * @param {GroupEvaluation} answer
 * @param {{ headers: boolean, limit: number }} options
 */
function domainTable({ topology }, { headers, limit }) {
  if (!topology || topology.domains.length === 0) return '';
  const byPods = topology.domains.toSorted((a, b) => b.pods - a.pods);
  const rows = shown(byPods, limit).map(({ domain, nodes, pods, message }) => [
    domain,
    String(nodes),
    String(pods),
    message || '<none>',
  ]);
  return formatTable([['DOMAIN', 'NODES', 'PODS', 'WHY NO MORE'], ...rows], { headers });
}

/**
 * @param {GroupEvaluation} answer
 * @param {{ headers: boolean, limit: number }} options
 */
function podTable({ pods }, { headers, limit }) {
  if (pods.length === 0) return '';
  const rows = shown(pods, limit).map(({ pod, node, message }) => [
    pod,
    node ?? '<none>',
    message || '<none>',
  ]);
  return formatTable([['POD', 'NODE', 'WHY NOT'], ...rows], { headers });
}

/**
 * Says how many rows the limit left out.
 * @param {GroupEvaluation} answer
 * @param {{ limit: number }} options
 */
function omittedLines({ topology, pods }, { limit }) {
  const counts = { domains: topology?.domains.length ?? 0, pods: pods.length };
  return Object.entries(counts)
    .filter(([, count]) => limit > 0 && count > limit)
    .map(([what, count]) => `${count - limit} more ${what}; --limit 0 shows all`);
}

/**
 * @template T
 * @param {T[]} rows
 * @param {number} limit 0 for all
 */
function shown(rows, limit) {
  return limit > 0 ? rows.slice(0, limit) : rows;
}
