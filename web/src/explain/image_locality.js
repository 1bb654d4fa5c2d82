/** ImageLocality's score: how much of the pod's images a node has already. */
import { itemsIn } from '../../../js/src/kubernetes/values.js';
import { percent } from './arithmetic.js';

/** @import { Facts, Formula } from './facts.js' */

const MIB = 1_048_576;
const LEAST = 23 * MIB;
const MOST_PER_CONTAINER = 1000 * MIB;

/**
 * @param {Facts} facts
 * @returns {Formula}
 */
export function imageLocality({ pod: { spec }, held, nodes }) {
  const containers = [...itemsIn(spec.initContainers), ...itemsIn(spec.containers)];
  const volumes = itemsIn(spec.volumes).filter(({ image }) => image);
  const references = [
    ...containers.map(({ image }) => image ?? ''),
    ...volumes.map(({ image }) => image.reference ?? ''),
  ];
  const found = references.map(fullName).flatMap((name) => {
    const state = Object.hasOwn(held.images, name) ? held.images[name] : undefined;
    if (!state) return [];
    const { sizeBytes, numNodes } = state;
    const scaled = Math.trunc(sizeBytes * (numNodes / nodes.length));
    const text = `${name}: ${sizeBytes} B × ${numNodes} / ${nodes.length} nodes = ${scaled}`;
    return [{ text, scaled }];
  });
  const sum = found.reduce((total, { scaled }) => total + scaled, 0);
  const most = MOST_PER_CONTAINER * containers.length;
  const within = Math.min(Math.max(sum, LEAST), most);
  const value = percent(within - LEAST, most - LEAST);
  const bounds = within === sum ? '' : `, within ${LEAST} and ${most} it is ${within}`;
  const lines = [
    ...(found.length > 0 ? found.map(({ text }) => text) : ['the node has none of the images']),
    `sum ${sum}${bounds}`,
    `(${within} − ${LEAST}) × 100 / (${most} − ${LEAST}) = ${value}`,
  ];
  return { lines, value };
}

/**
 * With its tag.
 * @param {string} image
 */
function fullName(image) {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
