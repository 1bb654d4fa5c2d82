/** Bun: a script, or a module whose default export has a `fetch`. */
import { runToEnd, startServer } from './child.js';
import { program } from './programs.js';

/** Scripts must not install packages. */
const OPTIONS = ['--no-install'];
const ENVIRONMENT = { ...process.env, NO_COLOR: '1' };

/**
 * @param {string} script
 * @param {{ cwd?: string, args?: string[] }} [place]
 * @returns {Promise<string>} its output
 */
export function runWithBun(script, { cwd, args = [] } = {}) {
  const words = ['run', ...OPTIONS, script, ...args];
  return runToEnd(program('bun'), words, { cwd, env: ENVIRONMENT });
}

/**
 * @param {string} entry a module that default-exports `{ fetch }`
 * @param {{ cwd?: string, env?: Record<string, string> }} [place]
 * @returns {Promise<import('./child.js').Server>}
 */
export function serveWithBun(entry, { cwd, env = {} } = {}) {
  const urlOf = (/** @type {string} */ line) => /(http:\/\/\S+)/.exec(line)?.[1];
  const place = { cwd, env: { ...ENVIRONMENT, ...env, BUN_PORT: '0' } };
  return startServer(program('bun'), ['run', ...OPTIONS, entry], urlOf, place);
}
