/** Draws the bars of resource use. */
import { amountText, fullestShare, resourceWord, shareOf, usesOf } from './amounts.js';
import { BAR_HEIGHT, SMALL_BARS } from './cluster_layout.js';

/**
 * @import { Use } from './amounts.js'
 * @import { NodeBox } from './cluster_layout.js'
 * @import { Palette, Scene } from './cluster_painter.js'
 */

/**
 * Layout of the words beside a bar: their size, where the bar begins, and the least width for them.
 */
const WORDS = {
  small: { font: '10px system-ui, sans-serif', bar: 54, width: 122 },
  large: { font: '11px system-ui, sans-serif', bar: 60, width: 140 },
};
/** From this width on the words are large. */
const LARGE = 176;

/** Between a bar and the amounts beside it. */
const GAP = 6;

/** From this share on a node counts as full. */
const FULL = 0.9;

/**
 * Draws a bar for each resource; with words, also its name, the requests and the capacity.
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {Pick<Scene, 'layout' | 'palette'>} scene
 */
export function paintBars(canvas, { node, box }, { layout, palette }) {
  const uses = usesOf(layout.cluster, node);
  if (layout.detail === 'blocks') {
    uses.slice(0, SMALL_BARS).forEach((use, index) => {
      const bar = { x: box.x + 3, y: box.y + 3 + index * 4, width: box.width - 6, height: 3 };
      paintBar(canvas, bar, use, palette);
    });
    return;
  }
  const words = box.width < LARGE ? WORDS.small : WORDS.large;
  canvas.font = words.font;
  const shown = uses.slice(0, layout.bars);
  const texts = shown.map(
    ({ resource, used, all }) => `${amountText(resource, used)} / ${amountText(resource, all)}`,
  );
  // The bars of a node are equally long, and end before its longest amounts.
  const longest = Math.max(...texts.map((text) => canvas.measureText(text).width));
  const width = Math.min(box.width - words.width, box.width - words.bar - longest - 8 - GAP);
  shown.forEach((use, index) => {
    const y = box.y + 24 + index * BAR_HEIGHT;
    const bar = { x: box.x + words.bar, y: y + 3, width: Math.max(0, width), height: 7 };
    paintBar(canvas, bar, use, palette);
    canvas.fillStyle = palette.muted;
    canvas.fillText(resourceWord(use.resource).slice(0, 7), box.x + 8, y + 10);
    canvas.fillStyle = use.used > use.all ? palette.bad : palette.text;
    canvas.textAlign = 'right';
    canvas.fillText(texts[index], box.x + box.width - 8, y + 10);
    canvas.textAlign = 'left';
  });
}

/**
 * Draws the highest share among a node's resources, where there is no room for more.
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {Pick<Scene, 'layout' | 'palette'>} scene
 */
export function paintFill(canvas, { node, box, nominated }, { layout, palette }) {
  const share = fullestShare(layout.cluster, node);
  const height = Math.round((box.height - 4) * Math.min(1, share));
  canvas.fillStyle = palette.free;
  canvas.fillRect(box.x + 2, box.y + 2, box.width - 4, box.height - 4);
  canvas.fillStyle = barColour(share, palette);
  canvas.fillRect(box.x + 2, box.y + box.height - 2 - height, box.width - 4, height);
  canvas.fillStyle = palette.bad;
  if (node.isUnschedulable) canvas.fillRect(box.x + 2, box.y + 2, box.width - 4, 2);
  canvas.fillStyle = palette.text;
  if (nominated.length > 0) canvas.fillRect(box.x + 3, box.y + 3, 3, 3);
}

/**
 * An overcommitted bar has a mark at the capacity.
 * @param {CanvasRenderingContext2D} canvas
 * @param {import('./cluster_layout.js').Box} box
 * @param {Use} use
 * @param {Palette} palette
 */
function paintBar(canvas, { x, y, width, height }, use, palette) {
  const share = shareOf(use.used, use.all);
  canvas.fillStyle = palette.free;
  canvas.fillRect(x, y, width, height);
  canvas.fillStyle = barColour(share, palette);
  canvas.fillRect(x, y, width * Math.min(1, share), height);
  if (share <= 1) return;
  canvas.fillStyle = palette.text;
  canvas.fillRect(x + width / Math.min(share, 8) - 1, y - 1, 2, height + 2);
}

/** @param {number} share @param {Palette} palette */
function barColour(share, palette) {
  if (share > 1) return palette.bad;
  return share > FULL ? palette.warn : palette.accent;
}
