/**
 * The places of nodes and pods on the canvas: zones one below the other, nodes as boxes in rows,
 * pods as blocks in their node's box. Pure arithmetic; lengths are CSS pixels.
 */
import { usesOf } from './amounts.js';

/**
 * @import { NodeRow, PodRow } from '../../model/cluster_model.js'
 * @import { ClusterState } from './cluster_state.js'
 */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ zone: string, box: Box, count: number }} ZoneBox */
/** @typedef {{ name: string, box: Box }} Place */

/**
 * A node and the pods in its box: `pods` run on it, `nominated` are nominated to it.
 * @typedef {{ node: NodeRow, box: Box, pods: PodRow[], nominated: PodRow[] }} NodeBox
 */

/**
 * The level of detail: names, amounts and pods; bars and pods; or only how full the node is.
 * @typedef {'words' | 'blocks' | 'overview'} Detail
 */

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height of the whole layout
 * @property {ZoneBox[]} zones
 * @property {Place[]} places from top to bottom, row by row
 * @property {Detail} detail
 * @property {number} bars the most bars that fit into a box with words
 * @property {ClusterState} cluster
 */

/** The minimum width of a box with words; boxes widen to fill their row. */
const WORDS_WIDTH = { least: 160, most: 300 };
const GAPS = { words: 10, blocks: 4, overview: 2 };
const HEAD = 26;
const NAME_HEIGHT = 24;
export const BAR_HEIGHT = 14;
/** Two rows of blocks, with the space around them. */
const BLOCKS_HEIGHT = 40;
const MOST_BARS = 6;

/** From this number of nodes on, each shows less detail. */
const MOST = { words: 120, blocks: 1500 };

/** The most bars that fit into any small box. */
export const SMALL_BARS = 3;

/** Layouts by shape: they depend on nodes alone. @type {WeakMap<object, Places>} */
const known = new WeakMap();

/** @typedef {Pick<Layout, 'width' | 'height' | 'zones' | 'places' | 'detail' | 'bars'>} Places */

/**
 * @param {number} count of nodes
 * @returns {Detail}
 */
export function detailFor(count) {
  if (count <= MOST.words) return 'words';
  return count <= MOST.blocks ? 'blocks' : 'overview';
}

/**
 * @param {ClusterState} cluster
 * @param {number} width
 * @param {Detail} [detail] default: by the number of nodes
 * @returns {Layout}
 */
export function layoutOf(cluster, width, detail = detailFor(cluster.nodes.size)) {
  const last = known.get(cluster.shape);
  const places =
    last?.width === width && last.detail === detail ? last : placesOf(cluster, width, detail);
  known.set(cluster.shape, places);
  return { ...places, cluster };
}

/**
 * @param {ClusterState} cluster
 * @param {number} width
 * @param {Detail} detail
 * @returns {Places}
 */
function placesOf(cluster, width, detail) {
  const bars = detail === 'words' ? mostBars(cluster) : SMALL_BARS;
  const gap = GAPS[detail];
  const least = cellOf(detail, bars);
  const zones = byZone(cluster.nodes);
  const columns = Math.max(1, Math.floor((width + gap) / (least.width + gap)));
  const used = Math.min(columns, Math.max(1, ...zones.map(([, names]) => names.length)));
  const cell = detail === 'words' ? { ...least, width: filling(width, used) } : least;
  /** @type {Places} */
  const all = { width, height: 0, zones: [], places: [], detail, bars };
  let y = 0;
  for (const [zone, names] of zones) {
    const rows = Math.ceil(names.length / columns);
    const height = HEAD + rows * (cell.height + gap);
    all.zones.push({ zone, box: { x: 0, y, width, height }, count: names.length });
    names.forEach((name, index) => {
      const box = {
        x: (index % columns) * (cell.width + gap),
        y: y + HEAD + Math.floor(index / columns) * (cell.height + gap),
        ...cell,
      };
      all.places.push({ name, box });
    });
    y += height;
  }
  all.height = y;
  return all;
}

/**
 * @param {Detail} detail
 * @param {number} bars
 */
function cellOf(detail, bars) {
  switch (detail) {
    case 'words':
      return { width: WORDS_WIDTH.least, height: NAME_HEIGHT + bars * BAR_HEIGHT + BLOCKS_HEIGHT };
    case 'blocks':
      return { width: 40, height: 40 };
    default:
      return { width: 10, height: 12 };
  }
}

