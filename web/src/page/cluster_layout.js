/**
 * Where nodes and pods are drawn: zones one below the other, nodes as boxes in rows, pods as
 * blocks in their box. Pure arithmetic; lengths are CSS pixels.
 */

/**
 * @import { NodeRow, PodRow } from '../model/cluster_model.js'
 * @import { ClusterState } from './cluster_state.js'
 */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ zone: string, box: Box, count: number }} ZoneBox */
/** @typedef {{ node: NodeRow, box: Box, pods: PodRow[] }} NodeBox */

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height of all of it
 * @property {ZoneBox[]} zones
 * @property {NodeBox[]} nodes from top to bottom, row by row
 * @property {boolean} isDense whether the boxes are too small for words
 */

/** A box with words in it, and one without. */
const ROOMY = { width: 168, height: 92, gap: 10 };
const DENSE = { width: 34, height: 30, gap: 4 };
/** Beyond so many nodes words are too much. */
const ROOMY_NODES = 120;

const HEAD = 26;

/**
 * @param {ClusterState} cluster
 * @param {number} width
 * @returns {Layout}
 */
export function layoutOf({ nodes, podsOfNode }, width) {
  const isDense = nodes.size > ROOMY_NODES;
  const cell = isDense ? DENSE : ROOMY;
  const columns = Math.max(1, Math.floor((width + cell.gap) / (cell.width + cell.gap)));
  /** @type {Layout} */
  const layout = { width, height: 0, zones: [], nodes: [], isDense };
  let y = 0;
  for (const [zone, members] of byZone(nodes)) {
    const rows = Math.ceil(members.length / columns);
    const height = HEAD + rows * (cell.height + cell.gap);
    layout.zones.push({ zone, box: { x: 0, y, width, height }, count: members.length });
    members.forEach((node, index) => {
      const column = index % columns;
      const row = Math.floor(index / columns);
      layout.nodes.push({
        node,
        box: {
          x: column * (cell.width + cell.gap),
          y: y + HEAD + row * (cell.height + cell.gap),
          width: cell.width,
          height: cell.height,
        },
        pods: [...(podsOfNode.get(node.name)?.values() ?? [])],
      });
    });
    y += height;
  }
  layout.height = y;
  return layout;
}

/**
 * The node that is drawn at a place.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {NodeBox | undefined}
 */
export function nodeAt({ nodes }, x, y) {
  return visibleNodes({ nodes }, y, y).find(({ box }) => isInside(box, x, y));
}

/**
 * Those that are drawn between two heights.
 * @param {Pick<Layout, 'nodes'>} layout
 * @param {number} top
 * @param {number} bottom
 * @returns {NodeBox[]}
 */
export function visibleNodes({ nodes }, top, bottom) {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { box } = nodes[middle];
    if (box.y + box.height < top) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < nodes.length && nodes[end].box.y <= bottom) end += 1;
  return nodes.slice(low, end);
}

/**
 * Blocks of the pods in a node's box, below its words and bars.
 * @param {NodeBox} node
 * @param {boolean} isDense
 * @returns {{ pod: PodRow, box: Box }[]} as many as there is room for
 */
export function podBlocks({ box, pods }, isDense) {
  const size = isDense ? 5 : 12;
  const gap = isDense ? 1 : 3;
  const inset = isDense ? 3 : 8;
  const top = box.y + (isDense ? 12 : 52);
  const columns = Math.max(1, Math.floor((box.width - 2 * inset + gap) / (size + gap)));
  const rows = Math.max(1, Math.floor((box.y + box.height - inset - top + gap) / (size + gap)));
  return pods.slice(0, columns * rows).map((pod, index) => ({
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
 * By zone, those without one last; by name in each.
 * @param {Map<string, NodeRow>} nodes
 */
function byZone(nodes) {
  /** @type {Map<string, NodeRow[]>} */
  const zones = new Map();
  for (const node of nodes.values()) {
    const members = zones.get(node.zone) ?? [];
    members.push(node);
    zones.set(node.zone, members);
  }
  const collator = new Intl.Collator('en', { numeric: true });
  for (const members of zones.values()) members.sort((a, b) => collator.compare(a.name, b.name));
  return [...zones].sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : collator.compare(a, b)));
}
