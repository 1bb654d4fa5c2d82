/**
 * Which pods two configurations treat differently, and why.
 * @module stowage/diff
 */
export { differencesBetween, whyDifferent } from './diff/diff.js';

/** @typedef {import('./diff/diff.js').Change} Change */
/** @typedef {import('./diff/diff.js').Difference} Difference */
/** @typedef {import('./diff/diff.js').Fate} Fate */
