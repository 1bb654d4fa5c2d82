/** Prints the culprits of an evaluation as tables. */
import { culpritSentence } from '../../engine/culprits.js';
import { devicesLeft } from '../../engine/device_culprits.js';
import { formatTable } from '../terminal/terminal.js';

/** @import { Culprit, Evaluation } from '../../engine/types.js' */

/**
 * Formats the culprits, one line for each node and plugin, the nearest node first. Below, if a node
 * does not have the devices for the claims, one line for each node and request.
 * @param {Pick<Evaluation, 'culprits' | 'culpritsOmitted'>} evaluation
 * @param {{ headers: boolean, limit: number }} options `limit`: the number of nodes, 0 for all
 * @returns {string} empty if there are no culprits
 */
export function formatCulprits({ culprits = [], culpritsOmitted = 0 }, { headers, limit }) {
  const nodes = [...new Set(culprits.map(({ node }) => node))];
  const shown = new Set(limit > 0 ? nodes.slice(0, limit) : nodes);
  if (shown.size === 0) return '';
  const those = culprits.filter(({ node }) => shown.has(node));
  const rows = those.map((culprit) => [culprit.node, culprit.plugin, culpritSentence(culprit)]);
  const omitted = limit > 0 ? 0 : culpritsOmitted;
  const more = omitted > 0 ? `${omitted} nodes more refuse the pod\n` : '';
  const table = formatTable([['NODE', 'PLUGIN', 'WHY NOT'], ...rows], { headers }) + more;
  const devices = formatDevices(those, { headers });
  return devices ? `${table}\n${devices}` : table;
}

/**
 * Formats how many devices each rule leaves for the requests of the claims.
 * @param {Culprit[]} culprits
 * @param {{ headers: boolean }} options
 */
function formatDevices(culprits, options) {
  const { columns, rows } = devicesLeft(culprits);
  if (rows.length === 0) return '';
  const head = ['NODE', 'CLAIM', 'REQUEST', 'ASKED', 'DEVICES'];
  const body = rows.map(({ node, request, left, mostBy }) => [
    node,
    request.claim ?? '<none>',
    request.request,
    String(request.asked),
    String(request.devices),
    ...left.map(String),
    mostBy || '<none>',
  ]);
  const heads = columns.map((column) => column.toUpperCase());
  const table = formatTable([[...head, ...heads, 'MOST REFUSED BY'], ...body], options);
  return `Devices of each node, and how many of them each rule leaves:\n${table}`;
}
