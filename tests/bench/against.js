/**
 * Compares a run with a stored one: rows that became slower or larger, and rows that only one run
 * has.
 */
import { readFileSync } from 'node:fs';

import { alignColumns } from '../support/table.js';
import { show } from './tables.js';

/** @typedef {import('./tables.js').Row} Row */

/** From this ratio on a row counts as worse. */
const WORSE = 1.5;

/**
 * The figures by which a row may be compared; the first that it has is used. Times and speeds
 * depend on the machine, sizes do not.
 */
const MEASURES = [
  { figure: 'perSecond', isMoreBetter: true, isTimed: true },
  { figure: 'seconds', isMoreBetter: false, isTimed: true },
  { figure: 'p50Ms', isMoreBetter: false, isTimed: true },
  { figure: 'readyMs', isMoreBetter: false, isTimed: true },
  { figure: 'totalBytes', isMoreBetter: false, isTimed: false },
  { figure: 'brotli', isMoreBetter: false, isTimed: false },
];

/** The stored run cannot be used; the message has the reason. */
export class BaselineError extends Error {
  /** @param {string} file @param {string} why */
  constructor(file, why) {
    super(`--against ${file}: ${why}`);
    this.name = 'BaselineError';
  }
}

/**
 * @param {string} file  JSON lines, as --json writes them
 * @returns {Row[]}
 */
export function readBaseline(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new BaselineError(file, /** @type {Error} */ (error).message);
  }
  const rows = text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const row = readRow(line);
    if (!row) throw new BaselineError(file, `line ${at + 1} is no row of a run: ${line}`);
    return [row];
  });
  if (rows.length === 0) throw new BaselineError(file, 'there are no rows in it');
  return rows;
}

/** @param {string} line @returns {Row | null} */
function readRow(line) {
  try {
    const row = JSON.parse(line);
    return typeof row?.id === 'string' ? row : null;
  } catch {
    return null;
  }
}

/**
 * @param {Row} before @param {Row} after
 * @returns {{old: number, new: number, raw: number, normalised: number | null} | null} `raw`,
 *   `normalised`: how many times better the new figure is, the latter in calibration loops; null if
 *   there is nothing to compare
 */
export function compareFigures(before, after) {
  const measure = MEASURES.find(({ figure }) => figure in before && figure in after);
  if (!measure) return null;
  const { figure, isMoreBetter, isTimed } = measure;
  const [old, now] = [before, after].map((row) => Number(row[figure]));
  const raw = isMoreBetter ? now / old : old / now;
  const [loop, loopNow] = [before, after].map((row) => Number(row.calibrationMs));
  const isCalibrated = isTimed && loop > 0 && loopNow > 0;
  return { old, new: now, raw, normalised: isCalibrated ? (raw * loopNow) / loop : null };
}

/**
 * The normalised ratio decides if there is one.
 * @param {Row[]} before @param {Row[]} after
 * @returns {{text: string, worse: string[]}}  `worse`: ids
 */
export function compareRuns(before, after) {
  const stored = new Map(before.map((row) => [row.id, row]));
  /** @type {string[]} */
  const worse = [];
  const body = after.flatMap((row) => {
    const counterpart = stored.get(row.id);
    const found = counterpart && compareFigures(counterpart, row);
    if (!found) return [];
    const { raw, normalised } = found;
    const isWorse = (normalised ?? raw) * WORSE <= 1;
    if (isWorse) worse.push(row.id);
    const ratios = [normalised === null ? '-' : show(normalised), show(raw)];
    return [[row.id, show(found.old), show(found.new), ...ratios, isWorse ? 'WORSE' : '']];
  });
  const heads = ['AGAINST', 'old', 'new', 'times as good, by the loop', 'raw', ''];
  const lines = [
    ...(body.length > 0 ? [alignColumns([heads, ...body])] : []),
    ...namesOf('only in this run', after, before),
    ...namesOf('only in the stored run', before, after),
    worse.length > 0
      ? `${worse.length} of ${body.length} rows are ${WORSE} times worse: ${worse.join(', ')}`
      : `none of ${body.length} rows is ${WORSE} times worse`,
  ];
  return { text: lines.join('\n'), worse };
}

/** @param {string} title @param {Row[]} rows @param {Row[]} others @returns {string[]} */
function namesOf(title, rows, others) {
  const known = new Set(others.map(({ id }) => id));
  const names = rows.map(({ id }) => id).filter((id) => !known.has(id));
  return names.length > 0 ? [`${title}: ${names.join(', ')}`] : [];
}
