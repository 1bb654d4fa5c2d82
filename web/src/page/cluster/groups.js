/** Which groups pods belong to, how many there are of each, and their colours. */

/** So many groups have a colour of their own; all others share the last one. */
export const OWN_COLOURS = 7;

/** Groups of pods, such as workloads or priorities, in the order in which they were first seen. */
export class Groups {
  /** @type {Map<string, number>} */
  #counts;

  /** @param {Iterable<[string, number]>} [counts] */
  constructor(counts = []) {
    this.#counts = new Map(counts);
  }

  /** The same groups, of which none has a pod. */
  emptied() {
    return new Groups([...this.#counts.keys()].map((name) => [name, 0]));
  }

  /** @param {string} name */
  add(name) {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** @param {string} name */
  remove(name) {
    this.#counts.set(name, Math.max(0, (this.#counts.get(name) ?? 0) - 1));
  }

  /**
   * The number of each group's colour; those that are not in it have the last.
   * @returns {Map<string, number>}
   */
  colours() {
    /** @type {Map<string, number>} */
    const colours = new Map();
    for (const name of this.#counts.keys()) {
      if (colours.size === OWN_COLOURS) break;
      colours.set(name, colours.size);
    }
    return colours;
  }

  /**
   * Those with a colour of their own that have pods, and all others together, whose name is empty.
   * @returns {{ name: string, colour: number, count: number }[]}
   */
  legend() {
    const colours = this.colours();
    const own = [];
    let others = 0;
    for (const [name, count] of this.#counts) {
      const colour = colours.get(name);
      if (colour === undefined) others += count;
      else if (count > 0) own.push({ name, colour, count });
    }
    return others > 0 ? [...own, { name: '', colour: OWN_COLOURS, count: others }] : own;
  }
}
