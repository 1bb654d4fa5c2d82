/** Node: a script, with this process's Node or a current one. */
import { program } from './programs.js';
import { runToEnd } from './child.js';

/**
 * @param {string} script
 * @param {{ cwd?: string, args?: string[], current?: boolean }} [place] `current`: the newest Node
 *   that is pinned, instead of the one that the tests run with
 * @returns {Promise<string>} what it prints
 */
export function runWithNode(script, { cwd, args = [], current = false } = {}) {
  const file = current ? program('node') : process.execPath;
  return runToEnd(file, [script, ...args], { cwd });
}
