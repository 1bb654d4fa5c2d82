/** Groups of pods, with their sizes and colours. */

/** The number of groups with a colour of their own; all others share the last colour. */
export const OWN_COLOURS = 7;

/** Groups of pods, such as workloads or priorities, in the order in which they first appeared. */
export class Groups {
  /** @type {Map<string, number>} */
  #counts;

  /** @param {Iterable<[string, number]>} [counts] */
  constructor(counts = []) {
    this.#counts = new Map(counts);
  }

  /** The same groups without pods. */
  emptied() {
    return new Groups([...this.#counts.keys()].map((name) => [name, 0]));
  }

  copy() {
    return new Groups(this.#counts);
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
   * The number of a group's colour; unknown groups have the last one.
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
   * The groups that have pods and a colour of their own, and the other groups together under an
   * empty name.
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
