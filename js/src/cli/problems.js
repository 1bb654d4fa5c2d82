/** Exit codes of every command. */
export const EXIT = Object.freeze({ yes: 0, no: 1, badInput: 2, ourFault: 3 });

/** The command line cannot be understood. */
export class UsageError extends Error {}

/** Files that cannot be used; a line for each thing that is wrong with them. */
export class BadInputError extends Error {
  /** @param {string[]} lines */
  constructor(lines) {
    super(lines[0]);
    this.lines = lines;
  }
}
