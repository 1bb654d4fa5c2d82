/** Output of the set-up and the tests. */
const terminal = process.stdout.isTTY === true && !process.env.NO_COLOR;
const STYLES = { bold: 1, red: 31, green: 32 };

/** @param {keyof typeof STYLES} style @param {string} text */
const styled = (style, text) => (terminal ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text);

/** A step that the user has to take; the message describes it. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'SetupError';
    this.code = 'SetupNeeded';
  }
}

/** @param {string} text */
export function say(text) {
  console.log(`   ${text}`);
}

/**
 * Runs a step under a heading and prints its time; after a failure also the command that repeats
 * it.
 *
 * @template T
 * @param {string} title
 * @param {string} repeat as typed in the repository's folder
 * @param {() => T | Promise<T>} action
 */
export async function step(title, repeat, action) {
  const started = performance.now();
  console.log(styled('bold', `== ${title}`));
  try {
    const result = await action();
    console.log(styled('green', `   ok: ${title}, ${elapsed(started)}\n`));
    return result;
  } catch (error) {
    console.log(styled('red', `   FAILED: ${title}, ${elapsed(started)}`));
    say(`repeat it with: ${repeat}\n`);
    throw error;
  }
}

/** @param {number} started */
export function elapsed(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/**
 * Ends a command-line program: an expected fault is printed as one line, any other with its stack.
 *
 * @param {unknown} error
 */
export function exitWith(error) {
  const known = error instanceof Error && 'code' in error && typeof error.code === 'string';
  console.error(known ? styled('red', error.message) : error);
  process.exitCode = 1;
}
