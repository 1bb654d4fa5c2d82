/** Keyboard navigation over a cluster: from node to node, and into a node's pods. */
import { firstPlace, nodeNamed } from './cluster_layout.js';

/**
 * @import { Layout, Place } from './cluster_layout.js'
 */

/** A node, or a pod on it. @typedef {{ node: string, pod?: string }} Pointed */

/**
 * The place to which a key leads.
 * @param {Layout} layout
 * @param {Pointed | null} from
 * @param {string} key as `KeyboardEvent.key` says it
 * @returns {Pointed | null | undefined} null: out of the cluster; undefined: the key has no meaning
 *   here
 */
export function moved(layout, from, key) {
  const { places } = layout;
  const at = from ? places.findIndex(({ name }) => name === from.node) : -1;
  if (from?.pod !== undefined && at >= 0) return movedInside(layout, from, key);
  if (key === 'Escape') return from ? null : undefined;
  const to = placeOf(places, at, key);
  return to && { node: to.name };
}

/**
 * @param {Place[]} places
 * @param {number} at -1: nowhere
 * @param {string} key
 * @returns {Place | undefined}
 */
function placeOf(places, at, key) {
  switch (key) {
    case 'Home':
      return places[0];
    case 'End':
      return places.at(-1);
    case 'ArrowRight':
      return places[Math.min(at + 1, places.length - 1)];
    case 'ArrowLeft':
      return places[Math.max(at - 1, 0)];
    case 'ArrowDown':
      return at < 0 ? places[0] : besides(places, places[at], 1);
    case 'ArrowUp':
      return at < 0 ? places[0] : besides(places, places[at], -1);
    default:
      return undefined;
  }
}

/**
 * The nearest place in the row above or below; at the edge the place itself.
 * @param {Place[]} places
 * @param {Place} place
 * @param {1 | -1} by
 */
function besides(places, place, by) {
  const { x, y } = place.box;
  const end = firstPlace(places, ({ box }) => (by > 0 ? box.y > y : box.y >= y));
  const row = by > 0 ? places[end]?.box.y : places[end - 1]?.box.y;
  if (row === undefined) return place;
  const first = firstPlace(places, ({ box }) => box.y >= row);
  let nearest = places[first];
  for (let index = first; places[index]?.box.y === row; index += 1)
    if (Math.abs(places[index].box.x - x) < Math.abs(nearest.box.x - x)) nearest = places[index];
  return nearest;
}

/**
 * @param {Layout} layout
 * @param {Pointed} from
 * @param {string} key
 * @returns {Pointed | undefined}
 */
function movedInside(layout, { node, pod }, key) {
  if (key === 'Escape') return { node };
  const pods = podsOf(layout, node);
  const at = pods.indexOf(pod ?? '');
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return { node, pod: pods[Math.min(at + 1, pods.length - 1)] };
    case 'ArrowLeft':
    case 'ArrowUp':
      return { node, pod: pods[Math.max(at - 1, 0)] };
    case 'Home':
      return { node, pod: pods[0] };
    case 'End':
      return { node, pod: pods.at(-1) };
    default:
      return undefined;
  }
}

/**
 * The first pod of a node.
 * @param {Layout} layout
 * @param {string} node
 * @returns {Pointed} the node itself if it has no pods
 */
export function inside(layout, node) {
  const [pod] = podsOf(layout, node);
  return pod === undefined ? { node } : { node, pod };
}

/**
 * @param {Layout} layout
 * @param {string} node
 */
function podsOf(layout, node) {
  const found = nodeNamed(layout, node);
  return found ? [...found.pods, ...found.nominated].map(({ key }) => key) : [];
}
