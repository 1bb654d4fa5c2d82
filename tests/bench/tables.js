/** Prints figures as tables. */
import { alignColumns } from '../support/table.js';

/** @typedef {{id: string, [figure: string]: string | number}} Row */

/** One table per kind of row, since each has its own figures. @param {Row[]} rows */
export function tablesOf(rows) {
  const kinds = [...new Set(rows.map(({ id }) => id.split('/')[0]))];
  return kinds
    .map((kind) => {
      const group = rows.filter(({ id }) => id.startsWith(`${kind}/`));
      const figures = new Set(group.flatMap((row) => Object.keys(row)));
      const heads = [...figures].filter((figure) => figure !== 'id');
      const body = group.map((row) => [row.id, ...heads.map((head) => show(row[head] ?? ''))]);
      return alignColumns([[kind.toUpperCase(), ...heads], ...body]);
    })
    .join('\n\n');
}

/** The number of digits is limited to those that repeat from run to run. @param {Row} row */
export function lineOf(row) {
  return JSON.stringify(row, (_, value) => {
    const isFraction = typeof value === 'number' && !Number.isInteger(value);
    return isFraction ? Number(value.toPrecision(5)) : value;
  });
}

/**
 * Three significant digits below a thousand, whole numbers above.
 * @param {string | number} value
 */
export function show(value) {
  if (typeof value !== 'number') return value;
  const isWhole = Number.isInteger(value) || Math.abs(value) >= 1000;
  return isWhole ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
