/** Node: a script, with this process's Node or one that is pinned. */
import { program } from './programs.js';
import { runToEnd } from './child.js';

const PINNED = Object.freeze({ oldest: 'node20', current: 'node' });

/**
 * @param {string} script
 * @param {{ cwd?: string, args?: string[], pinned?: keyof typeof PINNED }} [place] `pinned`: the
 *   oldest Node that the package is for, or the newest, instead of the one that the tests run with
 * @returns {Promise<string>} what it prints
 */
export function runWithNode(script, { cwd, args = [], pinned } = {}) {
  const file = pinned ? program(PINNED[pinned]) : process.execPath;
  return runToEnd(file, [script, ...args], { cwd });
}
