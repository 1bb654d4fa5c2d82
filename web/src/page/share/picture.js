/** The whole cluster as a picture with a legend below: PNG or SVG. */
import { layoutOf } from '../cluster/cluster_layout.js';
import { paint } from '../cluster/cluster_painter.js';
import { huesOf, legendOf } from '../cluster/hues.js';
import { paletteOf } from '../cluster/palette.js';
import { VERDICTS, verdictsOf } from '../decision/verdicts.js';
import { SvgCanvas } from './svg_canvas.js';

/** @import { Palette } from '../cluster/cluster_painter.js' */
/** @import { Session } from '../session.js' */

/** The width in CSS pixels; it shrinks if every zone has few nodes. */
const WIDTH = { least: 640, most: 1200, node: 200 };
const MARGIN = 16;
const CAPTION = 44;
/** The legend's layout: line height, colour, and the gaps beside and between them. */
const LEGEND = { line: 20, swatch: 10, gap: 16, font: '12px system-ui, sans-serif' };

/** The limits that every browser supports: device pixels of a side, and in total. */
const SIDE_MAX = 8192;
const AREA_MAX = 16_777_216;

/**
 * @typedef {object} Picture
 * @property {number} width
 * @property {number} height CSS pixels
 * @property {string} title
 * @property {(canvas: CanvasRenderingContext2D) => void} draw
 */

/**
 * @param {Session} session
 * @returns {Picture}
 */
export function pictureOf(session) {
  const { documentElement: page, body } = document;
  const cluster = session.cluster.value;
  const widest = Math.max(0, ...layoutOf(cluster, 0).zones.map(({ count }) => count));
  const width = Math.min(WIDTH.most, Math.max(WIDTH.least, widest * WIDTH.node));
  const layout = layoutOf(cluster, width - 2 * MARGIN);
  const palette = paletteOf(page);
  const legend = placed(legendFor(session, palette), width - 2 * MARGIN);
  const height = layout.height + 2 * MARGIN + legend.height + CAPTION;
  const title = session.title.value;
  return {
    ...{ width, height, title },
    draw(canvas) {
      canvas.fillStyle = getComputedStyle(body).backgroundColor;
      canvas.fillRect(0, 0, width, height);
      canvas.save();
      canvas.translate(MARGIN, MARGIN);
      // The painter's clearRect would erase the background that was drawn before.
      canvas.clearRect = () => {};
      paint(canvas, {
        ...{ layout, palette, top: 0, height: layout.height },
        hues: huesOf(cluster, session.hueBy.value),
        selectedNode: session.selectedNode.value,
        selectedPod: session.selectedPod.value?.pod ?? null,
        verdicts: verdictsOf(session.evaluation.value),
      });
      canvas.translate(0, layout.height);
      for (const mark of legend.marks) paintMark(canvas, mark, palette);
      canvas.restore();
      const y = layout.height + legend.height + MARGIN + 20;
      canvas.fillStyle = palette.text;
      canvas.font = '600 14px system-ui, sans-serif';
      canvas.fillText(title, MARGIN, y);
      canvas.fillStyle = palette.muted;
      canvas.font = '12px system-ui, sans-serif';
      canvas.fillText(captionOf(session), MARGIN, y + 20);
    },
  };
}

/**
 * `isEdge`: the colour is that of nodes' edges.
 * @typedef {{ words: string, colour: string, isEdge: boolean }} Entry
 */
/** @typedef {Entry & { x: number, y: number }} Mark */

/**
 * The entries of the page's legend.
 * @param {Session} session
 * @param {Palette} palette
 * @returns {Entry[]}
 */
function legendFor({ cluster, hueBy, evaluation }, palette) {
  const verdicts = new Set(verdictsOf(evaluation.value).values());
  return [
    ...legendOf(cluster.value, hueBy.value).map(({ label, colour, count }) => ({
      words: `${label} ${count}`,
      colour: palette.workloads[colour],
      isEdge: false,
    })),
    ...VERDICTS.filter(({ verdict }) => verdicts.has(verdict)).map(({ colour, words }) => ({
      words,
      colour: palette[colour],
      isEdge: true,
    })),
  ];
}

/**
 * Places the entries in as few lines as they fit into.
 * @param {Entry[]} entries
 * @param {number} width of a line
 * @returns {{ marks: Mark[], height: number }}
 */
function placed(entries, width) {
  const ruler = newRuler();
  ruler.font = LEGEND.font;
  let [x, y] = [0, 0];
  const marks = entries.map((entry) => {
    const own = LEGEND.swatch + 5 + ruler.measureText(entry.words).width;
    if (x > 0 && x + own > width) [x, y] = [0, y + LEGEND.line];
    const mark = { ...entry, x, y };
    x += own + LEGEND.gap;
    return mark;
  });
  return { marks, height: marks.length > 0 ? y + LEGEND.line : 0 };
}

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {Mark} mark
 * @param {Palette} palette
 */
function paintMark(canvas, { words, colour, isEdge, x, y }, palette) {
  const { swatch, font } = LEGEND;
  canvas.fillStyle = colour;
  canvas.strokeStyle = colour;
  canvas.lineWidth = 2;
  if (isEdge) canvas.strokeRect(x + 1, y + 5, swatch - 2, swatch - 2);
  else canvas.fillRect(x, y + 4, swatch, swatch);
  canvas.fillStyle = palette.text;
  canvas.font = font;
  canvas.fillText(words, x + swatch + 5, y + 13);
}

/** A canvas to measure texts with. */
function newRuler() {
  return /** @type {CanvasRenderingContext2D} */ (
    document.createElement('canvas').getContext('2d')
  );
}

/** @param {Picture} picture @returns {string} */
export function svgOf({ width, height, title, draw }) {
  const canvas = new SvgCanvas(width, height, newRuler());
  draw(/** @type {CanvasRenderingContext2D} */ (/** @type {unknown} */ (canvas)));
  return canvas.toSvg(title);
}

/**
 * Scales up for sharpness where the limits allow, and down where the cluster is too large.
 * @param {Picture} picture
 * @returns {Promise<Blob>}
 * @throws {Error} if the browser has no room for it
 */
export async function pngOf({ width, height, draw }) {
  const scale = pngScale(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.scale(scale, scale);
  draw(context);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error(`this browser cannot draw ${canvas.width} × ${canvas.height} pixels`);
  return blob;
}

/**
 * Device pixels per CSS pixel.
 * @param {number} width
 * @param {number} height
 */
export function pngScale(width, height) {
  return Math.min(2, SIDE_MAX / width, SIDE_MAX / height, Math.sqrt(AREA_MAX / (width * height)));
}

/** @param {Session} session */
function captionOf(session) {
  const { nodes, pods, podsOfNode } = session.cluster.value;
  const pending = podsOfNode.get('')?.size ?? 0;
  const time = new Date(session.now.value).toISOString();
  return `${time} · ${nodes.size} nodes, ${pods.size} pods, ${pending} pending · Stowage`;
}
