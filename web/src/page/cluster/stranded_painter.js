/** Draws the map of failures. */

/**
 * @import { NodeBox } from './cluster_layout.js'
 * @import { Scene } from './cluster_painter.js'
 */

/** The least opacity of a node whose loss leaves pods pending; the most of them are opaque. */
const LEAST = 0.35;
/** Where there are words on it, and where nothing happens. */
const FAINT = { words: 0.35, blocks: 0.5, overview: 1 };
const SAFE = 0.45;
const RADIUS = { words: 6, blocks: 3 };

/**
 * Colours a node by the pods that its loss would leave pending. A node that has not been tried
 * stays as it is.
 * @param {CanvasRenderingContext2D} canvas
 * @param {NodeBox} item
 * @param {Pick<Scene, 'layout' | 'palette' | 'stranded'>} scene
 */
export function paintStranded(canvas, { node, box }, { layout, palette, stranded }) {
  const count = stranded?.get(node.name);
  const inset = layout.detail === 'overview' ? 1 : 2;
  const { x, y, width, height } = box;
  const inner = /** @type {const} */ ([
    x + inset,
    y + inset,
    width - 2 * inset,
    height - 2 * inset,
  ]);
  const fill = () => {
    // There may be thousands of boxes in an overview: round corners would be slow.
    if (layout.detail === 'overview') return canvas.fillRect(...inner);
    canvas.beginPath();
    canvas.roundRect(...inner, RADIUS[layout.detail]);
    canvas.fill();
  };
  const { globalAlpha } = canvas;
  canvas.fillStyle = palette.panel;
  if (layout.detail === 'overview') fill();
  if (count === undefined) return;
  const share = count === 0 ? SAFE : Math.min(1, LEAST + (1 - LEAST) * (count / worstOf(stranded)));
  canvas.globalAlpha = globalAlpha * share * FAINT[layout.detail];
  canvas.fillStyle = count === 0 ? palette.good : palette.bad;
  fill();
  canvas.globalAlpha = globalAlpha;
}

/** @type {WeakMap<Map<string, number>, number>} */
const worst = new WeakMap();

/** @param {Map<string, number> | null | undefined} stranded a new one whenever it changes */
function worstOf(stranded) {
  if (!stranded) return 1;
  const most = worst.get(stranded) ?? [...stranded.values()].reduce((a, b) => Math.max(a, b), 1);
  worst.set(stranded, most);
  return most;
}
