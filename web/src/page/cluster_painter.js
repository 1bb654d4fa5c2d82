/** Draws a cluster on a canvas. */
import { podBlocks, visibleNodes } from './cluster_layout.js';

/**
 * @import { NodeRow, PodRow } from '../model/cluster_model.js'
 * @import { Layout, NodeBox } from './cluster_layout.js'
 */

/**
 * What is drawn in which colour: those of the page's style.
 * @typedef {{ text: string, muted: string, line: string, panel: string, accent: string, free:
 *   string, warn: string, bad: string, workloads: string[] }} Palette
 */

/**
 * @typedef {object} Scene
 * @property {Layout} layout
 * @property {Palette} palette
 * @property {number} top of what is seen
 * @property {number} height of what is seen
 * @property {string | null} selectedNode
 * @property {string | null} selectedPod
 * @property {Map<string, 'chosen' | 'feasible' | 'refused'>} verdicts of the pod that is looked at
 * @property {string} search names without it are dimmed; empty: none
 */

const BARS = ['cpu', 'memory'];

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {Scene} scene
 */
export function paint(canvas, scene) {
  const { layout, palette, top, height } = scene;
  canvas.clearRect(0, 0, layout.width, height);
  canvas.save();
  canvas.translate(0, -top);
  canvas.textBaseline = 'alphabetic';
  for (const { zone, box, count } of layout.zones) {
    if (box.y > top + height || box.y + box.height < top) continue;
    canvas.fillStyle = palette.muted;
    canvas.font = '600 12px system-ui, sans-serif';
    canvas.fillText(`${zone || 'no zone'} · ${count} nodes`, 0, box.y + 16);
  }
  for (const node of visibleNodes(layout, top, top + height)) paintNode(canvas, node, scene);
  canvas.restore();
}

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {Scene} scene
 */
function paintNode(canvas, item, scene) {
  const { layout, palette, selectedNode, selectedPod, search, verdicts } = scene;
  const { node, box } = item;
  canvas.globalAlpha = search === '' || isFound(item, search) ? 1 : 0.25;
  canvas.fillStyle = palette.panel;
  canvas.strokeStyle = edgeColour(verdicts.get(node.name), palette);
  canvas.lineWidth = selectedNode === node.name ? 3 : verdicts.has(node.name) ? 2 : 1;
  canvas.beginPath();
  canvas.roundRect(box.x + 1, box.y + 1, box.width - 2, box.height - 2, layout.isDense ? 4 : 8);
  canvas.fill();
  canvas.stroke();
  if (!layout.isDense) paintWords(canvas, item, palette);
  paintBars(canvas, item, scene);
  for (const block of podBlocks(item, layout.isDense)) {
    canvas.fillStyle = colourOf(block.pod, palette);
    canvas.fillRect(block.box.x, block.box.y, block.box.width, block.box.height);
    if (block.pod.key !== selectedPod) continue;
    canvas.strokeStyle = palette.text;
    canvas.lineWidth = 2;
    canvas.strokeRect(block.box.x - 1, block.box.y - 1, block.box.width + 2, block.box.height + 2);
  }
  if (node.isUnschedulable && !layout.isDense) paintCordon(canvas, item, palette);
  canvas.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {Palette} palette
 */
function paintWords(canvas, { node, box, pods }, palette) {
  canvas.fillStyle = palette.text;
  canvas.font = '600 12px system-ui, sans-serif';
  canvas.fillText(fitted(node.name, 20), box.x + 8, box.y + 17);
  canvas.fillStyle = palette.muted;
  canvas.font = '11px system-ui, sans-serif';
  const count = `${pods.length}/${node.allocatable.pods ?? '∞'}`;
  canvas.textAlign = 'right';
  canvas.fillText(count, box.x + box.width - 8, box.y + 17);
  canvas.textAlign = 'left';
}

/**
 * How full the node is: a bar for each resource.
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {Scene} scene
 */
function paintBars(canvas, { node, box, pods }, { layout, palette }) {
  const [x, width] = layout.isDense ? [box.x + 3, box.width - 6] : [box.x + 8, box.width - 16];
  BARS.forEach((resource, index) => {
    const all = node.allocatable[resource] ?? 0;
    if (all <= 0) return;
    const used = pods.reduce((sum, pod) => sum + (pod.requests[resource] ?? 0), 0);
    const share = Math.min(1, used / all);
    const y = box.y + (layout.isDense ? 3 + index * 4 : 26 + index * 11);
    const height = layout.isDense ? 3 : 7;
    canvas.fillStyle = palette.free;
    canvas.fillRect(x, y, width, height);
    canvas.fillStyle = share > 0.9 ? palette.warn : palette.accent;
    canvas.fillRect(x, y, width * share, height);
  });
}

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {Palette} palette
 */
function paintCordon(canvas, { box }, palette) {
  canvas.fillStyle = palette.bad;
  canvas.font = '11px system-ui, sans-serif';
  canvas.textAlign = 'right';
  canvas.fillText('cordoned', box.x + box.width - 8, box.y + box.height - 8);
  canvas.textAlign = 'left';
}

/**
 * @param {NodeBox} item
 * @param {string} search
 */
function isFound({ node, pods }, search) {
  return node.name.includes(search) || pods.some(({ key }) => key.includes(search));
}

/**
 * @param {'chosen' | 'feasible' | 'refused' | undefined} verdict
 * @param {Palette} palette
 */
function edgeColour(verdict, palette) {
  switch (verdict) {
    case 'chosen':
      return palette.accent;
    case 'refused':
      return palette.bad;
    default:
      return verdict === 'feasible' ? palette.text : palette.line;
  }
}

/**
 * Pods of one workload have one colour.
 * @param {PodRow} pod
 * @param {Palette} palette
 */
export function colourOf({ workload, key }, { workloads }) {
  let hash = 0;
  for (const letter of workload || key.replace(/-[^-]*$/, ''))
    hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return workloads[hash % workloads.length];
}

/** @param {string} text @param {number} most letters */
function fitted(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