/** The width of a box in a row of so many. @param {number} width @param {number} columns */
function filling(width, columns) {
  const share = Math.floor((width + GAPS.words) / columns) - GAPS.words;
  return Math.max(WORDS_WIDTH.least, Math.min(WORDS_WIDTH.most, share));
}

/** @param {ClusterState} cluster */
function mostBars(cluster) {
  let most = 0;
  for (const node of cluster.nodes.values()) most = Math.max(most, usesOf(cluster, node).length);
  return Math.min(MOST_BARS, most);
}

/**
 * The node at a point.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {NodeBox | undefined}
 */
export function nodeAt(layout, x, y) {
  const place = placesBetween(layout, y, y).find(({ box }) => isInside(box, x, y));
  return place && nodeBoxOf(layout, place);
}

/**
 * The nodes between two heights.
 * @param {Layout} layout
 * @param {number} top
 * @param {number} bottom
 * @returns {NodeBox[]}
 */
export function visibleNodes(layout, top, bottom) {
  return placesBetween(layout, top, bottom).map((place) => nodeBoxOf(layout, place));
}

/**
 * @param {Pick<Layout, 'places'>} layout
 * @param {number} top
 * @param {number} bottom
 */
function placesBetween({ places }, top, bottom) {
  const first = firstPlace(places, ({ box }) => box.y + box.height >= top);
  let end = first;
  while (end < places.length && places[end].box.y <= bottom) end += 1;
  return places.slice(first, end);
}

/**
 * @param {Layout} layout
 * @param {string} name
 * @returns {NodeBox | undefined}
 */
export function nodeNamed(layout, name) {
  const place = layout.places.find((one) => one.name === name);
  return place && nodeBoxOf(layout, place);
}

/**
 * The first place below a height, by binary search.
 * @param {Place[]} places
 * @param {(place: Place) => boolean} isBehind
 */
export function firstPlace(places, isBehind) {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(places[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * @param {Layout} layout
 * @param {Place} place
 * @returns {NodeBox}
 */
function nodeBoxOf({ cluster: { nodes, podsOfNode, nominatedTo } }, { name, box }) {
  return {
    node: /** @type {NodeRow} */ (nodes.get(name)),
    box,
    pods: [...(podsOfNode.get(name)?.values() ?? [])],
    nominated: [...(nominatedTo.get(name)?.values() ?? [])],
  };
}

/**
 * Blocks of the pods in a node's box, below words and bars; nominated pods come last.
 * @param {NodeBox} node
 * @param {Pick<Layout, 'detail' | 'bars'>} layout
 * @returns {{ pod: PodRow, box: Box }[]} as many as fit
 */
export function podBlocks({ box, pods, nominated }, { detail, bars }) {
  if (detail === 'overview') return [];
  const isSmall = detail === 'blocks';
  const size = isSmall ? 5 : 12;
  const gap = isSmall ? 1 : 3;
  const inset = isSmall ? 3 : 8;
  const top = box.y + (isSmall ? 3 + SMALL_BARS * 4 : NAME_HEIGHT + bars * BAR_HEIGHT + 4);
  const columns = Math.max(1, Math.floor((box.width - 2 * inset + gap) / (size + gap)));
  const rows = Math.max(1, Math.floor((box.y + box.height - inset - top + gap) / (size + gap)));
  // Nominated pods are shown even if not all other pods fit.
  const room = Math.max(0, columns * rows - nominated.length);
  return [...pods.slice(0, room), ...nominated].slice(0, columns * rows).map((pod, index) => ({
    pod,
    box: {
      x: box.x + inset + (index % columns) * (size + gap),
      y: top + Math.floor(index / columns) * (size + gap),
      width: size,
      height: size,
    },
  }));
}

/** @param {Box} box @param {number} x @param {number} y */
export function isInside(box, x, y) {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

/**
 * Names by zone, nodes without a zone last; sorted by name within a zone.
 * @param {Map<string, NodeRow>} nodes
 * @returns {[string, string[]][]}
 */
function byZone(nodes) {
  /** @type {Map<string, string[]>} */
  const zones = new Map();
  for (const { zone, name } of nodes.values()) {
    const names = zones.get(zone);
    if (names) names.push(name);
    else zones.set(zone, [name]);
  }
  const { compare } = new Intl.Collator('en', { numeric: true });
  for (const names of zones.values()) names.sort(compare);
  return [...zones].sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : compare(a, b)));
}
