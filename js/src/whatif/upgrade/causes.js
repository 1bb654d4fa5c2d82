/** Finds which rows of the table of releases make a difference, with few schedulers. */

/** @import { Row } from './rows.js' */

/**
 * Asks one release with rows switched to the other. Returns the pods that get the other's answer.
 * @typedef {(switched: Row[], pods: string[]) => Promise<Set<string>>} Ask
 */

/**
 * Finds the rows by switching them back in the new release, and for the pods that this cannot
 * explain, because a gate is locked there, forth in the old one. What remains depends on rows that
 * neither release can switch.
 * @param {string[]} pods whose answers differ
 * @param {Row[]} rows in the order in which they are tried
 * @param {{ back: Ask, forth: Ask }} asks
 * @returns {Promise<Map<string, string[]>>} the names of the rows by pod, in the order of `rows`
 */
export async function causesOf(pods, rows, asks) {
  const back = await searched(
    pods,
    rows.filter((row) => row.back),
    asks.back,
  );
  const forth = await searched(
    back.staying,
    rows.filter((row) => row.forth),
    asks.forth,
  );
  const fixed = rows.filter((row) => !row.back || !row.forth).map(({ name }) => name);
  const rest = forth.staying.map((pod) => /** @type {const} */ ([pod, fixed]));
  return new Map([...back.causes, ...forth.causes, ...rest]);
}

/**
 * Searches with few schedulers: the first row alone, because it explains most pods, then all rows.
 * Bisection finds the row that, added to those before it, gives the other answer. If it does not do
 * so alone, those before it are searched for others that it needs.
 * @param {string[]} pods
 * @param {Row[]} rows
 * @param {Ask} ask
 * @returns {Promise<{ causes: Map<string, string[]>, staying: string[] }>} `staying`: the pods that
 *   keep their answer with all rows switched
 */
async function searched(pods, rows, ask) {
  /** @type {Map<string, string[]>} */
  const causes = new Map();
  const note = (/** @type {string[]} */ group, /** @type {Row[]} */ found) => {
    const names = found.map(({ name }) => name);
    for (const pod of group) causes.set(pod, names);
  };
  const first = rows.slice(0, 1);
  const [explained, others] = await asked(first, pods);
  note(explained, first);
  const [returning, staying] = await asked(rows, others);
  await narrow(returning, { found: [], left: rows, known: 1 });
  return { causes, staying };

  /**
   * @param {string[]} group pods that get the other answer with `found` and `left`
   * @param {{ found: Row[], left: Row[], known: number }} state with `found` and the first `known`
   *   of `left` they do not
   */
  async function narrow(group, { found, left, known }) {
    if (group.length === 0) return;
    if (left.length - known === 1) return add(group, [left[known], ...found], left.slice(0, known));
    const count = known + Math.max(1, Math.floor((left.length - known) / 2));
    const [before, after] = await asked([...left.slice(0, count), ...found], group);
    await narrow(before, { found, left: left.slice(0, count), known });
    await narrow(after, { found, left, known: count });
  }

  /**
   * @param {string[]} group
   * @param {Row[]} found
   * @param {Row[]} left rows with which `found` suffices
   */
  async function add(group, found, left) {
    const [enough, more] = left.length > 0 ? await asked(found, group) : [group, []];
    note(enough, found);
    await narrow(more, { found, left, known: 0 });
  }

  /**
   * Returns the pods that get the other answer, and the rest.
   * @param {Row[]} switched
   * @param {string[]} group
   */
  async function asked(switched, group) {
    const some = group.length > 0 ? await ask(switched, group) : new Set();
    return [group.filter((pod) => some.has(pod)), group.filter((pod) => !some.has(pod))];
  }
}
