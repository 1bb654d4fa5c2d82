import { printable } from '../../engine/printable.js';

/** @import { Host } from '../host.js' */

/** @typedef {'red' | 'green' | 'yellow' | 'bold' | 'dim'} Color */

const CODES = Object.freeze({ bold: 1, dim: 2, red: 31, green: 32, yellow: 33 });

/** The delay before a progress bar appears, and the interval of its updates: milliseconds. */
const PATIENCE = 300;
const REDRAW = 100;

/**
 * Returns a function that colours a text, or leaves it unchanged.
 * @param {'auto' | 'always' | 'never'} when
 * @param {Host} host
 * @returns {(text: string, color: Color) => string}
 */
export function painter(when, { stdout, env }) {
  const auto = Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
  if (when === 'never' || (when === 'auto' && !auto)) return (text) => text;
  return (text, color) => `\x1b[${CODES[color]}m${text}\x1b[0m`;
}

/**
 * Prints one line, with control characters escaped.
 * @param {NodeJS.WritableStream} stream
 * @param {string} line
 */
export function say(stream, line) {
  stream.write(`${printable(line)}\n`);
}

/**
 * Returns a count with its noun: `1 pod`, `2 pods`.
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * Returns the first words of a list, and the number of the others.
 * @param {string[]} words
 */
export function shortList(words) {
  const shown = words.slice(0, 3).join(', ');
  return words.length > 3 ? `${shown} and ${words.length - 3} more` : shown;
}

/**
 * Formats a table as kubectl does: columns three spaces apart, no trailing spaces. Cells are
 * escaped; `paint` gets the padded cells.
 * @param {string[][]} rows the first is the head
 * @param {{ headers: boolean, paint?: (text: string, row: number, column: number) => string }}
 *   options
 * @returns {string}
 */
export function formatTable(rows, { headers, paint = (text) => text }) {
  if (rows.length < 2) return '';
  const shown = (headers ? rows : rows.slice(1)).map((row) => row.map(printable));
  const widths = rows[0].map((_, column) =>
    shown.reduce((width, row) => Math.max(width, row[column].length), 0),
  );
  const lines = shown.map((row, index) =>
    row
      .map((cell, column) => {
        const padding =
          column === row.length - 1 ? '' : ' '.repeat(widths[column] - cell.length + 3);
        return paint(cell, headers ? index : index + 1, column) + padding;
      })
      .join('')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Progress is a bar on standard error, if that is a terminal and the work takes long. */
export class Progress {
  #stream;
  #isShown;
  #start = performance.now();
  #drawn = -Infinity;

  /**
   * @param {Host['stderr']} stream
   * @param {{ quiet: boolean }} options
   */
  constructor(stream, { quiet }) {
    this.#stream = stream;
    this.#isShown = Boolean(stream.isTTY) && !quiet;
  }

  /**
   * @param {string} what
   * @param {number} done
   * @param {number} total
   */
  update(what, done, total) {
    const now = performance.now();
    if (!this.#isShown || now - this.#start < PATIENCE || now - this.#drawn < REDRAW) return;
    this.#drawn = now;
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const width = Math.max(10, Math.min(40, (this.#stream.columns ?? 80) - what.length - 30));
    const filled = Math.round(share * width);
    const bar = `${'#'.repeat(filled)}${'.'.repeat(width - filled)}`;
    this.#stream.write(`\r\x1b[K${printable(what)} [${bar}] ${done}/${total}`);
  }

  /**
   * Prints the current work at once, before work that has no measurable progress.
   * @param {string} what
   */
  announce(what) {
    if (!this.#isShown) return;
    this.#drawn = performance.now();
    this.#stream.write(`\r\x1b[K${printable(what)}`);
  }

  /** Removes the bar. */
  clear() {
    if (this.#drawn !== -Infinity) this.#stream.write('\r\x1b[K');
    this.#drawn = -Infinity;
  }
}
