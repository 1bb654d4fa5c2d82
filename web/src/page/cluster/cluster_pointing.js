/** Points at nodes and pods, and selects them, by pointer and keyboard. */
import { inside, moved } from './cluster_cursor.js';
import { isInside, nodeAt, nodeNamed, podBlocks } from './cluster_layout.js';

/** @import { ReadonlySignal, Signal } from '@preact/signals' */
/** @import { Looked } from './cluster_canvas.jsx' */
/** @import { Pointed } from './cluster_cursor.js' */
/** @import { Box, Layout } from './cluster_layout.js' */

/**
 * Turns events on a canvas into a pointed place and selections.
 * @param {{ session: Looked, layout: ReadonlySignal<Layout>, top: ReadonlySignal<number>, pointed:
 *   Signal<Pointed | null>, frame: { current: HTMLElement | null } }} parts `frame` scrolls
 */
export function pointing({ session, layout, top, pointed, frame }) {
  /** @param {Pointed | null} next */
  const show = (next) => {
    pointed.value = next;
    const box = next && boxOf(layout.peek(), next);
    if (box && frame.current) reveal(frame.current, box);
  };

  /** @param {MouseEvent & { currentTarget: HTMLElement }} event @returns {Pointed | null} */
  const under = ({ currentTarget, clientX, clientY }) => {
    const bounds = currentTarget.getBoundingClientRect();
    return pointedAt(layout.value, clientX - bounds.left, clientY - bounds.top + top.value);
  };
  /** @param {Pointed | null} next */
  const point = (next) => {
    const { node, pod } = pointed.value ?? {};
    if (node !== next?.node || pod !== next?.pod) pointed.value = next;
  };
  /** @param {Pointed | null} at */
  const select = (at) => {
    session.selectNode(at?.node ?? null);
    if (at?.pod !== undefined) session.selectPod(at.pod);
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const from = pointed.value;
    if (key === 'Enter' && from) {
      select(from);
      if (from.pod === undefined) show(inside(layout.value, from.node));
    } else {
      const to = moved(layout.value, from, key);
      if (to === undefined) return;
      show(to);
    }
    event.preventDefault();
  };
  return { show, under, point, select, press };
}

/**
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {Pointed | null}
 */
function pointedAt(layout, x, y) {
  const found = nodeAt(layout, x, y);
  if (!found) return null;
  const block = podBlocks(found, layout).find(({ box }) => isInside(box, x, y));
  return { node: found.node.name, ...(block && { pod: block.pod.key }) };
}

/**
 * The box in which a node or a pod is drawn.
 * @param {Layout} layout
 * @param {Pointed} pointed
 * @returns {Box | null}
 */
export function boxOf(layout, { node, pod }) {
  const found = nodeNamed(layout, node);
  if (!found) return null;
  const block = podBlocks(found, layout).find((one) => one.pod.key === pod);
  return block?.box ?? found.box;
}

/**
 * Scrolls just far enough to show a box.
 * @param {HTMLElement} frame
 * @param {Box} box
 */
function reveal(frame, { y, height }) {
  const { scrollTop, clientHeight } = frame;
  if (y < scrollTop) frame.scrollTop = y - height;
  else if (y + height > scrollTop + clientHeight) frame.scrollTop = y + 2 * height - clientHeight;
}
