/** Runs a script with this process's Node or a pinned one. */
import { runToEnd } from './child.js';
import { program } from './programs.js';

const PINNED = Object.freeze({ oldest: 'node20', current: 'node' });

/**
 * @param {string} script
 * @param {{ cwd?: string, args?: string[], pinned?: keyof typeof PINNED }} [place] `pinned`: the
 *   oldest supported Node, or the newest, instead of the one that runs the tests
 * @returns {Promise<string>} its output
 */
export function runWithNode(script, { cwd, args = [], pinned } = {}) {
  const file = pinned ? program(PINNED[pinned]) : process.execPath;
  return runToEnd(file, [script, ...args], { cwd });
}
