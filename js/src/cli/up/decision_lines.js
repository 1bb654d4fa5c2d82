import { splitKey } from '../../kubernetes/keys.js';
import { printable } from '../../engine/printable.js';

/** @import { Decision, EngineRecord } from '../../engine/types.js' */

/**
 * Columns have fixed widths that suit usual names: rows are printed one at a time, as in kubectl's
 * watches.
 */
const COLUMNS = Object.freeze([
  { head: 'NAMESPACE', width: 11 },
  { head: 'POD', width: 28 },
  { head: 'RESULT', width: 13 },
  { head: 'NODE', width: 12 },
  { head: 'MESSAGE', width: 0 },
]);

/** The maximum number of waiting pods that are remembered. */
const REMEMBERED = 10_000;

const RESULTS = Object.freeze({
  scheduled: 'Scheduled',
  unschedulable: 'Unschedulable',
  error: 'Error',
  gated: 'Gated',
  skipped: 'Skipped',
});

/** Returns the head of the table. */
export function headLine() {
  return line(COLUMNS.map(({ head }) => head));
}

/**
 * Writes a row for each decision with news: a retried pod that fails for the same reason gets no
 * second row.
 */
export class DecisionLines {
  /** The last message of each waiting pod, by uid. @type {Map<string, string>} */
  #said = new Map();

  /**
   * @param {EngineRecord} record
   * @returns {string | undefined} a row
   */
  of(record) {
    if (record.kind === 'Decision') return this.#ofDecision(/** @type {Decision} */ (record));
    if (record.kind !== 'BindingResult' || record.result === 'bound') return undefined;
    const { namespace, name } = splitKey(String(record.pod));
    return line([namespace, name, 'BindFailed', String(record.node ?? ''), textOf(record.message)]);
  }

  /** @param {Decision} decision */
  #ofDecision({ pod, uid = '', result, node, message, preemption }) {
    const { namespace, name } = splitKey(pod);
    const victims = preemption?.victims ?? [];
    const words = [textOf(message), victims.length > 0 ? `preempts ${victims.join(', ')}` : ''];
    const row = line([
      namespace,
      name,
      RESULTS[result] ?? result,
      node ?? '<none>',
      result === 'scheduled' ? '' : words.filter(Boolean).join('; '),
    ]);
    if (result === 'scheduled') this.#said.delete(uid);
    else if (this.#said.get(uid) === row) return undefined;
    else this.#remember(uid, row);
    return row;
  }

  /**
   * @param {string} uid
   * @param {string} row
   */
  #remember(uid, row) {
    this.#said.set(uid, row);
    if (this.#said.size <= REMEMBERED) return;
    const [oldest] = this.#said.keys();
    this.#said.delete(oldest);
  }
}

/** @param {unknown} message */
function textOf(message) {
  return String(message ?? '').replace(/\s+/g, ' ');
}

/** @param {string[]} cells */
function line(cells) {
  const padded = cells.map((cell, column) => printable(cell).padEnd(COLUMNS[column].width));
  return `${padded.join('   ').trimEnd()}\n`;
}
