/** @import { Flag, Manual } from '../arguments/manual.js' */

/** The words that mean files in help texts. */
const FILES = new Set(['FILE', 'LOG']);

/**
 * The kind of value that a flag takes: none, one of some words, a file, or free text.
 * @param {Flag} flag
 * @returns {'nothing' | 'words' | 'file' | 'text'}
 */
export function valueKind({ value, words }) {
  if (value === undefined) return 'nothing';
  if (words) return 'words';
  return FILES.has(value) ? 'file' : 'text';
}

/**
 * The kind of the command's arguments.
 * @param {Manual} manual
 * @returns {'nothing' | 'words' | 'file'}
 */
export function argumentKind({ takes, words }) {
  if (words) return 'words';
  return /FILE|LOG|POD/.test(takes) ? 'file' : 'nothing';
}

/**
 * Quotes a text in single quotes, for shells.
 * @param {string} text
 */
export function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
