/** Formats positions for readers of a report. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { STANDARD_INPUT } from '../input/inputs.js';

/**
 * @import { BadInput, Place } from '../../check/report.js'
 * @import { Problems } from '../terminal/problems.js'
 */

/**
 * Files below the current directory get relative names.
 * @param {string} source
 * @param {{ line?: number, column?: number } | undefined} position
 * @returns {Place}
 */
export function placeOf(source, position) {
  if (source === STANDARD_INPUT) return {};
  const path = relative(process.cwd(), resolve(source));
  const isBelow = !path.startsWith('..') && !isAbsolute(path);
  const file = (isBelow ? path : source).split(sep).join('/');
  if (position?.line === undefined) return { file };
  return { file, line: position.line, column: position.column };
}

/**
 * Returns the faults of the input in a document's form.
 * @param {Problems} problems
 * @returns {BadInput[]}
 */
export function badInputIn(problems) {
  return problems.all.map(({ source, code, message, line, column }) => ({
    code,
    message,
    place: placeOf(source, { line, column }),
  }));
}
