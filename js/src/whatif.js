/**
 * What if: questions about the future of a cluster, each answered by the scheduler itself on a
 * fork. Nothing changes in the cluster that is asked about.
 * @module stowage/whatif
 */
export { measureCapacity } from './whatif/capacity.js';
export { classify } from './whatif/classify.js';
export { contrast } from './whatif/contrast.js';
export { fix } from './whatif/fix.js';
export { Future, inFuture } from './whatif/future.js';
export { Population } from './whatif/population.js';

/** @typedef {import('./whatif/capacity.js').Capacity} Capacity */
/** @typedef {import('./whatif/classify.js').Proof} Proof */
/** @typedef {import('./whatif/contrast.js').ContrastOptions} ContrastOptions */
/** @typedef {import('./whatif/contrast.js').Flip} Flip */
/** @typedef {import('./whatif/fix.js').Fix} Fix */
/** @typedef {import('./whatif/fix.js').FixOptions} FixOptions */
/** @typedef {import('./whatif/fix.js').Offer} Offer */
/** @typedef {import('./whatif/future.js').Fate} Fate */
