/** @import { Palette } from './cluster_painter.js' */

const NAMES = /** @type {const} */ ([
  ...['text', 'muted', 'line', 'panel', 'accent', 'free', 'warn', 'bad', 'good'],
]);
const WORKLOADS = 8;

/**
 * The page's colours, which follow its light or dark style.
 * @param {Element} element
 * @returns {Palette}
 */
export function paletteOf(element) {
  const style = getComputedStyle(element);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const own = Object.fromEntries(NAMES.map((name) => [name, colour(name)]));
  const workloads = Array.from({ length: WORKLOADS }, (_, index) => colour(`workload-${index}`));
  return /** @type {Palette} */ ({ ...own, workloads });
}
