/** Draws a cluster on a canvas. */
import { VERDICTS } from '../decision/verdicts.js';
import { paintBars, paintFill } from './bar_painter.js';
import { paintBlock } from './block_painter.js';
import { podBlocks, visibleNodes } from './cluster_layout.js';
import { paintStranded } from './stranded_painter.js';

/**
 * @import { Layout, NodeBox } from './cluster_layout.js'
 * @import { Found } from './cluster_search.js'
 * @import { NodeMark } from '../decision/verdicts.js'
 * @import { Hues } from './hues.js'
 */

/**
 * The colours of the page's style, by what they are for.
 * @typedef {{ text: string, muted: string, line: string, panel: string, accent: string, free:
 *   string, warn: string, bad: string, good: string, workloads: string[] }} Palette
 */

/**
 * @typedef {object} Scene
 * @property {Layout} layout
 * @property {Palette} palette
 * @property {Hues} hues
 * @property {number} top of the visible part
 * @property {number} height of the visible part
 * @property {string | null} selectedNode
 * @property {string | null} selectedPod
 * @property {{ node: string, pod?: string } | null} [pointed] the place under the pointer or the
 *   keyboard focus
 * @property {Map<string, NodeMark>} verdicts by node, of the evaluation or the future that is shown
 * @property {Map<string, number> | null} [stranded] by node, the pods that its loss would leave
 *   pending: the map of failures
 * @property {Found | null} [found] the search results; everything else is dimmed
 */

const DIMMED = 0.25;
/** Opacity of the colour on the chosen node. */
const TINT = 0.08;
/** Width of a letter in a node’s name, in pixels. */
const LETTER = 7;
const RADIUS = { words: 8, blocks: 4 };

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
    const nodes = count === 1 ? '1 node' : `${count.toLocaleString('en')} nodes`;
    canvas.fillText(`${zone || 'no zone'} · ${nodes}`, 0, box.y + 16);
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
  const { layout, palette, found } = scene;
  const { node } = item;
  const isLost = scene.verdicts.get(node.name) === 'lost';
  const isShown = !isLost && (!found || found.shownNodes.has(node.name));
  canvas.globalAlpha = isShown ? 1 : DIMMED;
  paintBox(canvas, item, scene);
  if (scene.stranded) paintStranded(canvas, item, scene);
  if (layout.detail === 'overview') {
    if (!scene.stranded) paintFill(canvas, item, scene);
  } else {
    if (layout.detail === 'words') paintWords(canvas, item, { palette, isLost });
    paintBars(canvas, item, scene);
    for (const { pod, box } of podBlocks(item, layout)) paintBlock(canvas, { pod, box }, scene);
  }
  canvas.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {Scene} scene
 */
function paintBox(canvas, { node, box }, { layout, palette, verdicts, ...scene }) {
  const { selectedNode, pointed } = scene;
  const isPointed = pointed?.node === node.name;
  canvas.fillStyle = palette.panel;
  canvas.strokeStyle = edgeColour(verdicts.get(node.name), palette);
  if (isPointed) canvas.strokeStyle = palette.text;
  const isMarked = isPointed || verdicts.has(node.name);
  canvas.lineWidth = selectedNode === node.name ? 3 : isMarked ? 2 : 1;
  if (layout.detail === 'overview') {
    // There may be thousands of boxes: round corners would be slow.
    canvas.fillStyle = canvas.strokeStyle;
    const inset = canvas.lineWidth > 1 ? 0 : 1;
    canvas.fillRect(box.x + inset, box.y + inset, box.width - 2 * inset, box.height - 2 * inset);
    return;
  }
  canvas.beginPath();
  canvas.roundRect(box.x + 1, box.y + 1, box.width - 2, box.height - 2, RADIUS[layout.detail]);
  canvas.fill();
  if (verdicts.get(node.name) === 'chosen') tint(canvas, palette);
  canvas.stroke();
}

/** @param {CanvasRenderingContext2D} canvas @param {Palette} palette */
function tint(canvas, { accent }) {
  const { globalAlpha } = canvas;
  canvas.globalAlpha = globalAlpha * TINT;
  canvas.fillStyle = accent;
  canvas.fill();
  canvas.globalAlpha = globalAlpha;
}

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {{ palette: Palette, isLost: boolean }} how
 */
function paintWords(canvas, { node, box, pods }, { palette, isLost }) {
  canvas.fillStyle = palette.text;
  canvas.font = '600 12px system-ui, sans-serif';
  const room = box.width - (node.isUnschedulable ? 72 : 16);
  canvas.fillText(fitted(node.name, Math.floor(room / LETTER)), box.x + 8, box.y + 17);
  canvas.font = '11px system-ui, sans-serif';
  canvas.textAlign = 'right';
  if (node.isUnschedulable || isLost) {
    canvas.fillStyle = palette.bad;
    canvas.fillText(isLost ? 'lost' : 'cordoned', box.x + box.width - 8, box.y + 17);
  } else if (node.allocatable.pods === undefined) {
    canvas.fillStyle = palette.muted;
    canvas.fillText(String(pods.length), box.x + box.width - 8, box.y + 17);
  }
  canvas.textAlign = 'left';
}

/**
 * @param {NodeMark | undefined} verdict
 * @param {Palette} palette
 */
function edgeColour(verdict, palette) {
  const known = VERDICTS.find((one) => one.verdict === verdict);
  return palette[known?.colour ?? 'line'];
}

/** @param {string} text @param {number} most letters */
function fitted(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
