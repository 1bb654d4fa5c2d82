/** Rows of the embedded API server's tables, by the names of their columns. */
import assert from 'node:assert/strict';

import { deepFreeze } from '../../../js/apiserver/frozen.js';
import { tableOf } from '../../../js/apiserver/tables.js';

export const NOW = Date.UTC(2026, 0, 2, 12);
export const CREATED = '2026-01-02T11:55:00Z';

/** @param {object} [more] */
export const meta = (more) => ({ name: 'x', creationTimestamp: CREATED, ...more });

/**
 * The one row of an object, by the names of its columns.
 * @param {string} kind
 * @param {object} object
 * @returns {Record<string, unknown>}
 */
export function row(kind, object) {
  const whole = deepFreeze({ metadata: meta(), ...object });
  const { columnDefinitions, rows } = tableOf({ kind }, [whole], { now: NOW });
  assert.equal(rows[0].cells.length, columnDefinitions.length, kind);
  const names = columnDefinitions.map((/** @type {any} */ { name }) => name);
  return Object.fromEntries(
    names.map((/** @type {string} */ name, /** @type {number} */ at) => [name, rows[0].cells[at]]),
  );
}

/** Only some columns of it. @param {Record<string, unknown>} cells @param {string[]} names */
export const some = (cells, ...names) => names.map((name) => cells[name]);
