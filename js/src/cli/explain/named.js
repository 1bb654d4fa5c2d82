/** Explains a pod that names its node. */
import { whyNot } from '../../engine/evaluation.js';
import { formatMatrix } from './matrix.js';
import { EXIT } from '../terminal/problems.js';
import { printable } from '../../engine/printable.js';

/**
 * @import { Evaluation } from '../../engine/types.js'
 * @import { Admission } from '../../whatif/named_nodes.js'
 * @import { Color } from '../terminal/terminal.js'
 */

/**
 * Returns a kubelet's verdict on a pod in the form of an evaluation.
 * @param {string} pod `namespace/name`
 * @param {Admission} admission
 * @returns {Evaluation}
 */
export function evaluationOf(pod, { message, evaluation }) {
  const head = /** @type {const} */ ({ apiVersion: 'stowage/v1', kind: 'Evaluation' });
  return evaluation ?? { ...head, pod, result: 'unschedulable', node: null, message };
}

/**
 * @param {Evaluation} evaluation
 * @param {Admission} admission
 * @param {{ node?: string, headers: boolean, limit: number, paint: (text: string, color: Color) =>
 *   string }} options `node`: the node of `--node`
 * @returns {string}
 */
export function explanationText(evaluation, admission, options) {
  const { node: asked, paint } = options;
  const pod = paint(printable(evaluation.pod), 'bold');
  const head = `${pod}: ${printable(admission.message)}\n`;
  if (!admission.evaluation || (asked !== undefined && asked !== admission.node)) return head;
  if (asked !== undefined) return `${head}${printable(whyNot(evaluation, asked))}\n`;
  return `${head}\n${formatMatrix(evaluation, [admission.node], options).text}`;
}

/**
 * @param {Admission} admission
 * @param {string} [asked] the node of `--node`
 * @returns {number} the exit code
 */
export function codeOf({ fits, node }, asked = node) {
  return fits && asked === node ? EXIT.yes : EXIT.no;
}
