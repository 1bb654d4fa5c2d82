/** The details of a node or a pod under the pointer, as text. */
import { amountText, requestsText, usesOf } from './amounts.js';
import { workloadOf } from './cluster_state.js';

/**
 * @import { PodRow } from '../../model/cluster_model.js'
 * @import { ClusterState } from './cluster_state.js'
 */

/** @typedef {{ title: string, facts: [string, string][] }} Words */

const MOST_LABELS = 6;

/**
 * @param {ClusterState} cluster
 * @param {{ node: string, pod?: string }} pointed
 * @param {Map<string, number> | null} [stranded] by node, the pods that its loss leaves pending
 * @returns {Words | null} null if it no longer exists
 */
export function wordsOf(cluster, { node, pod }, stranded) {
  if (pod === undefined) return nodeWords(cluster, node, stranded?.get(node));
  const row = cluster.pods.get(pod);
  return row ? podWords(row) : null;
}

/**
 * @param {ClusterState} cluster
 * @param {string} name
 * @param {number} [stranded]
 * @returns {Words | null}
 */
function nodeWords(cluster, name, stranded) {
  const node = cluster.nodes.get(name);
  if (!node) return null;
  const { zone, isUnschedulable, taints, labels } = node;
  const nominated = cluster.nominatedTo.get(name)?.size ?? 0;
  const entries = Object.entries(labels);
  const shown = entries.slice(0, MOST_LABELS).map(([label, value]) => `${label}=${value}`);
  const rest = entries.length - shown.length;
  /** @type {[string, string][]} */
  const uses = usesOf(cluster, node).map(({ resource, used, all }) => {
    const text = `${amountText(resource, used)} of ${amountText(resource, all)}`;
    return [resource, used > all ? `${text}, overcommitted` : text];
  });
  return {
    title: `Node ${name}`,
    facts: present([
      ['zone', zone],
      ['', isUnschedulable ? 'cordoned' : ''],
      ['taints', taints.join(', ')],
      ...uses,
      ['if lost', stranded === undefined ? '' : `${stranded} pods pending`],
      ['nominated', nominated > 0 ? `${nominated} pods` : ''],
      ['labels', [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')],
    ]),
  };
}

/**
 * @param {PodRow} pod
 * @returns {Words}
 */
function podWords(pod) {
  const { key, node, nominatedNode, phase, priority, reason, message, isTerminating } = pod;
  return {
    title: `Pod ${key}`,
    facts: present([
      ['workload', workloadOf(pod)],
      ['priority', String(priority)],
      ['requests', requestsText(pod.requests) || 'nothing'],
      ['phase', isTerminating ? `${phase}, terminating` : phase],
      ['node', node],
      ['nominated to', nominatedNode],
      ['reason', reason],
      ['', message],
    ]),
  };
}

/** @param {[string, string][]} facts */
function present(facts) {
  return facts.filter(([, text]) => text !== '');
}
