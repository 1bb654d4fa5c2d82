/**
 * What if: questions about the future of a cluster, each answered by the scheduler itself on a
 * fork. Nothing changes in the cluster that is asked about.
 * @module stowage/whatif
 */
export { evaluateAll } from './engine/evaluate_all.js';
export { measureCapacity } from './whatif/capacity.js';
export { Future, inFuture } from './whatif/future.js';
export { Population } from './whatif/population.js';

/** @typedef {import('./whatif/capacity.js').Capacity} Capacity */
/** @typedef {import('./whatif/future.js').Fate} Fate */
