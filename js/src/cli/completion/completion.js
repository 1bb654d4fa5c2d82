import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';
import { EXIT } from '../terminal/problems.js';

/**
 * @import { CompletionOptions } from './arguments.js'
 * @import { Host } from '../host.js'
 * @import { Manual } from '../arguments/manual.js'
 */

/** @type {Readonly<Record<string, (manuals: readonly Manual[]) => string>>} */
const SCRIPTS = Object.freeze({ bash: bashScript, zsh: zshScript, fish: fishScript });

/**
 * `stowage completion`: prints a script for a shell.
 * @param {CompletionOptions} options
 * @param {readonly Manual[]} manuals of all commands
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function completion({ shell }, manuals, { stdout }) {
  stdout.write(SCRIPTS[shell](manuals));
  return EXIT.yes;
}
