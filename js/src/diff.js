/**
 * Compares the decisions of two configurations and explains the differences.
 * @module stowage/diff
 */
export { differencesBetween, whyDifferent } from './diff/diff.js';

/** @typedef {import('./diff/diff.js').Change} Change */
/** @typedef {import('./diff/diff.js').Difference} Difference */
/** @typedef {import('./diff/diff.js').Fate} Fate */
