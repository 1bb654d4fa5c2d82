/** How many pods fit, as a document or for people. */
import { printable } from '../../engine/printable.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { formatTable, painter } from '../terminal/terminal.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Capacity, ShapesCapacity } from '../../whatif/capacity.js'
 * @import { MadeUpHere, Missing } from '../../check/types.js'
 * @import { Host } from '../host.js'
 * @import { CapacityOptions } from './arguments.js'
 */

/**
 * @param {Capacity} found
 * @param {{ kubernetesVersion: string, missing: Missing[], madeUp: MadeUpHere[], warnings:
 *   string[], candidate: KubernetesObject }} details
 * @param {CapacityOptions} options
 * @param {Host} host
 * @returns {string}
 */
export function formatCapacity(found, details, options, host) {
  const { kubernetesVersion, missing, madeUp, warnings, candidate } = details;
  const head = { apiVersion: 'stowage/v1', kind: 'Capacity', kubernetesVersion };
  const document = { ...head, ...found, missing, madeUp, warnings };
  if (options.output === 'json') return jsonText(document);
  if (options.output === 'yaml') return yamlText(document);
  const paint = painter(options.color, host);
  const { total, nodes } = found;
  const used = nodes.filter(({ pods }) => pods > 0).length;
  const verb = total === 1 ? 'fits' : 'fit';
  const where = total > 0 ? `, on ${used} of ${nodes.length} nodes` : '';
  const model = printable(modelOf(candidate));
  const first = `${paint(String(total), 'bold')} more like ${model} ${verb}${where}\n`;
  if (options.quiet) return first;
  const rows = nodes.map(({ node, pods, next }) => [
    node,
    String(pods),
    next.join(', ') || '<none>',
  ]);
  const table = formatTable([['NODE', 'PODS', 'NEXT'], ...rows], options);
  return `${first}${printable(nextLine(found))}\n\n${table}`;
}

/**
 * @param {ShapesCapacity & { missing: Missing[], warnings: string[] }} found
 * @param {string[]} models
 * @param {CapacityOptions} options
 * @param {Host} host
 * @returns {string}
 */
export function formatShapes(found, models, options, host) {
  if (options.output === 'json') return jsonText(found);
  if (options.output === 'yaml') return yamlText(found);
  const paint = painter(options.color, host);
  const { total, ratio, rounds, shapes } = found;
  const times = ratio ? `: ${ratio.join(':')} fits ${rounds} times` : '';
  const verb = total === 1 ? 'fits' : 'fit';
  const first = `${paint(String(total), 'bold')} more ${verb}${times}\n`;
  if (options.quiet) return first;
  const rows = shapes.map((shape, index) => [
    models[index],
    String(shape.total),
    String(shape.alone),
    shape.stoppedBy === 'Ratio' ? 'stopped with the ratio' : nextReason(shape),
  ]);
  const names = shapes[0].nodes.map(({ node }) => node);
  const byNode = names.flatMap((node, row) =>
    shapes.map(({ nodes }, index) => {
      const { pods, next } = nodes[row];
      return [node, models[index], String(pods), next.join(', ') || '<none>'];
    }),
  );
  return [
    first,
    formatTable([['LIKE', 'PODS', 'ALONE', 'NEXT'], ...rows], options),
    formatTable([['NODE', 'LIKE', 'PODS', 'NEXT'], ...byNode], options),
  ].join('\n');
}

/** @param {KubernetesObject} candidate */
export function modelOf(candidate) {
  const { kind = '', metadata } = candidate;
  const name = podKeyOf(candidate);
  // Without a name of its own, a workload is known by the prefix of those that it would get.
  const whole = metadata?.name ? name : `${name}${metadata?.generateName ?? ''}`;
  return kind === 'Pod' ? name : `those of ${kind.toLowerCase()} ${whole}`;
}

/** @param {Capacity} found */
function nextLine(found) {
  const isLimited = found.stoppedBy === 'LimitReached';
  return isLimited ? nextReason(found) : `the next: ${nextReason(found)}`;
}

/** @param {{ stoppedBy: string, message: string }} found */
function nextReason({ stoppedBy, message }) {
  if (stoppedBy === 'LimitReached') return 'more may fit: counting stopped at --max-limit';
  return message || stoppedBy;
}
