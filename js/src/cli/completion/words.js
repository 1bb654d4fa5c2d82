/** @import { Flag, Manual } from '../manual.js' */

/** The words that stand for files in help. */
const FILES = new Set(['FILE', 'LOG']);

/**
 * What can follow a flag: nothing, one of some words, a file, or what only the user knows.
 * @param {Flag} flag
 * @returns {'nothing' | 'words' | 'file' | 'text'}
 */
export function valueKind({ value, words }) {
  if (value === undefined) return 'nothing';
  if (words) return 'words';
  return FILES.has(value) ? 'file' : 'text';
}

/**
 * What its arguments are.
 * @param {Manual} manual
 * @returns {'nothing' | 'words' | 'file'}
 */
export function argumentKind({ takes, words }) {
  if (words) return 'words';
  return /FILE|LOG|POD/.test(takes) ? 'file' : 'nothing';
}

/**
 * A text in single quotes, for shells.
 * @param {string} text
 */
export function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
