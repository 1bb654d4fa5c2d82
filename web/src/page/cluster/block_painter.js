/** Draws pods as blocks. */
import { isRunning } from './cluster_state.js';
import { hueOf } from './hues.js';

/**
 * @import { PodRow } from '../../model/cluster_model.js'
 * @import { Box } from './cluster_layout.js'
 * @import { Scene } from './cluster_painter.js'
 */

/**
 * Filled: the pod is on the node. Half filled: it is being deleted. Outline: it is nominated to the
 * node. Grey: it has ended.
 * @param {CanvasRenderingContext2D} canvas
 * @param {{ pod: PodRow, box: Box }} block
 * @param {Pick<Scene, 'hues' | 'palette' | 'selectedPod' | 'pointed' | 'found' | 'layout'>} scene
 */
export function paintBlock(canvas, { pod, box }, scene) {
  const { hues, palette, selectedPod, pointed, found, layout } = scene;
  const { x, y, width, height } = box;
  const line = layout.detail === 'words' ? 2 : 1;
  const colour = isRunning(pod) ? palette.workloads[hueOf(pod, hues)] : palette.line;
  canvas.fillStyle = colour;
  canvas.strokeStyle = colour;
  canvas.lineWidth = line;
  const isOutline = pod.node === '' || pod.isTerminating;
  if (!isOutline) canvas.fillRect(x, y, width, height);
  else canvas.strokeRect(x + line / 2, y + line / 2, width - line, height - line);
  if (pod.isTerminating) canvas.fillRect(x, y + height / 2, width, height / 2);
  const isMarked = pod.key === selectedPod || pod.key === pointed?.pod || found?.pods.has(pod.key);
  if (!isMarked) return;
  canvas.strokeStyle = palette.text;
  canvas.lineWidth = pod.key === selectedPod ? line + 1 : line;
  canvas.strokeRect(x - 1, y - 1, width + 2, height + 2);
}
