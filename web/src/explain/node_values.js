/** What a node has and gives of one resource, with the pod and without it. */
import { isScalar } from './pod_requests.js';

/** @import { Facts, Resource } from './facts.js' */

/**
 * @typedef {object} NodeValue
 * @property {string} name
 * @property {number} weight
 * @property {number} allocatable
 * @property {number} allocated without the pod
 * @property {number} asked by the pod
 * @property {number} requested with the pod
 */

/** @type {{ name: string, weight: number }[]} */
const DEFAULT_RESOURCES = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/**
 * The resources that count on a node: what it does not have, and what is special and not asked for,
 * does not.
 * @param {Facts} facts
 * @param {{ resources?: { name: string, weight?: number }[], askedOf: (name: string) => number,
 *   isNonZero: boolean }} options `isNonZero`: pods that ask for no cpu or memory count, too
 * @returns {NodeValue[]}
 */
export function nodeValues({ held }, { resources, askedOf, isNonZero }) {
  const wanted = resources?.length ? resources : DEFAULT_RESOURCES;
  return wanted.flatMap(({ name, weight }) => {
    const asked = askedOf(name);
    if (asked === 0 && isScalar(name)) return [];
    const allocatable = amountOf(held.allocatable, name);
    if (allocatable === 0) return [];
    const allocated = isNonZero
      ? amountOf({ ...held.requested, ...held.nonZeroRequested }, name)
      : amountOf(held.requested, name);
    return [
      { name, weight: weight || 1, allocatable, allocated, asked, requested: allocated + asked },
    ];
  });
}

/**
 * @param {Resource} resource
 * @param {string} name
 */
function amountOf(resource, name) {
  switch (name) {
    case 'cpu':
      return resource.milliCPU;
    case 'memory':
      return resource.memory;
    case 'ephemeral-storage':
      return resource.ephemeralStorage;
    default:
      return resource.scalarResources[name] ?? 0;
  }
}
